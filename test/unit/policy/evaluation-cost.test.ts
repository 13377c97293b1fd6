import { ownRules } from '../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../support/roles.ts';
import { expect, test } from 'vitest';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import type { Rules } from '../../../src/policy/evaluate/rules.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import type { AccessRule } from '../../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { filtered, known, nothingRecorded } from './known-cameras.ts';

const identity = { user: 'olaf', role: 'role7', source: 'proxy', groups: '', email: '', name: '' } as const;
const uris = ['/api/cam5/latest.jpg', '/clips/cam5-1793000276.3-a.jpg', '/recordings/d/h/cam5/x', '/x7/y'];
const list = (count: number) => Array.from({ length: count }, (_, i) => i);
const literal = (i: number): AccessRule => ({ path: `/x${i}/**`, level: 'any', may: 'shell' });
const partial = (i: number): AccessRule => ({ path: `/y${i}*/**`, level: 'any', may: 'shell' });
const having = (i: number): AccessRule => ({ path: '/x7/y', having: `-${i}-`, level: 'any', may: 'shell' });

function rulesFor(cameras: number, roles: number, operator: readonly AccessRule[]): Rules {
  const names = list(cameras).map((i) => `cam${i}`);
  return {
    roles: rolesOf(list(roles).map((i) => [`role${i}`, new Set(names)])),
    resolveResource: prepareRules([...ownRules, ...lockedRules, ...operator, ...recorderRules])(known(names)),
    recorded: nothingRecorded,
    internalHosts: new Set<string>(),
    listsAreFiltered: filtered.listsAreFiltered,
    stateOf: noSchedules,
    basePath: '',
  };
}

/** The shortest of alternating rounds, which nothing else on the machine has interrupted. */
function shortestRounds(all: readonly Rules[]): number[] {
  const times = all.map((): number[] => []);
  for (let round = 0; round < 60; round += 1) {
    for (const [i, rules] of all.entries()) {
      const started = performance.now();
      for (let turn = 0; turn < 100; turn += 1) {
        for (const uri of uris) {
          const request = {
            entryPoint: 'authenticated',
            method: 'GET',
            uri,
            headers: [],
            host: '',
            secure: true,
          } as const;
          evaluate(request, { identity }, rules);
        }
      }
      times[i]?.push(performance.now() - started);
    }
  }
  return times.map((measured) => Math.min(...measured));
}

test.each<[what: string, small: Rules, large: readonly Rules[]]>([
  ['cameras', rulesFor(10, 10, []), [rulesFor(100, 10, []), rulesFor(10_000, 10, [])]],
  ['roles', rulesFor(10, 10, []), [rulesFor(10, 1_000, [])]],
  [
    'rules of an operator',
    rulesFor(10, 10, list(10).map(literal)),
    [rulesFor(10, 10, list(1_000).map(literal))],
  ],
  [
    'rules with part of a segment',
    rulesFor(10, 10, list(10).map(partial)),
    [rulesFor(10, 10, list(1_000).map(partial))],
  ],
  [
    'rules of one path, as many as the configuration allows',
    rulesFor(10, 10, list(2).map(having)),
    [rulesFor(10, 10, list(20).map(having))],
  ],
])('an evaluation costs the same, whatever the number of %s', (_, small, large) => {
  const [base = Number.NaN, ...others] = shortestRounds([small, ...large]);
  for (const other of others) expect(other / base).toBeLessThan(3);
});
