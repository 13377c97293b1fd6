import { plainIdentity } from '../../policy/identity.ts';
import type { Authenticated, Strategy } from './authenticate.ts';

const anonymous: Authenticated = { identity: plainIdentity('anonymous', 'admin', 'internal') };

/** Whoever comes by the internal entry point is anonymous and admin: headers are not looked at. */
export const internalEntryPoint: Strategy = ({ entryPoint }) =>
  entryPoint === 'internal' ? anonymous : undefined;
