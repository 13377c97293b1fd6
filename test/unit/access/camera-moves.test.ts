import { expect, test } from 'vitest';
import { createCameraMoves } from '../../../src/access/camera-moves.ts';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { mayEverything } from '../../../src/policy/capability.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';

const vera = plainIdentity('vera', 'viewer', 'session');
const streamOf = (identity: Identity) => ({
  id: 'd-1',
  address: '192.0.2.1',
  permitted: { outcome: 'allow', reason: 'allowed', identity, grant: 'all', may: mayEverything } as const,
});

/** Moves with a clock and the records. */
function moves() {
  const records: AuditEntry[] = [];
  const state = { now: 5_000 };
  const counted = createCameraMoves({ record: async (entry) => void records.push(entry) }, () => state.now);
  const known = (camera: string) => !camera.startsWith('made-up');
  /** @returns how many of these commands pass */
  const send = (count: number, camera = 'yard', identity: Identity = vera) =>
    Array.from({ length: count }, () => counted.count(streamOf(identity), camera, known)).filter(Boolean)
      .length;
  return { state, records, send };
}

test('ten commands a second pass', () => {
  const { state, send } = moves();
  expect(send(12)).toBe(10);
  state.now += 999;
  expect(send(1)).toBe(0);
  state.now += 1;
  expect(send(12)).toBe(10);
});

test('in any second: what was refused does not count', () => {
  const { state, send } = moves();
  expect(send(4)).toBe(4);
  state.now += 600;
  expect(send(10)).toBe(6);
  state.now += 400;
  expect(send(10)).toBe(4);
  state.now += 600;
  expect(send(10)).toBe(6);
});

test('each camera and each user has its own ten, whatever the session', () => {
  const { send } = moves();
  expect([
    send(10),
    send(10, 'garage'),
    send(10, 'yard', plainIdentity('olaf', 'family', 'session')),
  ]).toEqual([10, 10, 10]);
  const token = { ...vera, source: 'api-token', token: { id: 'one', cameras: undefined } } as const;
  expect([send(1), send(1, 'yard', token)]).toEqual([0, 0]);
});

test('cameras that do not exist have ten together', () => {
  const { send } = moves();
  let passed = 0;
  for (let i = 0; i < 50; i += 1) passed += send(1, `made-up-${i}`);
  expect([passed, send(1)]).toEqual([10, 1]);
});

test('a name that contains another is another', () => {
  const { send } = moves();
  expect([
    send(10, 'b'),
    send(10, 'a","b'),
    send(10, 'b', plainIdentity('vera","b', 'viewer', 'session')),
  ]).toEqual([10, 10, 10]);
});

test('the first command in a minute is one record', () => {
  const { state, records, send } = moves();
  send(12);
  expect(records).toEqual([
    {
      event: 'camera_moved',
      user: 'vera',
      role: 'viewer',
      source: 'session',
      address: '192.0.2.1',
      object: 'yard',
      decision: 'd-1',
    },
  ]);
  for (let i = 0; i < 59; i += 1) {
    state.now += 1_000;
    send(1);
  }
  expect(records).toHaveLength(1);
  state.now += 1_000;
  send(1);
  send(1, 'garage');
  expect(records.slice(1).map(({ object }) => object)).toEqual(['yard', 'garage']);
});

test('made-up names are one record without a name', () => {
  const { records, send } = moves();
  send(1, 'made-up-1');
  send(1, 'made-up-2');
  expect(records.map(({ object }) => object)).toEqual([undefined]);
});
