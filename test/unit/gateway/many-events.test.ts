import { describe, expect, test } from 'vitest';
import { createAuthoriser } from '../../../src/gateway/authoriser.ts';
import { createDecisionLog } from '../../../src/gateway/decision-log.ts';
import type { RecordedCameras } from '../../../src/policy/target.ts';
import type { AccessRequest } from '../../../src/policy/verdict.ts';
import { mostInOneTurn } from '../../support/turns.ts';
import { nothingRecorded } from '../policy/known-cameras.ts';
import { gatewayDependencies, inForce, type Changes } from './gateway-dependencies.ts';

const ids = Array.from({ length: 1_000 }, (_, n) => `event-${n}`);
const named = (some: readonly string[]) => `/api/event_ids?ids=${some.join(',')}`;

function start(cameraOf: (id: string) => string | undefined, changes: Changes = {}) {
  const lookUps: number[] = [];
  const recorded: RecordedCameras = {
    ...nothingRecorded,
    camerasOfEvents: (some) => {
      lookUps.push(some.length);
      return new Map(some.flatMap((id) => [[id, cameraOf(id)] as const]).filter((found) => hasCamera(found)));
    },
  };
  const { dependencies } = gatewayDependencies({
    now: () => 0,
    rules: { ...inForce.rules, recorded },
    ...changes,
  });
  const authoriser = createAuthoriser(dependencies, createDecisionLog());
  const request = (uri: string, role = 'family'): AccessRequest => ({
    edge: 'authenticated',
    method: 'GET',
    uri,
    headers: ['Remote-User', 'olaf', 'Remote-Groups', role],
    host: 'gate.test',
    secure: true,
  });
  return { lookUps, request, ...authoriser };
}

function hasCamera(found: readonly [string, string | undefined]): found is [string, string] {
  return found[1] !== undefined;
}

describe('a verdict on 1,000 events', () => {
  test('is not given at once', () => {
    const { authoriseAtOnce, request, lookUps } = start(() => 'front');
    expect(authoriseAtOnce(request(named(ids)))).toBeUndefined();
    expect(lookUps).toEqual([]);
  });

  test('looks them up in slices, and other work comes between them', async () => {
    const { authorise, request, lookUps } = start(() => 'front');
    const asked = authorise(request(named(ids)));
    expect(await mostInOneTurn(asked, () => lookUps.length)).toBe(1);
    expect((await asked).verdict).toMatchObject({ kind: 'allow', reason: 'allowed' });
    expect(lookUps).toEqual(Array.from({ length: 20 }, () => 50));
  });

  test.each<[what: string, cameraOf: (id: string) => string | undefined, verdict: object]>([
    [
      'one is of another camera',
      (id) => (id === 'event-999' ? 'garage' : 'front'),
      { kind: 'forbidden', reason: 'camera_not_granted' },
    ],
    ['one is not there', (id) => (id === 'event-3' ? undefined : 'front'), { kind: 'allow' }],
    ['none is there', () => undefined, { kind: 'allow' }],
  ])('is the same as for few: %s', async (_, cameraOf, verdict) => {
    const { authorise, authoriseAtOnce, request } = start(cameraOf);
    expect((await authorise(request(named(ids)))).verdict).toMatchObject(verdict);
    const few = ['event-3', 'event-999'].filter((id) => cameraOf(id) !== 'front');
    expect(authoriseAtOnce(request(named(few.length === 0 ? ['x'] : few)))?.verdict).toMatchObject(verdict);
  });

  test('asks for nobody who may see all, or is not known', async () => {
    const { authorise, request, lookUps } = start(() => 'garage');
    expect((await authorise(request(named(ids), 'viewer'))).verdict).toMatchObject({ kind: 'allow' });
    const nobody = { ...request(named(ids)), headers: [] };
    expect((await authorise(nobody)).verdict).toMatchObject({ kind: 'unauthenticated' });
    expect(lookUps).toEqual([]);
  });

  test('is forbidden when the recorder cannot be asked', async () => {
    const { authorise, request } = start(() => {
      throw new Error('broken');
    });
    expect((await authorise(request(named(ids)))).verdict).toMatchObject({
      kind: 'forbidden',
      reason: 'failure',
    });
  });

  test('is not given to a session that ended meanwhile', async () => {
    let checks = 0;
    const sessions = {
      recall: () => undefined,
      check: async () => {
        checks += 1;
        const user = { username: 'olaf', role: 'family' };
        return checks === 1 ? { session: { user } } : { problem: 'token_revoked' };
      },
    } as never;
    const { authorise, request, lookUps } = start(() => 'front', { mode: 'session', sessions });
    const headers = ['Authorization', 'Bearer t0ken'];
    const { verdict } = await authorise({ ...request(named(ids)), headers });
    expect(lookUps.length).toBeGreaterThan(0);
    expect(verdict).toMatchObject({ kind: 'unauthenticated', reason: 'token_revoked' });
  });
});
