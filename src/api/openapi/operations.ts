import type { Audience, Endpoint, ForeignEndpoint, Operation } from '../endpoint.ts';
import { eventEndpoints, guardedEndpoints, openEndpoints } from '../endpoints.ts';

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

/** Everything in the document, in its order. */
export const operations: readonly Operation[] = [
  ...[...openEndpoints, ...guardedEndpoints].filter((endpoint) => 'summary' in endpoint),
  ...eventEndpoints,
].map(operationOf);
