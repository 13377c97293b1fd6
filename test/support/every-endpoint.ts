import { operationsOf } from '../../src/api/openapi/openapi-document.ts';
import { ownPathsOf } from '../../src/api/own-paths.ts';
import { loadFeatures } from '../../src/features/index.ts';
import { everyFeature } from '../../src/policy/features.ts';

/* The endpoints of a gate with every feature, and what follows from them. */

const every = await loadFeatures(everyFeature);

export const { open: openEndpoints, guarded: guardedEndpoints } = every;

export const ownPaths = ownPathsOf(every);
export const ownRules = ownPaths.rules;

export const operations = operationsOf(every);
