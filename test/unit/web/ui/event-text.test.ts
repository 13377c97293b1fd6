import { expect, test } from 'vitest';
import { durationText, isRunning } from '../../../../src/web/ui/event-text.ts';

const now = 1_800_000_000;

test.each<[what: string, begun: number, end: number | null, running: boolean, text: string | undefined]>([
  ['ended', now - 60, now - 18, false, '42 s'],
  ['ended before it began, by another clock', now, now - 5, false, '0 s'],
  ['began a minute ago', now - 60, null, true, 'still running'],
  ['began almost an hour ago', now - 3_599, null, true, 'still running'],
  ['began an hour ago, and has no end', now - 3_600, null, false, undefined],
  ['began 25 days ago, and has no end', now - 25 * 86_400, null, false, undefined],
])('an event that %s', (_, begun, end, running, text) => {
  const event = { start_time: begun, end_time: end };
  expect(isRunning(event, now)).toBe(running);
  expect(durationText(event, now)).toBe(text);
});
