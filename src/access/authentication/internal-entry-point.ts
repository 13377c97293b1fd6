import { plainIdentity } from '../../policy/identity.ts';
import type { Authenticated, Strategy } from './authenticate.ts';

const anonymous: Authenticated = { identity: plainIdentity('anonymous', 'admin', 'internal') };

/** Clients of the internal entry point are anonymous and admin, whatever headers they send. */
export const internalEntryPoint: Strategy = ({ entryPoint }) =>
  entryPoint === 'internal' ? anonymous : undefined;
