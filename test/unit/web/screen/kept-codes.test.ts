import { expect, test } from 'vitest';
import { readCodes } from '../../../../src/web/screen/kept-codes.ts';

const now = 1_000_000;
const codes = {
  deviceCode: 'device',
  userCode: 'BCDF-GHJK',
  link: 'https://cameras.example/postern/pair?code=BCDF-GHJK',
  place: 'cameras.example/postern/pair',
  expiresAt: now + 600_000,
  interval: 5,
};

test.each<[what: string, kept: unknown, isValid: boolean]>([
  ['what was kept', codes, true],
  ['codes in their last moment', { ...codes, expiresAt: now + 1 }, true],
  ['codes that expired', { ...codes, expiresAt: now }, false],
  ['codes of a clock that was ahead', { ...codes, expiresAt: now + 600_001 }, false],
  ['something without a code', { ...codes, userCode: undefined }, false],
  ['something without a time', { ...codes, expiresAt: '9' }, false],
  ['nothing', null, false],
  ['a text', 'BCDF-GHJK', false],
])('%s', (_, kept, isValid) => expect(readCodes(kept, now)).toEqual(isValid ? kept : undefined));
