import { ownRules } from '../support/every-endpoint.ts';
import { describe, expect, test } from 'vitest';
import { identityByHeaders } from '../../src/access/authentication/proxy-headers.ts';
import { refuseProxySecret } from '../../src/access/authentication/proxy-secret.ts';
import { plainIdentity } from '../../src/policy/identity.ts';
import { evaluate } from '../../src/policy/evaluate/evaluate.ts';
import type { AccessRule as TableRow } from '../../src/policy/access-rule.ts';
import { lockedRules, recorderRules as tableRows } from '../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../src/policy/rule-tree.ts';
import { resolveConfiguration } from '../../src/config/resolve.ts';
import { settingsOf } from '../../src/access/settings/settings.ts';
import { recorderDatabase } from '../../src/events/recorder-database.ts';
import { filtered } from '../unit/policy/known-cameras.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { recorderRows } from './recorder-rows.ts';
import { attackConfig, type Row } from './row.ts';
import { targetRows } from './target-rows.ts';

const anonymous = { identity: plainIdentity('anonymous', 'admin', 'internal') };
const database = recorderDatabase(`${projectRoot}/test/support/recorder.db`);
const configuration = resolveConfiguration(attackConfig, {
  environment: {},
  trustedHeaders: new Set(['x-proxy-secret', 'remote-user', 'remote-groups']),
  trustedHeadersFile: '',
});
const settings = settingsOf(configuration, ownRules, database, filtered);
const { cameras = [], streams } = configuration;
const known = { names: new Set(cameras), complete: true, streams };
const corpus = [...targetRows, ...recorderRows];

/** The gate leads to the page before it decides anything. */
const led = 'GET /login/ without an identity';

/** Rows of the corpus that come out otherwise than they should, by a front that asks or by the embedded one. */
function surprises(table: readonly TableRow[]): readonly Row[] {
  return [...surprisesBy(table), ...surprisesBy(table, 'embedded')];
}

function surprisesBy(table: readonly TableRow[], front?: 'embedded'): readonly Row[] {
  const name = front === undefined ? 'auth-request' : 'embedded front';
  const rules = { ...settings.rules, resolveResource: prepareRules(table)(known) };
  return corpus.filter(
    ({ name: what, entryPoint = 'authenticated', request: sent, expect: expected, but }) => {
      if (what === led) return false;
      const { method = 'GET', uri, headers = [], body = '' } = typeof sent === 'function' ? sent() : sent;
      const request = {
        entryPoint,
        front,
        method,
        uri,
        headers: headers.flat(),
        body: front === undefined ? undefined : Buffer.from(body),
        host: 'gate.local',
        secure: true,
      };
      const refused = refuseProxySecret(request.headers, configuration.proxy.authSecret ?? '');
      const byHeaders =
        refused === undefined ? identityByHeaders(request.headers, settings.proxyIdentity) : { refused };
      const authentication = entryPoint === 'internal' ? anonymous : byHeaders;
      const isAllowed = evaluate(request, authentication, rules).outcome === 'allow';
      const wanted = but?.[name] ?? expected;
      return isAllowed !== (wanted !== 'refused');
    },
  );
}

const table = [...ownRules, ...lockedRules, ...tableRows];

test('the table as it is has no surprise', () => {
  expect(surprises(table).map(({ name }) => name)).toEqual([]);
});

/** Rows whose loss or loosening nothing in the corpus would notice, with the reason. */
const unnoticed = new Set([
  // Changes by others than admins: test/attack/step-up.test.ts and test/unit/api/own-paths.test.ts.
  '/postern/api/camera-groups/*',
  // Without it, a stricter row decides: only the word differs that a role needs, which `may-rows.ts` tries.
  '/clips/export/**',
  '/api/:known /cases',
  '/api/:known/*/clip.mp4',
  '/api/:known/*/snapshot.jpg',
  '/api/:known/*/thumbnail.jpg',
  // Answered by the gateway itself, whatever the table has: the corpus sees it at the fronts.
  '/api/login',
  '/postern/api/login/second-factor',
  '/postern/api/login/passkey-options',
  '/postern/api/login/passkey',
  '/postern/oidc/login',
  '/postern/oidc/callback',
  '/postern/oidc/logged-out',
  '/postern/oidc/backchannel-logout',
  '/login',
  '/postern/assets/**',
  '/postern/picture',
  '/postern/push.js',
  '/postern/share/*',
  '/postern/wall',
  '/postern/pair',
  '/postern/invite/*',
  '/postern/api/displays/code',
  '/postern/api/displays/token',
  '/postern/api/invitations/*/open',
  '/postern/api/invitations/*/passkey',
  '/postern/api/invitations/*/accept',
  // For admins, like the rule below it that closes the rest.
  '/postern/api/invitations',
  '/postern/api/invitations/*',
  '/postern/api/shares/*/open',
  '/auth',
  '/logout',
  '/api/logout',
  '/api/profile',
  '/api/users/*/password',
]);

describe('each row is held by the corpus', () => {
  const guarding = table
    .map((row, place) => ({
      row,
      place,
      name: `${row.methods?.join(',') ?? 'any method'} ${row.path} ${row.having ?? ''}`,
    }))
    .filter(({ row }) => !unnoticed.has(`${row.path} ${row.having ?? ''}`.trim()) && row.path !== '/**');

  test.each(guarding)('$name', ({ row, place }) => {
    const opened: TableRow = { ...row, level: 'any', may: 'shell', changes: true };
    const readable: TableRow = { ...row, level: 'any', may: 'shell' };
    const closed: TableRow = { ...row, level: 'admin-only', may: 'shell' };
    const replaced = (by: TableRow) => surprises(table.with(place, by)).length;
    // Every change of a row is noticed.
    const mutants: Partial<Record<TableRow['level'], readonly TableRow[]>> = {
      any: [closed],
      list: [closed],
      // To read is the same by either level.
      'own-account': row.methods?.includes('GET') === true ? [closed] : [closed, readable],
    };
    for (const mutant of mutants[row.level] ?? [opened]) expect(replaced(mutant)).toBeGreaterThan(0);
  });
});
