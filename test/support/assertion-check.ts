import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { projectRoot } from './start-gateway.ts';

/** The check that docs/assertion.md has for services. */
interface Guide {
  readonly assertionCheck: (
    gate: Readonly<Record<'keys' | 'issuer' | 'audience', string>> & {
      readonly covers?: 'request' | 'prefix';
    },
  ) => (
    request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  ) => Promise<{ readonly user: string; readonly role: string }>;
}

export const { assertionCheck } = (await import(
  join(projectRoot, 'docs', 'assertion', 'check-assertion.js')
)) as Guide;
