import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayAndTime, fill, fillCounted, lastMoment } from '../../../src/language/fill.ts';
import { assertCases } from '../../support/assert-cases.ts';

test('values are written where their names are, each as often as it is named', () => {
  expect(fill('{who} is {who}, not {other}', { who: 'a', other: 2 })).toBe('a is a, not 2');
});

test.each(['{other}', '{who}', '$&', '$1', "$'", '{{who}}', '\\', ''])(
  'the value %j is written as it is',
  (who) => {
    expect(fill('({who}) {other}', { who, other: '!' })).toBe(`(${who}) !`);
  },
);

test('whatever the values are, the text around them stays', () => {
  assertCases(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(fill('<{a}|{b}>', { a, b })).toBe(`<${a}|${b}>`);
    }),
  );
});

test('a place whose value is missing stays to be seen', () => {
  expect(fill('{a} {b}', { a: 1 })).toBe('1 {b}');
});

test.each<[count: number, text: string]>([
  [0, '0 cameras of anna'],
  [1, 'One camera of anna'],
  [2, '2 cameras of anna'],
  [1_000, '1000 cameras of anna'],
])('a text for %i', (count, expected) => {
  const forms = { one: 'One camera of {user}', other: '{n} cameras of {user}' };
  expect(fillCounted(forms, count, 'en', { user: 'anna' })).toBe(expected);
});

test('the number may be written in another way, and a form that is missing is the usual one', () => {
  expect(fillCounted({ other: '{n} times' }, 1, 'de', { n: '1,0' })).toBe('1,0 times');
});

test.each([
  ['2026-11-29T18:00+01:00', false, 'Sunday 29 November, 18:00'],
  ['2026-11-29T18:00+01:00', true, 'Sunday 29 November, 18:00'],
  // The day counts to its last minute.
  ['2026-11-30T00:00+01:00', true, 'Sunday 29 November'],
  ['2026-11-30T00:00+01:00', false, 'Monday 30 November, 00:00'],
  ['2027-01-01T00:00+01:00', true, 'Thursday 31 December'],
  ['2027-01-02T00:00+01:00', true, 'Friday, 1 January 2027'],
])('%s, as an end: %s, is %s', (at, isEnd, text) => {
  const now = Date.parse('2026-11-28T12:00Z');
  const write = isEnd ? lastMoment : dayAndTime;
  expect(write(Date.parse(at), now, 'Europe/Berlin', 'en')).toBe(text);
});
