import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectRecorder } from '../../../src/recorder/connect-recorder.ts';
import { createRoleVerification, type RoleVerification } from '../../../src/recorder/role-verification.ts';
import { answerProfile, type KnownRoles } from '../../support/recorder-profile.ts';
import { fakeTimers, type FakeTimers } from './fake-timers.ts';

const cameras = ['front', 'yard', 'garage'];
const roles = new Map([['family', new Set(['front', 'yard'])]]);
const interval = 60_000;

let timers: FakeTimers;
let log: Array<readonly [level: string, found: Record<string, unknown>]>;
let verification: RoleVerification;
let server: Server;
let answer: RequestListener;
let asked: IncomingMessage[];

beforeEach(async () => {
  timers = fakeTimers();
  log = [];
  asked = [];
  const write = (level: string) => (found: unknown) =>
    void log.push([level, found as Record<string, unknown>]);
  verification = createRoleVerification({
    connect: connectRecorder,
    timers,
    logger: { info: write('info'), warn: write('warn') },
  });
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await listenAt(0);
});
afterEach(async () => {
  verification.close();
  await stop();
});

async function listenAt(port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function stop(): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

const port = () => (server.address() as AddressInfo).port;
const recorderAt = (at: number, authSecret?: string) => ({
  address: { origin: `http://127.0.0.1:${at}` },
  authSecret,
});

const knows = (known: Partial<KnownRoles>): RequestListener => {
  return (request, response) => void answerProfile(request, response, { cameras, roles: {}, ...known });
};
const says = (body: string, status = 200): RequestListener => {
  return (_, response) => void response.writeHead(status).end(body);
};
const profile = (fields: object) => says(JSON.stringify({ username: 'postern', role: 'family', ...fields }));

/** Begins, and waits for the end of the first round. */
async function verify(given: Parameters<RoleVerification['verify']>[0]['roles'] = roles): Promise<void> {
  verification.verify({ recorder: recorderAt(port()), roles: given, interval });
  await endOfRound();
}

/** Starts the round that is due, and waits for its end: each request has timed out, and the next round is planned. */
async function endOfRound(): Promise<void> {
  timers.advance(0);
  const isOver = timers.mark();
  await expect.poll(() => [isOver(), timers.waiting().length]).toEqual([true, 1]);
}

const state = (role = 'family') => {
  const found = verification.roleAtRecorder(role);
  expect(verification.isVerified(role)).toBe(found.state === 'verified');
  return found.state === 'verified' ? found.state : found.reason;
};

describe('a role is verified', () => {
  test.each<[what: string, recorder: RequestListener]>([
    ['of which the recorder has the same cameras', knows({ roles: { family: ['front', 'yard'] } })],
    ['of which it has fewer', knows({ roles: { family: ['front'] } })],
    ['of which it has none', profile({ allowed_cameras: [] })],
    [
      'that it does not know, when it takes such a role for one that sees nothing',
      knows({ roles: { closed: ['nowhere'] }, defaultRole: 'closed' }),
    ],
  ])('%s', async (_, recorder) => {
    answer = recorder;
    await verify();
    expect(state()).toBe('verified');
    expect(log).toEqual([['info', { roles: ['family'] }]]);
  });

  test('by a request with that role, with the secret of the recorder', async () => {
    answer = knows({ roles: { family: ['front'] } });
    verification.verify({ recorder: recorderAt(port(), 'word'), roles, interval });
    await endOfRound();
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/profile']);
    expect(asked[0]?.headers).toMatchObject({
      'remote-user': 'postern',
      'remote-role': 'family',
      'x-proxy-secret': 'word',
    });
  });
});

describe('a role is not verified', () => {
  test.each<[what: string, recorder: RequestListener, reason: string]>([
    ['that the recorder takes for a viewer', knows({}), 'more_cameras'],
    [
      'of which the recorder has another camera',
      knows({ roles: { family: ['front', 'garage'] } }),
      'more_cameras',
    ],
    [
      'on a port where everyone is admin',
      says(JSON.stringify({ username: 'anonymous', role: 'admin', allowed_cameras: [] })),
      'everybody_is_admin',
    ],
    [
      'for a user that the recorder calls anonymous',
      profile({ username: 'anonymous', allowed_cameras: ['front'] }),
      'everybody_is_admin',
    ],
    [
      'that is admin to the recorder',
      profile({ role: 'admin', allowed_cameras: ['front'] }),
      'everybody_is_admin',
    ],
    ['without allowed_cameras', profile({}), 'no_profile'],
    ['with cameras that are no list', profile({ allowed_cameras: 'front' }), 'no_profile'],
    ['with cameras that are no names', profile({ allowed_cameras: [1] }), 'no_profile'],
    ['by something that is no JSON', says('<title>Recorder</title>'), 'no_profile'],
    ['by nothing', says(''), 'no_profile'],
    ['by null', says('null'), 'no_profile'],
    ['by a list', says('[]'), 'no_profile'],
    ['by 401', says('{"allowed_cameras":[]}', 401), 'asks_for_login'],
    ['by 500', says('{"allowed_cameras":[]}', 500), 'error_status'],
    ['by another success', says('{"allowed_cameras":[]}', 206), 'error_status'],
    [
      'by a redirect, which is not followed',
      (_, response) => void response.writeHead(302, { location: '/' }).end(),
      'error_status',
    ],
    [
      'by a redirect to a login',
      (_, response) => void response.writeHead(303, { location: '/login' }).end(),
      'asks_for_login',
    ],
    [
      'by an answer that is broken off',
      (_, response) => void response.writeHead(200).write('{"allowed', () => response.destroy()),
      'no_answer',
    ],
    ['by a connection that is closed', ({ socket }) => void socket.destroy(), 'no_answer'],
    ['by an answer without end', (_, response) => void response.end('['.repeat(1_100_000)), 'no_answer'],
  ])('%s', async (_, recorder, reason) => {
    answer = recorder;
    await verify();
    expect(state()).toBe(reason);
    expect(log.map(([level, { roles: named, reason: told }]) => [level, named, told])).toEqual([
      ['warn', ['family'], reason],
    ]);
  });

  test('before the recorder has answered', () => {
    answer = () => {};
    expect(state()).toBe('not_asked');
    verification.verify({ recorder: recorderAt(port()), roles, interval });
    expect(state()).toBe('not_asked');
    expect(log).toEqual([]);
  });

  test('when the recorder takes longer than two seconds', async () => {
    let release = () => {};
    answer = (request, response) => {
      release = () => void answerProfile(request, response, { cameras, roles: { family: ['front'] } });
    };
    verification.verify({ recorder: recorderAt(port()), roles, interval });
    timers.advance(0);
    await expect.poll(() => asked.length).toBe(1);
    timers.advance(1_999);
    expect(state()).toBe('not_asked');
    timers.advance(1);
    await expect.poll(() => state()).toBe('no_answer');
    expect(log).toMatchObject([['warn', { detail: 'nothing within 2 s' }]]);
    release();
  });

  test('when there is no recorder', async () => {
    answer = knows({});
    const at = port();
    await stop();
    verification.verify({ recorder: recorderAt(at), roles, interval });
    await endOfRound();
    expect(state()).toBe('no_answer');
    expect(log).toMatchObject([['warn', { detail: 'ECONNREFUSED' }]]);
  });

  test('but one role does not affect the others', async () => {
    answer = knows({ roles: { family: ['front', 'yard'] } });
    await verify(new Map([...roles, ['street', new Set(['front'])]]));
    expect([state('family'), state('street'), state('nobody')]).toEqual([
      'verified',
      'more_cameras',
      'not_asked',
    ]);
  });
});

describe('with time', () => {
  const verified = async (given = roles) => {
    answer = knows({ roles: { family: ['front', 'yard'] } });
    await verify(given);
    expect(state()).toBe('verified');
  };

  test('it is asked again after each interval', async () => {
    await verified();
    timers.advance(interval - 1);
    expect(asked).toHaveLength(1);
    timers.advance(1);
    await endOfRound();
    expect(asked).toHaveLength(2);
  });

  test('notices a recorder that was restarted with older roles, logs it once, and verifies again later', async () => {
    await verified();
    answer = knows({});
    for (const wait of [interval, 1_000, 2_000]) {
      timers.advance(wait);
      await endOfRound();
      expect(state()).toBe('more_cameras');
    }
    answer = knows({ roles: { family: ['yard'] } });
    timers.advance(4_000);
    await endOfRound();
    expect(state()).toBe('verified');
    expect(log.map(([level, { reason }]) => [level, reason])).toEqual([
      ['info', undefined],
      ['warn', 'more_cameras'],
      ['info', undefined],
    ]);
  });

  test('retries after a second, then less and less often, up to the interval', async () => {
    answer = says('', 503);
    await verify();
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, interval, interval]) {
      expect(timers.waiting()).toEqual([wait]);
      timers.advance(wait);
      await endOfRound();
    }
  });

  test('an answer is valid for two intervals', async () => {
    await verified();
    answer = () => {};
    timers.advance(interval);
    await expect.poll(() => asked.length).toBe(2);
    // The time that is left to this request does not count: it was asked, and there is no answer yet.
    expect(state()).toBe('verified');
    timers.advance(1_999);
    expect(state()).toBe('verified');
    timers.advance(1);
    await expect.poll(() => state()).toBe('no_answer');
  });

  test('an answer expires without another one', async () => {
    await verified();
    const { elapsed } = timers;
    const later = { elapsed: () => elapsed() + 2 * interval - 1 };
    Object.assign(timers, later);
    expect(state()).toBe('verified');
    Object.assign(timers, { elapsed: () => elapsed() + 2 * interval });
    expect(state()).toBe('expired');
  });

  test('asks again on request, but not twice in a second', async () => {
    await verified();
    timers.advance(5_000);
    for (let turn = 0; turn < 10; turn += 1) verification.askAgain();
    await endOfRound();
    expect(asked).toHaveLength(2);
    for (let turn = 0; turn < 10; turn += 1) verification.askAgain();
    timers.advance(999);
    expect(asked).toHaveLength(2);
    timers.advance(1);
    await endOfRound();
    expect(asked).toHaveLength(3);
    expect(timers.waiting()).toEqual([interval]);
  });
});

describe('another configuration', () => {
  beforeEach(async () => {
    answer = knows({ roles: { family: ['front', 'yard'], street: ['front'] } });
    await verify();
    expect(state()).toBe('verified');
  });

  test('blocks the lists of a role that lost a camera at once, and asks the recorder', async () => {
    verification.verify({
      recorder: recorderAt(port()),
      roles: new Map([['family', new Set(['front'])]]),
      interval,
    });
    expect(state()).toBe('more_cameras');
    answer = knows({ roles: { family: ['front'] } });
    await endOfRound();
    expect(state()).toBe('verified');
  });

  test('keeps a role verified that got a camera, and asks the recorder', async () => {
    verification.verify({
      recorder: recorderAt(port()),
      roles: new Map([['family', new Set(cameras)]]),
      interval,
    });
    expect(state()).toBe('verified');
    await endOfRound();
    expect(asked).toHaveLength(2);
  });

  test('asks about a new role at once', async () => {
    verification.verify({
      recorder: recorderAt(port()),
      roles: new Map([...roles, ['street', new Set(['front'])]]),
      interval,
    });
    expect([state(), state('street')]).toEqual(['verified', 'not_asked']);
    await endOfRound();
    expect([state(), state('street')]).toEqual(['verified', 'verified']);
  });

  test('asks about a role that is added during a round afterwards', async () => {
    const held: Array<() => void> = [];
    answer = (request, response) =>
      void held.push(
        () =>
          void answerProfile(request, response, { cameras, roles: { family: ['front'], street: ['front'] } }),
      );
    verification.askAgain();
    timers.advance(1_000);
    await expect.poll(() => held.length).toBe(1);
    verification.verify({
      recorder: recorderAt(port()),
      roles: new Map([['street', new Set(['front'])]]),
      interval,
    });
    held.splice(0).forEach((release) => release());
    await expect.poll(() => timers.waiting()).toEqual([0]);
    timers.advance(0);
    await expect.poll(() => held.length).toBe(1);
    held.splice(0).forEach((release) => release());
    await expect.poll(() => state('street')).toBe('verified');
    expect(state('family')).not.toBe('verified');
  });

  test('ignores answers of the former recorder, even late ones', async () => {
    let release = () => {};
    answer = (request, response) => {
      release = () => void answerProfile(request, response, { cameras, roles: { family: ['front'] } });
    };
    verification.askAgain();
    timers.advance(1_000);
    await expect.poll(() => asked.length).toBe(2);
    verification.verify({ recorder: recorderAt(port(), 'word'), roles, interval });
    expect(state()).toBe('not_asked');
    release();
    answer = knows({});
    await expect.poll(() => timers.waiting()).toEqual([0]);
    expect(state()).toBe('not_asked');
    timers.advance(0);
    await expect.poll(() => state()).toBe('more_cameras');
  });

  test('without a recorder nothing is verified', () => {
    verification.verify({ recorder: undefined, roles, interval });
    expect(state()).toBe('not_asked');
    verification.askAgain();
    timers.advance(10 * interval);
    expect(asked).toHaveLength(1);
  });
});

test('does not wait for an absent recorder once for each role', async () => {
  answer = () => {};
  const many = new Map(Array.from({ length: 40 }, (_, i) => [`role${i}`, new Set(['front'])]));
  verification.verify({ recorder: recorderAt(port()), roles: many, interval });
  timers.advance(0);
  await expect.poll(() => asked.length).toBe(4);
  timers.advance(2_000);
  await expect.poll(() => state('role39')).toBe('no_answer');
  expect(asked).toHaveLength(4);
  expect(log).toHaveLength(1);
});
