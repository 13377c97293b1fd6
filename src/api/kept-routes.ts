import type { Params, Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

type Route = readonly [method: string, path: string];

interface Tree {
  /** The routes as one text. */
  readonly of: string;
  /** Finds the places of routes in their order. */
  readonly places: TrieRouter<number>;
}

let last: Tree | undefined;

/** The last tree is kept, since decisions would wait while one is built and while the garbage collector copies it. */
function treeOf(routes: readonly Route[]): Tree {
  const of = routes.map((route) => route.join(' ')).join('\n');
  if (last?.of === of) return last;
  const places = new TrieRouter<number>();
  for (const [place, route] of routes.entries()) places.add(...route, place);
  return (last = { of, places });
}

/** Hono's TrieRouter, with one tree for the apps of all configurations: they have the same routes, and handlers of their own. */
export class KeptRoutes<Handler> implements Router<Handler> {
  readonly name = 'KeptRoutes';
  readonly #routes: Route[] = [];
  readonly #handlers: Handler[] = [];
  #tree: Tree | undefined;

  add(method: string, path: string, handler: Handler): void {
    if (this.#tree !== undefined) throw new Error('a route was added after the first request');
    this.#routes.push([method, path]);
    this.#handlers.push(handler);
  }

  match(method: string, path: string): Result<Handler> {
    this.#tree ??= treeOf(this.#routes);
    // This router returns parameters by name.
    const [found] = this.#tree.places.match(method, path) as [[number, Params][]];
    return [found.map(([place, params]) => [this.#handlers[place] as Handler, params])];
  }
}
