import type { hc } from 'hono/client';
import type { Client } from '../api/endpoint.ts';
import type { EveryEndpoint } from '../features/index.ts';
import { pathTo } from './path-prefix.ts';

interface Input {
  readonly param?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
}

type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** The endpoints at a path and below it. */
export type Calls<Base extends string> = ReturnType<typeof hc<Client<Base, EveryEndpoint>>>;

/**
 * Calls of endpoints, with the types of `hc` of `hono/client`: `calls[':name'].$put({ param, json })`. Its own code puts names
 * into paths as they are, so that the user `a#b` would be the user `a`.
 * @param base without the site's path prefix
 */
export function callsBelow<const Base extends string>(
  base: Base,
  ask: Ask,
  headers: Readonly<Record<string, string>> = {},
): Calls<Base> {
  const at = (names: readonly string[]): unknown =>
    new Proxy(() => undefined, {
      get: (_target, name) => at([...names, String(name)]),
      apply: (_target, _this, [input = {}, options]: [Input?, { readonly init?: RequestInit }?]) => {
        const path = names.slice(0, -1).map((name) => partOf(name, input));
        const isJson = input.json !== undefined;
        return ask(pathTo(base) + path.join('') + queryOf(input), {
          method: String(names.at(-1)).slice(1).toUpperCase(),
          headers: isJson ? { ...headers, 'content-type': 'application/json' } : headers,
          body: isJson ? JSON.stringify(input.json) : null,
          ...options?.init,
        });
      },
    });
  return at([]) as Calls<Base>;
}

function partOf(name: string, { param = {} }: Input): string {
  if (name === 'index') return '';
  return `/${name.startsWith(':') ? encodeURIComponent(param[name.slice(1)] ?? '') : name}`;
}

function queryOf({ query = {} }: Input): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
