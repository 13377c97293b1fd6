import { expect, test } from 'vitest';
import { judge, type Rules } from '../../../src/policy/judge.ts';
import { prepareTargets } from '../../../src/policy/resolve-target.ts';
import { lockedRows, recorderRows, type Row } from '../../../src/policy/target-table.ts';
import { filtered, known, nothingRecorded } from './known-cameras.ts';

const subject = { user: 'olaf', role: 'role7', source: 'proxy', groups: '', email: '', name: '' } as const;
const uris = ['/api/cam5/latest.jpg', '/clips/cam5-1793000276.3-a.jpg', '/recordings/d/h/cam5/x', '/x7/y'];
const list = (count: number) => Array.from({ length: count }, (_, i) => i);
const literal = (i: number): Row => ({ path: `/x${i}/**`, requirement: 'any' });
const partial = (i: number): Row => ({ path: `/y${i}*/**`, requirement: 'any' });
const narrowed = (i: number): Row => ({ path: '/x7/y', having: `-${i}-`, requirement: 'any' });

function rulesOf(cameras: number, roles: number, operator: readonly Row[]): Rules {
  const names = list(cameras).map((i) => `cam${i}`);
  return {
    customRoles: new Map(list(roles).map((i) => [`role${i}`, new Set(names)])),
    resolveTarget: prepareTargets([...lockedRows, ...operator, ...recorderRows], known(names)),
    recorded: nothingRecorded,
    internalHosts: new Set<string>(),
    listsAreFiltered: filtered.listsAreFiltered,
    basePath: '',
  };
}

/** Medians of rounds that take turns, so that noise of the machine is shared. */
function medians(all: readonly Rules[]): number[] {
  const times = all.map((): number[] => []);
  for (let round = 0; round < 60; round += 1) {
    for (const [i, rules] of all.entries()) {
      const started = performance.now();
      for (let turn = 0; turn < 100; turn += 1) {
        for (const uri of uris) {
          const request = {
            edge: 'authenticated',
            method: 'GET',
            uri,
            headers: [],
            host: '',
            secure: true,
          } as const;
          judge(request, { subject }, rules);
        }
      }
      times[i]?.push(performance.now() - started);
    }
  }
  return times.map((measured) => measured.toSorted((a, b) => a - b)[30] ?? Number.NaN);
}

test.each<[what: string, small: Rules, large: readonly Rules[]]>([
  ['cameras', rulesOf(10, 10, []), [rulesOf(100, 10, []), rulesOf(10_000, 10, [])]],
  ['roles', rulesOf(10, 10, []), [rulesOf(10, 1_000, [])]],
  [
    'rules of an operator',
    rulesOf(10, 10, list(10).map(literal)),
    [rulesOf(10, 10, list(1_000).map(literal))],
  ],
  [
    'rules with part of a segment',
    rulesOf(10, 10, list(10).map(partial)),
    [rulesOf(10, 10, list(1_000).map(partial))],
  ],
  [
    'rules of one path, as many as the configuration allows',
    rulesOf(10, 10, list(2).map(narrowed)),
    [rulesOf(10, 10, list(20).map(narrowed))],
  ],
])('a judgement costs the same, whatever the number of %s', (_, small, large) => {
  const [base = Number.NaN, ...others] = medians([small, ...large]);
  for (const other of others) expect(other / base).toBeLessThan(3);
});
