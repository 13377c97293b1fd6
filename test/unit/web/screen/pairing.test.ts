import { expect, test } from 'vitest';
import { codesOf, leftText, polledOf, readCodes } from '../../../../src/web/screen/pairing.ts';

const codes = {
  device_code: 'device',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://cameras.example/postern/pair',
  verification_uri_complete: 'https://cameras.example/postern/pair?code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
};

test.each<[status: number, body: Readonly<Record<string, unknown>>, found: unknown]>([
  [200, codes, { userCode: 'BCDF-GHJK', place: 'cameras.example/postern/pair', expiresAt: 601_000 }],
  [429, {}, 'too-many'],
  [404, {}, 'off'],
  [502, {}, 'away'],
  [0, {}, 'away'],
  [200, {}, 'away'],
])('codes in an answer of %i', (status, body, found) => {
  const read = codesOf({ status, body }, 1_000);
  if (typeof found === 'string') expect(read).toBe(found);
  else expect(read).toMatchObject(found as object);
});

test.each<[status: number, error: string | undefined, next: object]>([
  [200, undefined, { kind: 'paired', name: 'Hall' }],
  [400, 'authorization_pending', { kind: 'wait', interval: 5 }],
  [400, 'slow_down', { kind: 'wait', interval: 10 }],
  [400, 'access_denied', { kind: 'refused' }],
  [400, 'expired_token', { kind: 'expired' }],
  [502, undefined, { kind: 'wait', interval: 5 }],
  [0, undefined, { kind: 'wait', interval: 5 }],
])('after %i %s', (status, error, next) =>
  expect(polledOf({ status, body: { name: 'Hall', error } }, 5)).toEqual(next),
);

test.each([
  [581_000, '9:41'],
  [60_000, '1:00'],
  [999, '0:01'],
  [-5, '0:00'],
])('%i ms are %s', (left, words) => expect(leftText(left)).toBe(words));

const keptAt = 1_000_000;
const keptCodes = {
  deviceCode: 'device',
  userCode: 'BCDF-GHJK',
  link: 'https://cameras.example/postern/pair?code=BCDF-GHJK',
  place: 'cameras.example/postern/pair',
  expiresAt: keptAt + 600_000,
  interval: 5,
};

test.each<[what: string, kept: unknown, isValid: boolean]>([
  ['what was kept', keptCodes, true],
  ['codes in their last moment', { ...keptCodes, expiresAt: keptAt + 1 }, true],
  ['codes that expired', { ...keptCodes, expiresAt: keptAt }, false],
  ['codes of a clock that was ahead', { ...keptCodes, expiresAt: keptAt + 600_001 }, false],
  ['something without a code', { ...keptCodes, userCode: undefined }, false],
  ['something without a time', { ...keptCodes, expiresAt: '9' }, false],
  ['nothing', null, false],
  ['a text', 'BCDF-GHJK', false],
])('%s', (_, kept, isValid) => expect(readCodes(kept, keptAt)).toEqual(isValid ? kept : undefined));
