import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBeyondAscii, lookAlikeOf, mixesScripts, skeletonOf } from '../../../src/policy/look-alikes.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';

test.each(
  `olaf José Łukasz Zoë Ærø naïve ı O'Neill olaf_2 2026 ß 👋olaf анна Ελένη Հայկ ქეთი שרה محمد अनिता สมชาย ᏣᎳᎩ ⵜⴰⵎⴰⵣⵉⵖⵜ 山田太郎 田中さん
  トムtom ラーメン 林ㄌㄧㄣ 김철수 金철수kim tom田中 anna-анна anna.анна d'Анна 𐌰𐌽𐌽𐌰`.split(/\s+/),
)('%s is of one script', (name) => expect(mixesScripts(name)).toBe(false));

test.each(
  `аdmin pаypal olаf olga-оlga βeta αdmin оlaf2 ольгa Ꭺnna ԁan ㄌㄧㄣさん 김さん さんανα トムтом ан김 שרהa aअ a𐌰`.split(
    ' ',
  ),
)('%s mixes scripts', (name) => expect(mixesScripts(name)).toBe(true));

test('the words of a name may be of two scripts each of its own', () => {
  expect(['анна smith', 'Nguyễn Văn Анна'].map(mixesScripts)).toEqual([false, false]);
  expect(['аnna smith', 'anna smіth'].map(mixesScripts)).toEqual([true, true]);
});

test.each([
  ['coco', 'сосо'],
  ['Coco', 'сосо'],
  ['tom', 'ТОМ'],
  ['admin', 'ɑdmin'],
  ['admin', 'admın'],
  ['olaf', 'оӏаf'],
  ['maria', 'ⅿaria'],
  ['rosa', 'гoѕа'],
  ['ольга', 'oльгa'],
  ['сосо', 'ϲοϲο'],
  ['anna-2', 'anna‐2'],
  ['anna_smith', 'anna＿smith'],
  ['paypal', 'раураӏ'],
  ['José', 'Joѕé'],
])('%s looks like %s', (one, other) => {
  expect(lookAlikeOf(one)(other)).toBe(true);
  expect(lookAlikeOf(other)(one)).toBe(true);
});

test.each([
  ['anna', 'анна'],
  ['jose', 'josé'],
  ['muller', 'Müller'],
  ['admin', 'админ'],
  ['olaf', 'øløf'],
  ['田中', '日中'],
])('%s does not look like %s', (one, other) => expect(lookAlikeOf(one)(other)).toBe(false));

test('only names beyond ASCII are compared', () => {
  expect(['olaf', 'Olaf_2@x', 'olaf smith'].map(isBeyondAscii)).toEqual([false, false, false]);
  expect(['оlaf', 'josé', 'olaf–2', '👋'].map(isBeyondAscii)).toEqual([true, true, true, true]);
});

describe('a skeleton', () => {
  const text = fc.array(anyCodePoint, { maxLength: 8 }).map((points) => points.join(''));

  test('is its own skeleton', () => {
    assertCases(
      fc.property(text, (name) => {
        expect(skeletonOf(skeletonOf(name))).toBe(skeletonOf(name));
      }),
      {
        examples: [['ẛ'], ['Ӏ0m']],
      },
    );
  });

  test('is the same for every way in which a text can be composed', () => {
    assertCases(
      fc.property(text, (name) => {
        expect(skeletonOf(name.normalize('NFD'))).toBe(skeletonOf(name.normalize('NFC')));
      }),
    );
  });

  test('is looked for in each letter case alike, and the same name looks like itself', () => {
    assertCases(
      fc.property(text, (name) => {
        expect(lookAlikeOf(name)(name)).toBe(true);
      }),
    );
  });
});
