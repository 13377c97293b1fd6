import { describe, expect, test } from 'vitest';
import { proxySubject } from '../../src/policy/proxy-subject.ts';
import { identifyByEdge } from '../../src/policy/identify.ts';
import { judge } from '../../src/policy/judge.ts';
import {
  lockedRows,
  recorderRows as tableRows,
  type Row as TableRow,
} from '../../src/policy/target-table.ts';
import { prepareTargets } from '../../src/policy/resolve-target.ts';
import { resolveConfiguration } from '../../src/config/resolve.ts';
import { inForceOf } from '../../src/gateway/in-force.ts';
import { recorderDatabase } from '../../src/events/recorder-database.ts';
import { filtered } from '../unit/policy/known-cameras.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { recorderRows } from './recorder-rows.ts';
import { attackConfig, type Row } from './row.ts';
import { targetRows } from './target-rows.ts';

const database = recorderDatabase(`${projectRoot}/data/sample.db`);
const configuration = resolveConfiguration(attackConfig, {
  environment: {},
  trustedHeaders: new Set(['x-proxy-secret', 'remote-user', 'remote-groups']),
  trustedHeadersFile: '',
  sampleDatabase: '',
});
const inForce = inForceOf(configuration, database, filtered);
const { cameras = [], streams } = configuration;
const known = { names: new Set(cameras), complete: true, streams };
const corpus = [...targetRows, ...recorderRows];

/** Rows of the corpus that come out otherwise than they should. */
function surprises(table: readonly TableRow[]): readonly Row[] {
  const rules = { ...inForce.rules, resolveTarget: prepareTargets(table, known) };
  return corpus.filter(({ edge = 'authenticated', request: sent, expect: expected, but }) => {
    const { method = 'GET', uri, headers = [] } = typeof sent === 'function' ? sent() : sent;
    const request = { edge, method, uri, headers: headers.flat(), host: 'gate.local', secure: true };
    const identification =
      identifyByEdge(request, configuration.proxy.authSecret) ??
      proxySubject(request.headers, inForce.proxyIdentity);
    const isAllowed = judge(request, identification, rules).verdict.kind === 'allow';
    const wanted = but?.['auth-request'] ?? expected;
    return isAllowed !== (wanted !== 'refused');
  });
}

const table = [...lockedRows, ...tableRows];

test('the table as it is has no surprise', () => {
  expect(surprises(table).map(({ name }) => name)).toEqual([]);
});

/** Rows whose loss or loosening nothing in the corpus would notice, with the reason. */
const unnoticed = new Set([
  // Answered by the gateway itself, whatever the table says: the corpus sees it at the fronts.
  '/api/login',
  '/login',
  '/postern/assets/**',
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
    .filter(({ row }) => !unnoticed.has(row.path) && row.path !== '/**');

  test.each(guarding)('$name', ({ row, place }) => {
    const opened: TableRow = { ...row, requirement: 'any', changes: true };
    const readable: TableRow = { ...row, requirement: 'any' };
    const closed: TableRow = { ...row, requirement: 'admin-only' };
    const replaced = (by: TableRow) => surprises(table.with(place, by)).length;
    // Whichever way a row is changed, somebody notices.
    const mutants: Partial<Record<TableRow['requirement'], readonly TableRow[]>> = {
      any: [closed],
      list: [closed],
      'own-account': [closed, readable],
    };
    for (const mutant of mutants[row.requirement] ?? [opened]) expect(replaced(mutant)).toBeGreaterThan(0);
  });
});
