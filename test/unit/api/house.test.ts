import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { houseOf } from '../../../src/access/settings/house.ts';
import { uiPage } from '../../../src/api/ui/ui-routes.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { settings } from './api-dependencies.ts';

const index =
  '<html lang="en" data-page="inner"><head><title>Postern</title></head><body data-house="Postern" data-picture="no"><strong>Postern</strong></body></html>';

function pageWith(ui: Parameters<typeof houseOf>[0], path = '/login') {
  const answer = uiPage(
    {
      ui: {
        pages: { en: index, de: index },
        styleSources: '',
        scripts: { pages: {}, languages: { en: [], de: [] } },
        screens: { en: index, de: index },
        assets: new Map(),
      },
      settings: { ...settings, house: houseOf(ui) },
      housePicture: undefined,
      hasRecorder: true,
      shareRules: { enabled: true, longest: 0 },
      servesSample: false,
      signOn: undefined,
    },
    { path, incoming: { headers: {} } as IncomingMessage },
  );
  if (answer === undefined) throw new Error('no page');
  return answer;
}

/** Without what every page preloads. */
const textOf = async (answer: Response) => (await answer.text()).replaceAll(/<link rel="preload"[^>]*>/g, '');

const plain = { name: undefined, logo: undefined, accent: undefined };

describe('the face of the house', () => {
  test('is not there without a configuration', async () => {
    const answer = pageWith(plain);
    expect(answer.headers.get('content-security-policy')).toContain("style-src 'self';");
    expect(await textOf(answer)).toBe(index.replace('"inner"', '"login"'));
  });

  test('has the name, the picture and a style that its policy allows by its hash', async () => {
    const answer = pageWith({ name: 'Willow Lane', logo: 'house.png', accent: '#0b5cad' });
    const text = await textOf(answer);
    expect(text).toContain('<title>Willow Lane</title>');
    expect(text).toContain('data-house="Willow Lane" data-picture="yes"');
    const style = /<style>(.*)<\/style><\/head>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(answer.headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`);
  });

  test.each(['</title><script>', '"><img src=x onerror=alert(1)>', "$& $' $`", '<!--', '&quot;'])(
    'has the name %j as plain text',
    async (name) => {
      const text = await textOf(pageWith({ ...plain, name }));
      const escaped = name.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
      expect(text).toBe(index.replace('"inner"', '"login"').replaceAll('Postern', () => escaped));
    },
  );

  test('keeps the elements of a page whatever the name', async () => {
    const names = fc.string({ unit: anyCodePoint, maxLength: 40 });
    await assertCases(
      fc.asyncProperty(names, async (name) => {
        const text = await textOf(pageWith({ ...plain, name }));
        expect(text.match(/<[^>]*>/g)).toHaveLength(index.match(/<[^>]*>/g)?.length ?? 0);
      }),
    );
  });
});
