import { expect, test } from 'vitest';
import { askingFor } from '../../../../../src/web/pages/ask/asked.ts';

const now = 1_800_000_000;
const day = 86_400;
const asked = (camera: string, ago: number) => ({
  camera,
  asked_at: now - ago,
  again_at: now - ago + day,
});

test('a camera can be asked for until it was, whatever else was asked for', () => {
  expect(askingFor('garage', ['porch'], [], now)).toEqual({ kind: 'free' });
  expect(askingFor('garage', ['porch'], [asked('attic', 60)], now)).toEqual({ kind: 'free' });
});

test('once asked for, it is not offered again for a day', () => {
  const own = [asked('attic', 5), asked('garage', 60)];
  expect(askingFor('garage', [], own, now)).toEqual({ kind: 'asked', at: now - 60, mayAgain: false });
  expect(askingFor('attic', [], own, now)).toEqual({ kind: 'asked', at: now - 5, mayAgain: false });
  expect(askingFor('garage', [], [asked('garage', day)], now)).toEqual({
    kind: 'asked',
    at: now - day,
    mayAgain: true,
  });
});

test('a camera that was given is not asked for', () => {
  expect(askingFor('garage', ['garage'], [asked('garage', 60)], now)).toEqual({ kind: 'yours' });
});
