import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configurationReader } from '../../../src/config/load.ts';
import { reasons } from '../../../src/policy/reasons.ts';
import { blocksOf } from '../../support/markdown.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const guides = globSync('docs/sign-on/*.md', { cwd: projectRoot }).toSorted();
const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

/** The `config.yml` of a guide, below *In config.yml*. */
function configOf(page: string): string {
  const here = textOf(page).split('\n## In config.yml\n')[1]?.split('\n## ')[0] ?? '';
  return blocksOf(here).map(({ code }) => code)[0] ?? '';
}

describe.each(guides.map((page) => [basename(page, '.md'), page]))('the guide of %s', (_, page) => {
  const read = configurationReader(
    { SERVICE_OIDC_SECRET: 'the secret', SERVICE_TRUSTED_HEADERS_FILE: 'proxy_trusted_headers.conf' },
    projectRoot,
    'config.yml',
  );

  test('has a configuration with which the gate starts, and no warning', () => {
    const { auth, warnings } = read(configOf(page));
    expect(auth.oidc?.clientSecret).toBe('the secret');
    expect(warnings).toEqual([]);
  });

  test('names the redirect URI to register, as its configuration makes it', () => {
    const { publicUrl, basePath } = read(configOf(page));
    expect(textOf(page).split('\n## In config.yml\n')[0]).toContain(
      `${publicUrl}${basePath}/postern/oidc/callback`,
    );
  });

  test('names what of it was tested', () => {
    const [, tested = ''] = /\n## Tested\n([^]*?)(?:\n## |$)/.exec(textOf(page)) ?? [];
    expect(tested.trim().length).toBeGreaterThan(50);
  });
});

test('every guide has its row in the table of providers', () => {
  const linked = [...textOf('docs/sign-on.md').matchAll(/\]\((sign-on\/[\w-]+\.md)\)/g)].map(
    ([, path]) => `docs/${path}`,
  );
  expect([...new Set(linked)].toSorted()).toEqual(guides);
});

test('every reason of a login at a provider has its row, and every row a reason', () => {
  const rows = [...textOf('docs/sign-on.md').matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, code]) => code ?? '');
  expect(rows.filter((code) => !reasons.some((reason) => reason === code))).toEqual([]);
  expect(rows).toEqual(expect.arrayContaining(reasons.filter((code) => code.startsWith('oidc_'))));
});
