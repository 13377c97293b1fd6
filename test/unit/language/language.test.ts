import { expect, test } from 'vitest';
import { errorCodes } from '../../../src/errors.ts';
import { access as accessDe } from '../../../src/language/de/access.ts';
import { audit as auditDe } from '../../../src/language/de/audit.ts';
import { firstRun as firstRunDe } from '../../../src/language/de/first-run.ts';
import { de } from '../../../src/language/de/index.ts';
import { notifications as notificationsDe } from '../../../src/language/de/notifications.ts';
import { roleView as roleViewDe } from '../../../src/language/de/role-view.ts';
import { viewAs as viewAsDe } from '../../../src/language/de/view-as.ts';
import { watched as watchedDe } from '../../../src/language/de/watched.ts';
import { why as whyDe } from '../../../src/language/de/why.ts';
import { access } from '../../../src/language/en/access.ts';
import { audit } from '../../../src/language/en/audit.ts';
import { firstRun } from '../../../src/language/en/first-run.ts';
import { en } from '../../../src/language/en/index.ts';
import { notifications } from '../../../src/language/en/notifications.ts';
import { roleView } from '../../../src/language/en/role-view.ts';
import { viewAs } from '../../../src/language/en/view-as.ts';
import { watched } from '../../../src/language/en/watched.ts';
import { why } from '../../../src/language/en/why.ts';
import { languageOf } from '../../../src/language/language.ts';

test.each<[accepted: string | undefined, chosen: string | undefined, language: string]>([
  [undefined, undefined, 'en'],
  ['', undefined, 'en'],
  ['de', undefined, 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', undefined, 'de'],
  ['en-GB,de;q=0.9', undefined, 'en'],
  ['fr-FR,fr;q=0.9,de;q=0.5,en;q=0.4', undefined, 'de'],
  ['en;q=0.5,de;q=0.6', undefined, 'de'],
  ['de;q=0,en;q=0.1', undefined, 'en'],
  ['de;q=nonsense', undefined, 'en'],
  ['fr', undefined, 'en'],
  ['*', undefined, 'en'],
  ['en', 'de', 'de'],
  ['de', 'fr', 'de'],
])('Accept-Language %j and the choice of %j: %s', (accepted, chosen, language) => {
  expect(languageOf(accepted, chosen)).toBe(language);
});

test('nobody asks for more languages than people read: what comes behind them costs nothing', () => {
  expect(languageOf(`${'fr,'.repeat(15)}de`)).toBe('de');
  expect(languageOf(`${'fr,'.repeat(30_000)}de`)).toBe('en');
});

/** Every key, as far down as it goes. */
function keysOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) => keysOf(item, `${path}/${key}`));
}

test('no text is in one language alone', () => {
  expect(keysOf(de)).toEqual(keysOf(en));
  expect(keysOf(firstRunDe)).toEqual(keysOf(firstRun));
  expect(keysOf(auditDe)).toEqual(keysOf(audit));
  expect(keysOf(roleViewDe)).toEqual(keysOf(roleView));
  expect(keysOf(viewAsDe)).toEqual(keysOf(viewAs));
  expect(keysOf(whyDe)).toEqual(keysOf(why));
  expect(keysOf(accessDe)).toEqual(keysOf(access));
  expect(keysOf(notificationsDe)).toEqual(keysOf(notifications));
  expect(keysOf(watchedDe)).toEqual(keysOf(watched));
});

test('every error that an answer may carry has its words', () => {
  expect(Object.keys(en.errors)).toEqual(errorCodes);
});
