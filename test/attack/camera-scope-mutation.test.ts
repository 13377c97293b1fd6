import { ownRules } from '../support/every-endpoint.ts';
import type { Identity } from '../../src/policy/identity.ts';
import { describe, expect, test } from 'vitest';
import { resolveConfiguration } from '../../src/config/resolve.ts';
import { recorderDatabase } from '../../src/events/recorder-database.ts';
import { settingsOf } from '../../src/access/settings/settings.ts';
import { evaluate } from '../../src/policy/evaluate/evaluate.ts';
import { prepareRules } from '../../src/policy/rule-tree.ts';
import type { AccessRule as TableRow } from '../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../src/policy/recorder/access-rules.ts';
import { filtered } from '../unit/policy/known-cameras.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { cameraScopeRows } from './camera-scope-rows.ts';
import { attackConfig, type Row } from './row.ts';

const configuration = resolveConfiguration(
  { ...attackConfig, proxy: undefined },
  {
    environment: {},
    trustedHeaders: new Set(),
    trustedHeadersFile: '',
  },
);
const settings = settingsOf(
  configuration,
  ownRules,
  recorderDatabase(`${projectRoot}/test/support/recorder.db`),
  filtered,
);
const { cameras = [], streams } = configuration;
const known = { names: new Set(cameras), complete: true, streams };
const table = [...ownRules, ...lockedRules, ...recorderRules];

const vera = { user: 'vera', role: 'viewer' };
const identity: Identity = {
  ...vera,
  source: 'api-token',
  groups: '',
  email: '',
  name: '',
  token: { id: 't', cameras: new Set(['front_door']) },
};
const rows = cameraScopeRows(() => [], vera);

/** Rows that come out otherwise than they should by another table. */
function surprises(changed: readonly TableRow[]): readonly Row[] {
  const rules = { ...settings.rules, resolveResource: prepareRules(changed)(known) };
  const isSurprise = ({ request: made, expect: expected, but }: Row, front?: 'embedded') => {
    const { method = 'GET', uri, headers = [], body } = typeof made === 'function' ? made() : made;
    const wanted = (front && but?.['embedded front']) ?? expected;
    const request = {
      entryPoint: 'authenticated',
      front,
      method,
      uri,
      headers: headers.flat(),
      ...(front !== undefined && body !== undefined && { body: Buffer.from(body) }),
      host: undefined,
      secure: true,
    } as const;
    return (evaluate(request, { identity }, rules).outcome === 'allow') !== (wanted !== 'refused');
  };
  return rows.filter((row) => isSurprise(row) || isSurprise(row, 'embedded'));
}

test('the table as it is has no surprise for a camera-scoped token', () => {
  expect(surprises(table).map(({ name }) => name)).toEqual([]);
});

const placed = table.map((row, place) => ({ row, place, path: row.path }));
const without = (row: TableRow, ...names: ReadonlyArray<keyof TableRow>): TableRow =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !names.includes(name as keyof TableRow)),
  ) as never;

describe('the corpus notices each row opened to camera-scoped tokens', () => {
  // Answered by the gate, with the cameras of the token; or the same for all, and not there yet.
  const alike = new Set(['/postern/api/openapi.json']);
  const open = placed.filter(
    ({ row }) => (row.filter !== undefined && row.isFilterNew !== true) || row.namesNoCamera === true,
  );
  test.each(open.filter(({ path }) => !alike.has(path)))('$path', ({ row, place }) => {
    expect(surprises(table.with(place, without(row, 'filter', 'namesNoCamera'))).length).toBeGreaterThan(0);
  });
});

describe('the corpus notices each change opened to camera-scoped tokens', () => {
  // What the body names is closed to them before anything else of the row is looked at.
  const changing = placed.filter(
    ({ row }) => row.changes === true && row.body === undefined && !row.level.endsWith('-in-body'),
  );
  test.each(changing)('$path', ({ row, place, path }) => {
    // The sample has no reviews: test/unit/policy/evaluate/camera-scope.test.ts has some.
    if (path === '/api/review/:review/viewed') return;
    const changed: TableRow = row.bodyless
      ? without(row, 'bodyless')
      : { ...row, bodyless: true, namesNoCamera: true };
    expect(surprises(table.with(place, changed)).length).toBeGreaterThan(0);
  });
});

describe('a list by the other parameter, or by any at all, is noticed', () => {
  test.each(placed.filter(({ row }) => row.level === 'list'))('$path', ({ row, place }) => {
    for (const filter of ['camera', 'cameras'] as const) {
      if (row.filter === filter && row.isFilterNew !== true) continue;
      const changed = { ...without(row, 'isFilterNew'), filter };
      expect(surprises(table.with(place, changed)).length, filter).toBeGreaterThan(0);
    }
  });
});

describe('a row without a camera that reveals some is noticed', () => {
  // Messages are looked at behind the embedded front: test/attack/messages.test.ts.
  const closed = placed.filter(
    ({ row }) => row.level === 'any' && row.namesNoCamera === undefined && row.messages === undefined,
  );
  test.each(closed)('$path', ({ row, place }) => {
    const opened = { ...row, namesNoCamera: true, bodyless: true } as const;
    expect(surprises(table.with(place, opened)).length).toBeGreaterThan(0);
  });
});

test('every row of a credential is closed to API tokens', () => {
  const closed = table.filter(({ requiresSession }) => requiresSession === true);
  expect(closed.map(({ methods, path }) => `${methods?.join() ?? 'any'} ${path}`).toSorted()).toEqual([
    'DELETE /api/users/*',
    'DELETE /postern/api/displays/*',
    'DELETE /postern/api/displays/code/*',
    'DELETE /postern/api/invitations/*',
    'DELETE /postern/api/one-time-code',
    'DELETE /postern/api/passkeys/*',
    'DELETE /postern/api/push/*',
    'DELETE /postern/api/roles/*',
    'DELETE /postern/api/sessions',
    'DELETE /postern/api/sessions/*',
    'DELETE /postern/api/tokens/*',
    'DELETE /postern/api/users/*/factors',
    'GET,HEAD /postern/api/access',
    'GET,HEAD /postern/api/access-requests/own',
    'GET,HEAD /postern/api/account/email',
    'GET,HEAD /postern/api/displays',
    'GET,HEAD /postern/api/displays/*',
    'GET,HEAD /postern/api/displays/code/*',
    'GET,HEAD /postern/api/invitations',
    'GET,HEAD /postern/api/invitations/*',
    'GET,HEAD /postern/api/people',
    'GET,HEAD /postern/api/people/*',
    'GET,HEAD /postern/api/push',
    'GET,HEAD /postern/api/sessions',
    'GET,HEAD /postern/api/settings/*',
    'GET,HEAD /postern/api/sign-in-methods',
    'GET,HEAD /postern/api/tokens',
    'POST /api/users',
    'POST /postern/api/access-requests',
    'POST /postern/api/displays',
    'POST /postern/api/invitations',
    'POST /postern/api/one-time-code',
    'POST /postern/api/one-time-code/setup',
    'POST /postern/api/passkeys',
    'POST /postern/api/passkeys/options',
    'POST /postern/api/push',
    'POST /postern/api/recorder/address',
    'POST /postern/api/recovery-codes',
    'POST /postern/api/settings/notifications/test',
    'POST /postern/api/step-up',
    'POST /postern/api/step-up/passkey-options',
    'POST /postern/api/tokens',
    'PUT /api/users/*/password',
    'PUT /api/users/*/role',
    'PUT /postern/api/account/email',
    'PUT /postern/api/appearance',
    'PUT /postern/api/displays/*',
    'PUT /postern/api/people/*/access',
    'PUT /postern/api/people/*/role',
    'PUT /postern/api/recorder/address',
    'PUT /postern/api/settings/*',
    'PUT /postern/api/users/*/blocked',
    'any /api/users/**',
    'any /postern/**',
    'any /postern/api/**',
  ]);
});
