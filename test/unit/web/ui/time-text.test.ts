import { expect, test } from 'vitest';
import { agoText } from '../../../../src/web/ui/time-text.ts';

test.each([
  [-600, 'just now'],
  [0, 'just now'],
  [59.9, 'just now'],
  [60, '1 minute ago'],
  [179, '2 minutes ago'],
  [3_600, '1 hour ago'],
  [7_300, '2 hours ago'],
  [86_400, 'yesterday'],
  [86_400 * 40, '40 days ago'],
])('%d seconds: %s', (seconds, text) => {
  expect(agoText(seconds)).toBe(text);
});
