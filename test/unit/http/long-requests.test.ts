import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { refuseLongTarget } from '../../../src/http/long-requests.ts';

test.each<[what: string, url: string | undefined, status: number | undefined]>([
  ['no target', undefined, undefined],
  ['a short one', '/', undefined],
  ['1,000 ids', `/api/event_ids?ids=${'1793000276.376447-de8gxd,'.repeat(1_000)}`, undefined],
  ['32 KiB', '/'.repeat(32_768), undefined],
  ['more than 32 KiB', '/'.repeat(32_769), 414],
])('a request with %s as its target', (_, url, status) => {
  expect(refuseLongTarget({ url } as IncomingMessage)?.status).toBe(status);
});
