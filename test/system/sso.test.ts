import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromHeaderValue, identityHeaders } from '../../src/policy/identity-headers.ts';
import { headerAlias } from '../../src/policy/raw-headers.ts';
import { startFronts, type Fronts, type Outcome } from '../support/fronts.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { products, type Header, type Recording } from './sso-recordings.ts';

const secret = 'a secret for this test';
const uri = '/api/driveway/latest.jpg';

interface SignOnConfig {
  readonly proxy: {
    readonly auth_secret?: string;
  };
}

function readConfig(product: string): SignOnConfig & Record<string, unknown> {
  const text = readFileSync(join(projectRoot, 'docs', 'sso', product, 'config.yml'), 'utf8');
  return parse(text) as SignOnConfig & Record<string, unknown>;
}

/** The configuration of the folder; where it listens, and whether by TLS, is the test's. */
async function startProduct(product: string): Promise<Fronts> {
  const config = readConfig(product);
  delete config['networking'];
  delete config['tls'];
  const own = join(projectRoot, 'docs', 'sso', product, 'proxy_trusted_headers.conf');
  return startFronts({
    config,
    environment: { SERVICE_PROXY_SECRET: secret },
    ...(existsSync(own) ? { trustedHeadersFile: own } : {}),
  });
}

function check(outcome: Outcome, expected: Recording['expect']): void {
  if (typeof expected === 'object') {
    expect(outcome.status).toBe(200);
    expect(outcome.reached).toHaveLength(1);
    expect(identityIn(outcome)).toMatchObject({
      'remote-user': [expected.user],
      'remote-role': [expected.role],
    });
  } else {
    expect(outcome.status).toBe(expected);
    expect(outcome.reached).toEqual([]);
  }
}

function identityIn({ reached = [] }: Outcome): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const { rawHeaders = [] } = reached[0] ?? {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = headerAlias(rawHeaders[i] ?? '');
    if (!identityHeaders.some((header) => header === name)) continue;
    (found[name] ??= []).push(fromHeaderValue(rawHeaders[i + 1] ?? '') ?? 'not UTF-8');
  }
  return found;
}

describe.each(products)('%s', (product, recordings) => {
  const { auth_secret: configured } = readConfig(product).proxy;
  const proof: readonly Header[] = configured === undefined ? [] : [['X-Proxy-Secret', secret]];
  const [good] = recordings;
  let fronts: Fronts;
  beforeAll(async () => {
    fronts = await startProduct(product);
  });
  afterAll(() => fronts.close());

  describe.each(['embedded front', 'nginx'] as const)('%s', (front) => {
    const ask = (headers: readonly Header[]) => fronts.send(front, 'authenticated', { uri, headers });

    test.each(recordings)('$name', async ({ headers, expect: expected }) => {
      check(await ask([...proof, ...headers]), expected);
    });

    test.skipIf(configured === undefined).each<[what: string, headers: readonly Header[]]>([
      ['no secret', []],
      ['a wrong secret', [['X-Proxy-Secret', 'wrong']]],
      ['the secret, after another', [['X-Proxy-Secret', 'wrong'], ...proof]],
    ])('%s: 401', async (_, headers) => {
      check(await ask([...headers, ...(good?.headers ?? [])]), 401);
    });
  });
});
