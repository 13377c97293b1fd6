import type { Audience, Endpoint, Operation, Resource } from '../endpoint.ts';
import { eventEndpoints, guardedResources, openResources } from '../routes.ts';

type Documented = Pick<Resource<never>, 'path' | 'tag' | 'endpoints'>;

const audiences: Readonly<Record<Endpoint['level'], Audience>> = {
  public: 'anybody',
  'own-account': 'any user',
  any: 'any user',
  'admin-only': 'admin',
};

function operationsOf({ path, tag, endpoints }: Documented, root: string = path): Operation[] {
  return endpoints.flatMap(({ method, path: below, level, reference }): Operation[] => {
    if (reference === undefined || tag === undefined || method === 'all') return [];
    const { audience = audiences[level], ...said } = reference;
    const named = (root + below).replaceAll(/:(\w+)/g, '{$1}');
    return [{ ...said, method, path: named, tag, audience }];
  });
}

/** Everything that the reference names, in its order: the tables of routes.ts. */
export const operations: readonly Operation[] = [
  ...openResources.flatMap((resource) => operationsOf(resource)),
  ...guardedResources.flatMap((resource) => operationsOf(resource)),
  ...operationsOf({ path: '/', tag: 'Events', endpoints: eventEndpoints }, ''),
];
