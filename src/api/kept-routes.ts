import type { Params, Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { keepLatest } from '../keep-latest.ts';

type Route = readonly [method: string, path: string];

/** Finds the places of routes in their order. Decisions don't wait while a tree is built and the previous one is collected. */
const treeOf = keepLatest((routes: readonly Route[]) => {
  const places = new TrieRouter<number>();
  for (const [place, route] of routes.entries()) places.add(...route, place);
  return places;
});

/** Hono's TrieRouter, with one tree for the apps of all configurations: they have the same routes, and handlers of their own. */
export class KeptRoutes<Handler> implements Router<Handler> {
  readonly name = 'KeptRoutes';
  readonly #routes: Route[] = [];
  readonly #handlers: Handler[] = [];
  #tree: TrieRouter<number> | undefined;

  add(method: string, path: string, handler: Handler): void {
    if (this.#tree !== undefined) throw new Error('a route was added after the first request');
    this.#routes.push([method, path]);
    this.#handlers.push(handler);
  }

  match(method: string, path: string): Result<Handler> {
    this.#tree ??= treeOf(this.#routes);
    // This router returns parameters by name.
    const [found] = this.#tree.match(method, path) as [[number, Params][]];
    return [found.map(([place, params]) => [this.#handlers[place] as Handler, params])];
  }
}
