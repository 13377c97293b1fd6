import { afterAll, describe, expect, test, vi } from 'vitest';
import { whenText } from '../../../../../src/web/ui/people/access-text.ts';
import { browserZone, instantOf } from '../../../../../src/web/ui/time-text.ts';

// The module reads the page at its import.
vi.hoisted(() => {
  vi.stubGlobal('document', { body: { dataset: {} }, documentElement: { dataset: {}, lang: 'en' } });
});
afterAll(() => vi.unstubAllGlobals());

// Times have a narrow space.
const plain = (said: string) => said.replaceAll('\u202f', ' ');
const now = instantOf('2026-11-28T21:12', browserZone());

describe('when an access applies', () => {
  test.each([
    [null, 'always'],
    [{}, 'always'],
    [{ until: '2026-11-29T22:00' }, 'until tomorrow, 10:00 PM'],
    [{ until: '2026-11-28T22:00' }, 'until today, 10:00 PM'],
    [{ until: '2026-11-29' }, 'until tomorrow'],
    [{ until: '2026-11-30T22:00' }, 'until November 30 at 10:00 PM'],
    [{ until: '2026-11-28T21:13' }, 'until today, 9:13 PM'],
    [{ until: '2026-11-28T21:12' }, 'ended today, 9:12 PM'],
    [{ until: '2026-11-28' }, 'until today'],
    [{ from: '2026-11-20', until: '2026-11-27', hours: '08:00-17:00' }, 'ended yesterday'],
    [{ until: '2026-11-20T22:00' }, 'ended November 20 at 10:00 PM'],
    // It has begun, so its begin says nothing.
    [{ from: '2026-11-27T18:00', until: '2026-11-29T22:00' }, 'until tomorrow, 10:00 PM'],
    [
      { from: '2026-11-29T18:00', until: '2026-11-29T22:00' },
      'from November 29 at 6:00 PM, until November 29 at 10:00 PM',
    ],
    [{ hours: '08:00-17:00', until: '2026-11-29' }, 'until November 29, 8:00 AM to 5:00 PM'],
  ])('%j is "%s"', (schedule, said) => {
    expect(plain(whenText(schedule, browserZone(), now))).toBe(said);
  });

  test('names the zone where the reader has another', () => {
    const zone = browserZone() === 'Asia/Tokyo' ? 'America/New_York' : 'Asia/Tokyo';
    const at = instantOf('2026-11-28T21:12', zone);
    expect(plain(whenText({ until: '2026-11-29T22:00' }, zone, at))).toBe(
      `until tomorrow, 10:00 PM (${zone})`,
    );
  });
});
