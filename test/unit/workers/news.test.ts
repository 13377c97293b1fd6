import { expect, test } from 'vitest';
import { createNews } from '../../../src/workers/news.ts';

test('what was read earlier than something that is known changes nothing, nor does the same again', () => {
  const isNews = createNews();
  expect([0n, 5n, 3n, 5n, 6n].map(isNews)).toEqual([true, true, false, false, true]);
});
