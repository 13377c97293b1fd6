import { expect, test } from 'vitest';
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
