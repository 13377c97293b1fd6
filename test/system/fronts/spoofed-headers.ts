import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTrustedHeaders } from '../../../src/config/trusted-headers-file.ts';
import { identityHeaders } from '../../../src/policy/identity-headers.ts';
import { headersSetIn } from '../../support/nginx-headers.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const trustedHeadersFile = join(projectRoot, 'proxy_trusted_headers.conf');

/** Headers that an upstream proxy may send: lower-case names. */
export const trustedHeaders: readonly string[] = [
  ...parseTrustedHeaders(readFileSync(trustedHeadersFile, 'utf8'), trustedHeadersFile),
];

/** Headers that only a front may set, and sets again for the recorder: lower-case names. */
export const setByFronts = ['host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

// Of one connection, or of its upgrade.
const ofTheHop = new Set(['connection', 'upgrade', 'trailer', 'http2-settings']);

// Of which the gate's part alone is taken out: test/attack/credentials.test.ts.
const credentials = new Set(['cookie', 'authorization']);

/** What nginx/postern/recorder.conf sets or empties, but for those two and what belongs to the connection: lower-case names. */
export const recorderHeaders: readonly string[] = headersSetIn('recorder.conf').filter(
  (name) => !ofTheHop.has(name) && !credentials.has(name),
);

/** Every header in which a client could send an identity, or what only a front may send. */
export const spoofedHeaders: readonly string[] = [
  ...new Set([
    ...identityHeaders,
    ...trustedHeaders,
    ...recorderHeaders.filter((name) => !setByFronts.includes(name)),
    'x-front-secret',
    'REMOTE-USER',
    'Remote_User',
    'remote.user',
    'Remote_Role',
    'X_Forwarded_User',
    'Remote~User',
  ]),
];
