import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { certificateAdvice, factsOf } from '../../../../src/api/doctor/front/certificate-advice.ts';
import type { exchange as Exchange } from '../../../../src/api/doctor/front/exchange.ts';

interface Pair {
  readonly cert: string;
  readonly key: string;
}

const day = 86_400_000;

async function make(
  name: string,
  by: Pair | undefined,
  more: { from?: number; days?: number; host?: string } = {},
) {
  const { from = -1, days = 30, host = 'localhost' } = more;
  const isAuthority = name.includes('Authority');
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + from * day),
    notAfterDate: new Date(Date.now() + (from + days) * day),
    ...(by !== undefined && { ca: by }),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      ...(isAuthority
        ? []
        : [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: host }] }]),
    ],
  });
  return { cert, key };
}

const usual = getCACertificates('default');
let exchange: typeof Exchange;
let root: Pair;
let between: Pair;
let unknown: Pair;
beforeAll(async () => {
  root = await make('Root Authority', undefined);
  between = await make('Middle Authority', root);
  unknown = await make('Own Authority', undefined);
  setDefaultCACertificates([...usual, root.cert]);
  // It reads the authorities once, perhaps in another test of this process.
  vi.resetModules();
  ({ exchange } = await import('../../../../src/api/doctor/front/exchange.ts'));
});
afterAll(() => {
  setDefaultCACertificates(usual);
  vi.resetModules();
});

/** What is said about a server that sends these certificates. */
async function saidAbout(pair: Pair, chain: readonly string[] = []): Promise<string | undefined> {
  const server = createServer({ key: pair.key, cert: [pair.cert, ...chain].join('\n') }, (_, response) =>
    response.end('x'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await exchange({ host: 'localhost', port, tls: true }, { target: '/' }, 10_000);
  server.close();
  expect(answer.status).toBe(200);
  const { certificateProblem: problem, certificate } = answer;
  return problem && certificateAdvice(problem, 'localhost', certificate ?? factsOf({}));
}

describe('about a certificate', () => {
  test('that is good, nothing is said', async () => {
    expect(await saidAbout(await make('Site', between), [between.cert])).toBeUndefined();
  });

  test.each<[what: string, made: () => Promise<Pair>, chain: () => readonly string[], says: RegExp]>([
    [
      'that ended',
      () => make('Site', root, { from: -20, days: 10 }),
      () => [],
      /^the certificate ended on \w+ /,
    ],
    [
      'of the future',
      () => make('Site', root, { from: 5 }),
      () => [],
      /valid only from .*clock of this machine/,
    ],
    [
      'of another name',
      () => make('Site', root, { host: 'other.example' }),
      () => [],
      /is for other\.example, not for localhost/,
    ],
    ['without its intermediate one', () => make('Site', between), () => [], /Middle Authority.*intermediate/],
    [
      'of an unknown authority',
      () => make('Site', unknown),
      () => [unknown.cert],
      /authority that this machine does not know, Own Authority/,
    ],
  ])('%s', async (_, made, chain, says) => {
    expect(await saidAbout(await made(), chain())).toMatch(says);
  });

  test('of a public authority, sent without the intermediate one', () => {
    const facts = factsOf({
      issuer: { O: "Let's Encrypt" },
      infoAccess: { 'CA Issuers - URI': ['x'] },
    });
    const said = certificateAdvice('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'a', facts);
    expect(said).toContain("without the intermediate one of Let's Encrypt");
    expect(said).not.toContain('of your own');
  });
});
