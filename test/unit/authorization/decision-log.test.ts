import type { AuthorizationRequest } from '../../../src/policy/authorization-request.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { recordOf, createDecisionLog } from '../../../src/authorization/decision-log.ts';

const at = 1_793_000_000_500;
const decision = { outcome: 'forbidden', reason: 'read_only', identity: undefined } as const;
const request = (uri: string): AuthorizationRequest => ({
  entryPoint: 'authenticated',
  method: 'PUT',
  uri,
  headers: ['Cookie', 's3cret'],
  host: 'gate.test',
  secure: true,
});

test('a decision is found by its id, without headers and query', () => {
  const decisions = createDecisionLog();
  const id = decisions.keep(recordOf(request('/a?token=s3cret'), { ...decision, path: '/a' }), at);
  expect(id).toMatch(/^[a-z0-9-]+$/);
  expect(decisions.find(id)).toEqual({
    id,
    at: new Date(1_793_000_000_500),
    decision: { ...decision, path: '/a' },
    request: { entryPoint: 'authenticated', method: 'PUT', uri: '/a' },
  });
});

test('the last 10,000 are kept: the 10,001st pushes out the first', () => {
  const decisions = createDecisionLog();
  const keep = (i: number) => decisions.keep(recordOf(request(`/${i}`), decision), at);
  const ids = Array.from({ length: 10_000 }, (_, i) => keep(i));
  expect(new Set(ids).size).toBe(10_000);
  for (const [i, id] of ids.entries()) expect(decisions.find(id)?.request.uri).toBe(`/${i}`);
  const last = keep(10_000);
  expect(ids).not.toContain(last);
  expect(decisions.find(ids[0] ?? '')).toBeUndefined();
  expect(decisions.find(ids[1] ?? '')?.request.uri).toBe('/1');
  expect(decisions.find(last)?.request.uri).toBe('/10000');
});

test('an id of another run finds nothing, and neither does what is no id', () => {
  const [one, other] = [createDecisionLog(), createDecisionLog()];
  const id = one.keep(recordOf(request('/a'), decision), at);
  other.keep(recordOf(request('/a'), decision), at);
  expect(other.find(id)).toBeUndefined();
  for (const none of [
    '',
    '-',
    '0',
    `${id}0`,
    `${id}-0`,
    ` ${id}`,
    id.toUpperCase(),
    '__proto__-length',
    '-1',
  ]) {
    if (none !== id) expect(one.find(none), none).toBeUndefined();
  }
});

test('what is kept of a request is a copy: nothing holds the rest of a long URI in memory', () => {
  const decisions = createDecisionLog();
  const count = 300;
  const keepLong = (i: number) => {
    const uri = `/${i}?${'x'.repeat(60_000)}${i}`;
    decisions.keep(recordOf(request(uri), { ...decision, path: uri.slice(0, 10) }), at);
  };
  keepLong(0);
  const before = heapInUse();
  for (let i = 0; i < count; i += 1) keepLong(i);
  expect((heapInUse() - before) / count).toBeLessThan(10_000);
});

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
