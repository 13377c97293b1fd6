import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joined, newsIn, noNews, withNews } from '../../../../../src/web/pages/explore/event-list.ts';
import { recordedEvent } from '../../../../support/recorded-event.ts';
import { assertCases } from '../../../../support/assert-cases.ts';

const event = (n: number, changes = {}) => recordedEvent({ id: `e${n}`, start_time: n, ...changes });
const ids = (events: ReadonlyArray<{ readonly id: string }> | undefined) => events?.map(({ id }) => id);

describe('news of a list', () => {
  test('are the events it lacks, and changed ones', () => {
    const shown = [event(2, { end_time: null, thumbnail: 'AAAA' }), event(1)];
    const ended = event(2, { end_time: 7, thumbnail: null });
    const { fresh, changed } = newsIn([event(3), ended, event(1, { thumbnail: null })], shown);
    expect(ids(fresh)).toEqual(['e3']);
    expect([...changed]).toEqual([['e2', { ...ended, thumbnail: 'AAAA' }]]);
    const [first] = withNews(shown, { head: [], changed });
    expect(first).toMatchObject({ id: 'e2', end_time: 7, thumbnail: 'AAAA' });
  });

  test('without any, the list is the same object', () => {
    const shown = [event(1)];
    expect(withNews(shown, noNews)).toBe(shown);
  });

  test('a page without an event of the list does not join it: events between may be missing', () => {
    expect(joined([event(9), event(8)], [event(3)])).toBeUndefined();
    expect(joined([event(9), event(8)], [])).toBeUndefined();
    expect(ids(joined([event(9), event(3)], [event(3)]))).toEqual(['e9']);
  });
});

test('shows each event once, newest first, however lists grow', () => {
  const sizes = fc.record({ before: fc.nat(30), added: fc.nat(40), page: fc.integer({ min: 1, max: 24 }) });
  assertCases(
    fc.property(sizes, ({ before, added, page }) => {
      const all = Array.from({ length: before + added }, (_, n) => event(before + added - n));
      const items = all.slice(added);
      const head = joined(all.slice(0, page), items);
      if (head === undefined) {
        expect(before === 0 || added >= page).toBe(true);
        return;
      }
      const shown = ids(withNews(items, { head, changed: new Map() }));
      expect(new Set(shown).size).toBe(shown?.length);
      expect(shown).toEqual(ids(all)?.slice(added - head.length));
    }),
  );
});
