import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectRecorder } from '../../../src/recorder/connect-recorder.ts';
import { keepMadeRoles, madeRolesPath } from '../../../src/recorder/role-changes.ts';
import {
  createRoleManagement,
  type ChangeOutcome,
  type RoleManagement,
} from '../../../src/recorder/role-management.ts';
import { createRoleVerification, type RoleVerification } from '../../../src/recorder/role-verification.ts';
import { answerGate, type KnownRoles } from '../../support/recorder-profile.ts';
import { fakeTimers, type FakeTimers } from './fake-timers.ts';
import { patience } from '../../support/patience.ts';

const cameras = ['front', 'yard', 'garage'];
const interval = 60_000;

let directory: string;
let timers: FakeTimers;
let log: Array<readonly [level: string, found: Record<string, unknown>]>;
let outcomes: ChangeOutcome[];
let management: RoleManagement;
let verification: RoleVerification;
let server: Server;
let known: KnownRoles;
let answer: RequestListener;
let asked: IncomingMessage[];
let underWay = 0;
let mayWrite: () => boolean;
let lastPort = 0;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'postern-roles-'));
  timers = fakeTimers();
  log = [];
  outcomes = [];
  asked = [];
  known = { cameras, roles: {} };
  answer = recorder;
  mayWrite = () => true;
  begin();
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await listenAt(0);
});
afterEach(async () => {
  verification.close();
  await stop();
  rmSync(directory, { recursive: true });
});

/** A gate that starts, with what the one before has kept. */
function begin(): void {
  const write = (level: string) => (found: unknown) =>
    void log.push([level, found as Record<string, unknown>]);
  management = createRoleManagement({
    made: keepMadeRoles(madeRolesPath(directory), () => {}),
    mayWrite: async () => mayWrite(),
    timers,
    onChange: (outcome) => outcomes.push(outcome),
  });
  verification = createRoleVerification({
    connect: (to) => {
      const { close, ...asking } = connectRecorder(to);
      const counted = Object.fromEntries(
        Object.entries(asking).map(([name, ask]) => [
          name,
          counting(ask as (...given: unknown[]) => Promise<unknown>),
        ]),
      );
      return { ...(counted as typeof asking), close };
    },
    timers,
    logger: { info: write('info'), warn: write('warn') },
  });
}

/** One request follows the other without delay: when none is under way, the round is over. */
function counting(ask: (...given: unknown[]) => Promise<unknown>) {
  return async (...given: unknown[]) => {
    underWay += 1;
    try {
      return await ask(...given);
    } finally {
      // What the answer leads to comes first.
      setImmediate(() => (underWay -= 1));
    }
  };
}

async function listenAt(at: number): Promise<void> {
  server.listen(at, '127.0.0.1');
  await once(server, 'listening');
}

async function stop(): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

const recorder: RequestListener = (request, response) => {
  answerGate(request, response, known, (roles) => (known = { ...known, roles }));
};
/** The recorder, but for one path. */
const instead = (path: string, other: RequestListener): RequestListener => {
  return (request, response) => (request.url === path ? other : recorder)(request, response);
};
const says = (status: number, body: string): RequestListener => {
  return (_, response) => void response.writeHead(status).end(body);
};
const setPath = '/api/config/set';

/** The gate has these roles from now on. */
function define(roles: Readonly<Record<string, readonly string[]>>): void {
  verification.verify({
    recorder: {
      address: { origin: `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port ?? lastPort}` },
      authSecret: undefined,
    },
    roles: new Map(Object.entries(roles).map(([role, granted]) => [role, new Set(granted)])),
    interval,
    management,
  });
}

/** Lets time pass, and waits for the end of the round that is due by then, if one is. */
async function pass(milliseconds = 0): Promise<void> {
  timers.advance(milliseconds);
  await isIdle();
}
const isIdle = () => expect.poll(() => underWay, { timeout: patience, interval: 5 }).toBe(0);

const state = (role = 'family') => {
  const found = verification.roleAtRecorder(role);
  expect(verification.isVerified(role)).toBe(found.state === 'verified');
  return found.state === 'verified' ? found.state : found.reason;
};
const writes = () => asked.filter(({ method }) => method === 'PUT').length;
const told = () => outcomes.map(({ role, cameras, result }) => [role, cameras, result]);

describe('a process that does not write while another one does', () => {
  beforeEach(() => {
    mayWrite = () => false;
  });

  test('verifies what the other one has written, and reads the roles of the recorder', async () => {
    define({ family: ['front'] });
    await pass();
    expect([state(), writes(), told()]).toEqual(['more_cameras', 0, []]);
    known = { ...known, roles: { family: ['front'], theirs: ['yard'] } };
    await pass(1_000);
    expect([state(), writes()]).toEqual(['verified', 0]);
    expect(management.view()).toMatchObject({ fault: undefined, cameras: new Set(cameras) });
    expect([...(management.view()?.roles.keys() ?? [])]).toEqual(['family', 'theirs']);
    expect(existsSync(madeRolesPath(directory))).toBe(false);
  });

  test('writes in the next round after the other one has gone', async () => {
    define({ family: ['front'] });
    await pass();
    mayWrite = () => true;
    await pass(1_000);
    expect([state(), told()]).toEqual(['verified', [['family', ['front'], 'written']]]);
  });

  test('stops writing when another one takes over', async () => {
    let left = 2;
    mayWrite = () => left-- > 0;
    define({ family: ['front'], staff: ['yard'] });
    await pass();
    expect(told()).toEqual([['family', ['front'], 'written']]);
  });

  test('writes nothing but continues to verify while the writer is unknown', async () => {
    mayWrite = () => {
      throw new Error('the store is away');
    };
    known = { ...known, roles: { family: ['front'] } };
    define({ family: ['front'] });
    timers.advance(0);
    await expect.poll(() => state()).toBe('verified');
    expect(writes()).toBe(0);
  });
});

describe('a role is written', () => {
  test('when it is added, and verified after that', async () => {
    const bodies: unknown[] = [];
    answer = instead(setPath, (request, response) => {
      const take = async () => {
        bodies.push(await json(request));
        known = { ...known, roles: { family: ['front', 'yard'] } };
        response.end('{"success": true, "message": "Config successfully updated"}');
      };
      void take();
    });
    define({ family: ['yard', 'front'] });
    expect(state()).toBe('not_asked');
    await pass();
    expect(state()).toBe('verified');
    expect(bodies).toEqual([
      {
        requires_restart: 0,
        update_topic: 'config/auth',
        config_data: { auth: { roles: { family: ['front', 'yard'] } } },
      },
    ]);
    expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({
      method: 'PUT',
      url: '/api/config/set',
      headers: {
        'remote-user': 'postern',
        'remote-role': 'admin',
        'x-csrf-token': '1',
        'content-type': 'application/json',
      },
    });
    expect(log).toEqual([['info', { roles: ['family'] }]]);
  });

  test('when it gets or loses a camera; until then its lists are closed if it lost one', async () => {
    define({ family: ['front'] });
    await pass();
    define({ family: ['front', 'yard'] });
    expect(state()).toBe('verified');
    await pass();
    expect(known.roles).toEqual({ family: ['front', 'yard'] });
    define({ family: ['yard'] });
    expect(state()).toBe('not_asked');
    await pass();
    expect([known.roles, state()]).toEqual([{ family: ['yard'] }, 'verified']);
    expect(log.filter(([level]) => level === 'warn')).toEqual([]);
  });

  test('when it is deleted, as an empty text', async () => {
    define({ family: ['front'], guest: ['yard'] });
    await pass();
    define({ guest: ['yard'] });
    await pass();
    expect(known.roles).toEqual({ guest: ['yard'] });
    expect(told().at(-1)).toEqual(['family', undefined, 'written']);
  });

  test('never when the recorder has the same one', async () => {
    known = { ...known, roles: { family: ['yard', 'front'], theirs: ['garage'] } };
    define({ family: ['front', 'yard'] });
    await pass();
    await pass(interval);
    await pass(interval);
    expect([writes(), state()]).toEqual([0, 'verified']);
    expect(management.view()?.roles.get('theirs')).toEqual(new Set(['garage']));
  });

  test('with a camera that the recorder does not have', async () => {
    define({ family: ['front', 'attic'] });
    await pass();
    expect([state(), known.roles]).toEqual(['verified', { family: ['attic', 'front'] }]);
    expect(management.view()?.cameras).toEqual(new Set(cameras));
    await pass(interval);
    expect(writes()).toBe(1);
  });

  test('again when the recorder was restarted with older roles', async () => {
    define({ family: ['front'] });
    await pass();
    known = { ...known, roles: {} };
    verification.askAgain();
    await pass(1_000);
    expect([known.roles, state()]).toEqual([{ family: ['front'] }, 'verified']);
  });

  test('one after the other, and a few in one round', async () => {
    let most = 0;
    let open = 0;
    answer = instead(setPath, (request, response) => {
      most = Math.max(most, (open += 1));
      response.once('close', () => (open -= 1));
      recorder(request, response);
    });
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`role${i}`, ['front']]));
    define(many);
    await pass();
    expect([most, writes()]).toEqual([1, 8]);
    await pass();
    await pass();
    expect([most, writes(), state('role19')]).toEqual([1, 20, 'verified']);
    expect(timers.waiting()).toEqual([interval]);
  });
});

describe('a role is not written', () => {
  test('without cameras; one that lost them is deleted there', async () => {
    known = { ...known, roles: { family: ['front'], guest: ['yard'] } };
    define({ family: [], guest: ['yard'] });
    expect(state()).toBe('role_without_cameras');
    await pass();
    expect([known.roles, state()]).toEqual([{ guest: ['yard'] }, 'role_without_cameras']);
    expect(timers.waiting()).toEqual([interval]);
  });

  test.each(['a.b', '7', '_'])('by the name %s', async (name) => {
    define({ [name]: ['front'], family: ['front'] });
    await pass();
    expect([state(name), state(), known.roles]).toEqual([
      'role_name_refused',
      'verified',
      { family: ['front'] },
    ]);
    expect(timers.waiting()).toEqual([interval]);
  });

  test('on a port where everyone is admin', async () => {
    known = { ...known, unauthenticated: true };
    define({ family: ['front'] });
    await pass();
    expect([writes(), state()]).toEqual([0, 'everybody_is_admin']);
  });

  test.each<[what: string, answer: RequestListener]>([
    ['that is nonsense', says(200, '<title>Recorder</title>')],
    ['without cameras, as in safe mode', says(200, '{"cameras":{},"auth":{"roles":{}}}')],
    ['whose roles are no map', says(200, '{"cameras":{"front":{}},"auth":{"roles":["family"]}}')],
    ['that is an error', says(403, '{"detail":"no"}')],
    ['without end', (_, response) => void response.end(' '.repeat(9_000_000))],
    ['that is cut off', (_, response) => void response.writeHead(200).write('{', () => response.destroy())],
  ])('when the recorder gives a configuration %s', async (_, other) => {
    answer = instead('/api/config', other);
    define({ family: ['front'] });
    await pass();
    expect([writes(), state()]).toEqual([0, 'more_cameras']);
    expect(management.view()?.fault).toBeDefined();
    answer = recorder;
    await pass(1_000);
    expect([writes(), state(), management.view()?.fault]).toEqual([1, 'verified', undefined]);
  });
});

describe('a recorder that refuses', () => {
  test('leaves the role unverified, with the reason logged once', async () => {
    known = { ...known, isReadOnly: true };
    define({ family: ['front'] });
    await pass();
    expect(state()).toBe('change_refused');
    expect(management.refusalOf('family')).toBe('500: Error updating config');
    await pass(1_000);
    await pass(2_000);
    expect(writes()).toBe(3);
    expect(log.map(([level, { reason, detail }]) => [level, reason, detail])).toEqual([
      ['warn', 'change_refused', '500: Error updating config'],
    ]);
    expect(outcomes.map(({ isRepeated }) => isRepeated)).toEqual([false, true, true]);
    known = { ...known, isReadOnly: false };
    await pass(4_000);
    expect([state(), known.roles]).toEqual(['verified', { family: ['front'] }]);
  });

  test('blocks the lists of a wider role, though the recorder shows less', async () => {
    define({ family: ['front'] });
    await pass();
    known = { ...known, isReadOnly: true };
    define({ family: ['front', 'yard'] });
    await pass();
    expect(state()).toBe('change_refused');
    define({ family: ['front'] });
    await pass(1_000);
    expect(state()).toBe('verified');
  });

  test.each<[what: string, answer: RequestListener, says: string]>([
    ['who is no admin there', says(403, '{"detail":"Role viewer not authorized"}'), '403'],
    ['with a page', says(200, '<title>Login</title>'), '200'],
    ['with a success that is none', says(200, '{"success":false,"message":"no"}'), '200: no'],
    ['by a redirect', (_, response) => void response.writeHead(302, { location: '/login' }).end(), '302'],
    ['with a long story', says(400, JSON.stringify({ message: 'x'.repeat(999) })), `400: ${'x'.repeat(200)}`],
  ])('%s', async (_, other, detail) => {
    answer = instead(setPath, other);
    define({ family: ['front'] });
    await pass();
    expect([state(), management.refusalOf('family')]).toEqual(['change_refused', detail]);
  });

  test('is not asked again for each requested list', async () => {
    known = { ...known, isReadOnly: true };
    define({ family: ['front'] });
    await pass();
    for (let second = 0; second < 60; second += 1) {
      verification.askAgain();
      await pass(1_000);
    }
    // After 1, 2, 4, 8, 16 and 32 seconds, or a little later.
    expect(writes()).toBeLessThanOrEqual(7);
    expect(writes()).toBeGreaterThanOrEqual(6);
  });

  test('gets a later change at once if both agreed in between', async () => {
    define({ family: ['front'] });
    await pass();
    known = { ...known, isReadOnly: true };
    define({ family: ['yard'] });
    await pass();
    for (const wait of [1_000, 2_000, 4_000]) await pass(wait);
    define({ family: ['front'] });
    await pass(1_000);
    known = { ...known, isReadOnly: false };
    define({ family: ['yard'] });
    await pass();
    expect([state(), known.roles]).toEqual(['verified', { family: ['yard'] }]);
  });

  test('is asked again on request, which returns the result', async () => {
    known = { ...known, isReadOnly: true };
    define({ family: ['front'] });
    await pass();
    for (const wait of [1_000, 2_000, 4_000]) await pass(wait);
    known = { ...known, isReadOnly: false };
    let isOver = false;
    const tried = verification.tryAgain().then(() => (isOver = true));
    expect(isOver).toBe(false);
    await pass(1_000);
    await tried;
    expect(state()).toBe('verified');
  });

  test('that accepts a change without making it is not asked more often', async () => {
    answer = instead(setPath, says(200, '{"success":true}'));
    define({ family: ['front'] });
    await pass();
    expect(state()).toBe('more_cameras');
    for (let second = 0; second < 10; second += 1) {
      verification.askAgain();
      await pass(1_000);
    }
    expect(writes()).toBeLessThanOrEqual(4);
  });
});

describe('a recorder that is away', () => {
  test('gets the newest state when it is back, with deletions', async () => {
    define({ family: ['front'], old: ['yard'] });
    await pass();
    await away();
    define({ family: ['front', 'yard'] });
    await pass();
    define({ family: ['yard'], fresh: ['garage'] });
    await pass(1_000);
    expect(state('fresh')).toBe('no_answer');
    await listenAt(lastPort);
    await pass(2_000);
    expect(known.roles).toEqual({ family: ['yard'], fresh: ['garage'] });
    expect([state(), state('fresh')]).toEqual(['verified', 'verified']);
  });

  test('gets earlier deletions from the next run of the gate', async () => {
    known = { ...known, roles: { theirs: ['garage'] } };
    define({ family: ['front'], between: ['yard'] });
    await pass();
    await away();
    define({ between: ['yard'] });
    await pass();
    verification.close();
    begin();
    define({});
    await pass();
    expect(known.roles).toEqual({ theirs: ['garage'], family: ['front'], between: ['yard'] });
    await listenAt(lastPort);
    await pass(1_000);
    expect(known.roles).toEqual({ theirs: ['garage'] });
    await pass(interval);
    expect(JSON.parse(readFileSync(madeRolesPath(directory), 'utf8'))).toMatchObject({ roles: [] });
  });

  test('since the start of the gate gets deletions since then', async () => {
    known = { ...known, roles: { family: ['front'], theirs: ['garage'] } };
    define({ family: ['front'] });
    await away();
    await pass();
    define({});
    await pass(1_000);
    await listenAt(lastPort);
    await pass(2_000);
    expect(known.roles).toEqual({ theirs: ['garage'] });
  });

  test('does not cause deletions at another recorder', async () => {
    define({ family: ['front'] });
    await pass();
    await stop();
    await listenAt(0);
    define({});
    await pass();
    expect(known.roles).toEqual({ family: ['front'] });
  });

  test.each(['nonsense', '{}', '{"recorder":1,"roles":["family"]}', '[]'])(
    'and a memory of it that is %s counts as none',
    async (text) => {
      known = { ...known, roles: { family: ['front'] } };
      writeFileSync(madeRolesPath(directory), text);
      define({ guest: ['yard'] });
      await pass();
      expect(known.roles).toEqual({ family: ['front'], guest: ['yard'] });
    },
  );

  test('gets no further change after one without an answer', async () => {
    answer = instead(setPath, () => {});
    define({ family: ['front'], guest: ['yard'] });
    timers.advance(0);
    await expect.poll(writes).toBe(1);
    timers.advance(9_999);
    expect(underWay).toBe(1);
    await pass(1);
    expect([writes(), told()]).toEqual([1, [['family', ['front'], 'unanswered']]]);
    expect(state()).toBe('more_cameras');
    answer = recorder;
    await pass(1_000);
    expect([state(), state('guest')]).toEqual(['verified', 'verified']);
  });

  const away = async () => {
    lastPort = (server.address() as AddressInfo).port;
    await stop();
  };
});

describe('during a change', () => {
  test('the newest state wins', async () => {
    const held: Array<() => void> = [];
    answer = instead(setPath, (request, response) => void held.push(() => recorder(request, response)));
    define({ family: ['front', 'yard', 'garage'] });
    timers.advance(0);
    await expect.poll(() => held.length).toBe(1);
    define({ family: ['front', 'yard'] });
    define({ family: ['front'] });
    answer = recorder;
    held[0]?.();
    await isIdle();
    expect(state()).toBe('not_asked');
    await pass();
    expect([known.roles, state(), writes()]).toEqual([{ family: ['front'] }, 'verified', 2]);
    expect(log).toEqual([['info', { roles: ['family'] }]]);
  });

  test('an outdated change is not sent', async () => {
    const held: Array<() => void> = [];
    answer = instead(setPath, (request, response) => void held.push(() => recorder(request, response)));
    define({ family: ['front'], guest: ['yard', 'garage'] });
    timers.advance(0);
    await expect.poll(() => held.length).toBe(1);
    define({ family: ['front'], guest: ['yard'] });
    answer = recorder;
    held[0]?.();
    await isIdle();
    await pass();
    expect(told()).toEqual([
      ['family', ['front'], 'written'],
      ['guest', ['yard'], 'written'],
    ]);
  });

  test('a role that is deleted before it is written is not written', async () => {
    const held: Array<() => void> = [];
    answer = instead(setPath, (request, response) => void held.push(() => recorder(request, response)));
    define({ family: ['front'] });
    timers.advance(0);
    await expect.poll(() => held.length).toBe(1);
    define({});
    answer = recorder;
    held[0]?.();
    await isIdle();
    await pass();
    expect(known.roles).toEqual({});
  });

  test('the recorder may be replaced', async () => {
    answer = instead(setPath, () => {});
    define({ family: ['front'] });
    timers.advance(0);
    await expect.poll(writes).toBe(1);
    verification.verify({ recorder: undefined, roles: new Map(), interval });
    await isIdle();
    expect([outcomes.length, known.roles]).toEqual([1, {}]);
  });
});

test('the names of written roles are kept for each recorder', async () => {
  define({ family: ['front'] });
  await pass();
  const path = madeRolesPath(directory);
  expect(existsSync(`${path}.new`)).toBe(false);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    recorder: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    roles: ['family'],
  });
});
