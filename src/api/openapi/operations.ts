import type { Audience, Endpoint, ForeignEndpoint, Operation } from '../endpoint.ts';
import { eventEndpoints } from '../endpoints.ts';
import type { EndpointLists } from '../own-paths.ts';

const audiences: Readonly<Record<Endpoint['level'], Audience>> = {
  public: 'anyone',
  'own-account': 'any user',
  any: 'any user',
  'camera-in-path': 'any user',
  'admin-only': 'admin',
};

function operationOf({ path, level, audience = audiences[level], ...described }: ForeignEndpoint): Operation {
  return { ...described, path: path.replaceAll(/:(\w+)/g, '{$1}'), audience };
}

/** @returns everything in the document, in its order */
export function operationsOf({ open, guarded }: EndpointLists): readonly Operation[] {
  const documented = [...open, ...guarded].filter((endpoint) => 'summary' in endpoint);
  return [...(documented as readonly ForeignEndpoint[]), ...eventEndpoints].map(operationOf);
}
