import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLoopback } from '../../../src/config/listen.ts';
import { loadConfiguration } from '../../../src/config/load.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const root = join(projectRoot, 'docs', 'sso');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const products = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function load(product: string) {
  const own = join(root, product, 'proxy_trusted_headers.conf');
  return loadConfiguration(
    {
      SERVICE_CONFIG_DIR: join(root, product),
      SERVICE_TRUSTED_HEADERS_FILE: existsSync(own) ? own : join(projectRoot, 'proxy_trusted_headers.conf'),
      SERVICE_PROXY_SECRET: 'a secret for this test',
    },
    projectRoot,
  ).configuration;
}

test('there is a folder for each product', () => {
  expect(products).toEqual([
    'authelia',
    'authentik',
    'cloudflare-access',
    'home-assistant-ingress',
    'keycloak',
    'oauth2-proxy',
    'tailscale-serve',
  ]);
});

describe.each(products)('%s', (product) => {
  test('config.yml loads without a problem or a warning, and lets only proxies in', () => {
    const { auth, proxy, listen, warnings } = load(product);
    expect(warnings).toEqual([]);
    expect(auth.enabled).toBe(false);
    expect(proxy.userHeader).toBeDefined();
    expect(listen.authenticated && isLoopback(listen.authenticated)).toBe(true);
    expect(proxy.authSecret).toBe(product === 'tailscale-serve' ? undefined : 'a secret for this test');
  });

  test('the index lists the headers and the separator of config.yml', () => {
    const { userHeader = '', roleHeader = '', separator, userMap } = load(product).proxy;
    const row = read('README.md')
      .split('\n')
      .find((line) => line.includes(`](${product}/README.md)`));
    const [, , user, groups, separatorCell] = (row ?? '').split(/(?<!\\)\|/).map((cell) => cell.trim());
    expect(user?.toLowerCase()).toBe(`\`${userHeader}\``);
    if (roleHeader === userHeader || userMap !== undefined) {
      const whole = userMap === undefined ? '\t' : ',';
      expect([groups, separatorCell, separator]).toEqual([
        expect.stringMatching(/^none/) as string,
        'none',
        whole,
      ]);
    } else {
      expect(groups?.toLowerCase()).toBe(`\`${roleHeader}\``);
      expect(separatorCell?.replaceAll(/[`\\]/g, '')).toBe(separator);
    }
  });

  test('the guide links every file of its folder, and repeats none', () => {
    const guide = read(product, 'README.md');
    const files = readdirSync(join(root, product)).filter((name) => name !== 'README.md');
    expect(files).toContain('config.yml');
    for (const file of files) {
      expect(guide).toContain(`[${file}](${file})`);
      const body = read(product, file).trim().split('\n').slice(1, 6).join('\n');
      expect(guide).not.toContain(body);
    }
  });

  test('every link of the guide leads somewhere', () => {
    const targets = [...read(product, 'README.md').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
      ([, target]) => target ?? '',
    );
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((target) => !existsSync(join(root, product, target)))).toEqual([]);
  });
});
