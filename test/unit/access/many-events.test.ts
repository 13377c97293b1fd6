import { clockAt } from '../../support/clock-at.ts';
import type { RequestContext } from '../../../src/policy/request-context.ts';
import { describe, expect, test } from 'vitest';
import type { RecordedCameras } from '../../../src/policy/resource.ts';
import { rolesOf } from '../../support/roles.ts';
import { mostInOneTurn } from '../../support/turns.ts';
import { nothingRecorded } from '../policy/known-cameras.ts';
import { apiDependencies, authorizationOf, settings, type Changes } from '../api/api-dependencies.ts';

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
  const { dependencies } = apiDependencies({
    clock: clockAt(0),
    rules: { ...settings.rules, recorded },
    ...changes,
  });
  const authorizer = authorizationOf(dependencies);
  const request = (uri: string, role = 'family'): RequestContext => ({
    entryPoint: 'authenticated',
    method: 'GET',
    uri,
    headers: ['Remote-User', 'olaf', 'Remote-Groups', role],
    host: 'gate.test',
    secure: true,
  });
  return { lookUps, request, ...authorizer };
}

function hasCamera(found: readonly [string, string | undefined]): found is [string, string] {
  return found[1] !== undefined;
}

describe('a decision on 1,000 events', () => {
  test('is not made immediately', async () => {
    const { authorize, request, lookUps } = start(() => 'front');
    const asked = authorize(request(named(ids)));
    expect(asked).toBeInstanceOf(Promise);
    expect(lookUps).toEqual([]);
    await asked;
  });

  test('looks them up in slices, with other work in between', async () => {
    const { authorize, request, lookUps } = start(() => 'front');
    const asked = authorize(request(named(ids)));
    expect(await mostInOneTurn(Promise.resolve(asked), () => lookUps.length)).toBe(1);
    expect((await asked).decision).toMatchObject({ outcome: 'allow', reason: 'allowed' });
    expect(lookUps).toEqual(Array.from({ length: 20 }, () => 50));
  });

  test('looks up their begins in slices too, if needed', async () => {
    const asked: number[] = [];
    const beginOf = (id: string) => (id === 'event-999' ? 99 : 100);
    const { authorize, request } = start(() => 'front', {
      rules: {
        ...settings.rules,
        recorded: {
          ...nothingRecorded,
          camerasOfEvents: (some) => new Map(some.map((id) => [id, 'front'])),
        },
        recordedTimes: {
          startsOfEvents: (some) => {
            asked.push(some.length);
            return new Map(some.map((id) => [id, beginOf(id)]));
          },
          startsOfExport: () => [],
          startsOfReview: () => [],
        },
        roles: rolesOf([['family', ['front']]], { family: { from: '2026-01-01', history: 'from' } }),
        stateOf: () => ({ isOpen: true, until: Number.POSITIVE_INFINITY, since: 100_000 }),
      },
    });
    expect((await authorize(request(named(ids)))).decision.reason).toBe('before_schedule');
    expect(asked).toEqual(Array.from({ length: 20 }, () => 50));
    expect((await authorize(request(named(ids.slice(0, 999))))).decision.reason).toBe('allowed');
  });

  test.each<[what: string, cameraOf: (id: string) => string | undefined, decision: object]>([
    [
      'one is of another camera',
      (id) => (id === 'event-999' ? 'garage' : 'front'),
      { outcome: 'forbidden', reason: 'camera_not_granted' },
    ],
    ['one is not there', (id) => (id === 'event-3' ? undefined : 'front'), { outcome: 'allow' }],
    ['none is there', () => undefined, { outcome: 'allow' }],
  ])('is the same as for few: %s', async (_, cameraOf, expected) => {
    const { authorize, request } = start(cameraOf);
    expect((await authorize(request(named(ids)))).decision).toMatchObject(expected);
    const few = ['event-3', 'event-999'].filter((id) => cameraOf(id) !== 'front');
    expect((await authorize(request(named(few.length === 0 ? ['x'] : few)))).decision).toMatchObject(
      expected,
    );
  });

  test('looks up nothing for users who see all, or are unknown', async () => {
    const { authorize, request, lookUps } = start(() => 'garage');
    expect((await authorize(request(named(ids), 'viewer'))).decision).toMatchObject({ outcome: 'allow' });
    const unidentified = { ...request(named(ids)), headers: [] };
    expect((await authorize(unidentified)).decision).toMatchObject({ outcome: 'unauthenticated' });
    expect(lookUps).toEqual([]);
  });

  test('is a refusal if the recorder is unavailable', async () => {
    const { authorize, request } = start(() => {
      throw new Error('broken');
    });
    expect((await authorize(request(named(ids)))).decision).toMatchObject({
      outcome: 'forbidden',
      reason: 'failure',
    });
  });

  test('is a refusal if the session has ended in the meantime', async () => {
    let checks = 0;
    const sessions = {
      recall: () => undefined,
      check: async () => {
        checks += 1;
        const user = { username: 'olaf', role: 'family' };
        return checks === 1 ? { session: { user } } : { problem: 'token_revoked' };
      },
    } as never;
    const { authorize, request, lookUps } = start(() => 'front', { mode: 'session', sessions });
    const headers = ['Authorization', 'Bearer t0ken'];
    const { decision } = await authorize({ ...request(named(ids)), headers });
    expect(lookUps.length).toBeGreaterThan(0);
    expect(decision).toMatchObject({ outcome: 'unauthenticated', reason: 'token_revoked' });
  });
});
