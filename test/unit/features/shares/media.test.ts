import { expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { sharedMediaHeaders, sharedMediaRefusal } from '../../../../src/features/shares/media.ts';
import { errorResponse } from '../../../../src/http/fronts/refusal.ts';
import type { Reason } from '../../../../src/policy/reasons.ts';

type Headers = ReadonlyArray<readonly [name: string, value: string]>;

const form: Headers = [
  ['Host', 'recorder'],
  ['Range', 'bytes=0-'],
  ['ACCEPT', '*/*'],
  ['accept', 'video/mp4'],
  ['If-None-Match', '"e"'],
];
const visitor: Headers = [
  ['Cookie', 'range'],
  ['Authorization', 'range'],
  ['X-Forwarded-For', '192.0.2.7'],
  ['Remote-User', 'accept'],
  ['Referer', 'host'],
];
const description: Headers = [
  ['Content-Type', 'video/mp4'],
  ['ETag', '"e"'],
  ['Content-Length', '7'],
  ['Accept-Ranges', 'bytes'],
];
const recorder: Headers = [
  ['Set-Cookie', 'content-type'],
  ['Location', 'date'],
  ['Server', 'etag'],
  ['X-Cache-Status', 'HIT'],
];
/** Each header of one list after one of the other. */
const mixed = (one: Headers, other: Headers) => one.flatMap((header, i) => [other[i] ?? [], header].flat());

test('only headers about the form of the answer reach the recorder', () => {
  expect(sharedMediaHeaders.sent(mixed(form, visitor), {} as never)).toEqual(form.flat());
});

test('only headers that describe the answer reach a visitor', () => {
  expect(sharedMediaHeaders.answered(mixed(description, recorder))).toEqual(description.flat());
});

test('answers are not stored, indexed or run', () => {
  const added: Headers = [
    ['cache-control', 'private, no-store'],
    ['referrer-policy', 'no-referrer'],
    ['x-robots-tag', 'noindex, nofollow'],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; sandbox"],
  ];
  expect(sharedMediaHeaders.added).toEqual(added.flat());
});

test.each<[reason: Reason, status: number, code: string, error?: Error]>([
  ['share_unopened', 401, 'unauthenticated'],
  ['share_scope', 403, 'forbidden'],
  ['method_refused', 403, 'forbidden'],
  ['uri_dot_segment', 403, 'forbidden'],
  ['share_over', 404, 'share_over'],
  ['share_maker', 404, 'share_over'],
  ['stopped', 404, 'share_over'],
  ['camera_not_granted', 404, 'share_over'],
  ['failure', 503, 'store_unavailable', new AppError('store_unavailable')],
])('to a visitor, %s is %i %s', (reason, status, code, error) => {
  const refused = { outcome: 'forbidden', reason, identity: undefined } as const;
  const answer = sharedMediaRefusal(refused, 'd1', error, errorResponse);
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { code }]);
  expect(answer.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'x-postern-decision': 'd1',
  });
});
