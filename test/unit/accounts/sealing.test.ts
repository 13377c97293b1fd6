import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSealing } from '../../../src/accounts/sealing.ts';
import { assertCases } from '../../support/assert-cases.ts';

let now = 1_800_000_000_000;
const clock = { now: () => now };
const sealing = createSealing('s'.repeat(64), clock);
const another = createSealing('t'.repeat(64), clock);

describe('what is kept', () => {
  test('opens any sealed text, which does not show in the result', async () => {
    await assertCases(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        async (text, about) => {
          const sealed = await sealing.seal('codes', text, about);
          expect(await sealing.open('codes', sealed, about)).toBe(text);
          expect(text.length > 8 && sealed.includes(text)).toBe(false);
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each<[what: string, open: (sealed: string) => Promise<string | undefined>]>([
    ['about something else', (sealed) => sealing.open('codes', sealed, 'anna')],
    ['for another purpose', (sealed) => sealing.open('tokens', sealed, 'olaf')],
    ['by another secret', (sealed) => another.open('codes', sealed, 'olaf')],
    ['changed', (sealed) => sealing.open('codes', `${sealed.slice(0, -2)}AA`, 'olaf')],
    ['as nothing', () => sealing.open('codes', '', 'olaf')],
    [
      'as what a client brought',
      async () => sealing.open('codes', await sealing.issue('codes', {}, 60), 'olaf'),
    ],
  ])('%s is not opened', async (_, open) => {
    expect(await open(await sealing.seal('codes', 'JBSWY3DPEHPK3PXP', 'olaf'))).toBeUndefined();
  });
});

describe('what a client brings back', () => {
  test('returns its claims until it expires', async () => {
    const token = await sealing.issue('login', { nonce: 'n' }, 60);
    expect(await sealing.read('login', token)).toMatchObject({ nonce: 'n' });
    now += 61_000;
    expect(await sealing.read('login', token)).toBeUndefined();
  });

  test.each<[what: string, read: (token: string) => Promise<unknown>]>([
    ['for another purpose', (token) => sealing.read('step-up', token)],
    ['of another secret', (token) => another.read('login', token)],
    ['too long', (token) => sealing.read('login', token + 'A'.repeat(9_000))],
    ['sealed to be kept', async () => sealing.read('login', await sealing.seal('login', '{"exp":9e9}', ''))],
    ['a signed token', () => sealing.read('login', 'eyJhbGciOiJub25lIn0.e30.')],
  ])('%s is none', async (_, read) => {
    expect(await read(await sealing.issue('login', {}, 60))).toBeUndefined();
  });
});
