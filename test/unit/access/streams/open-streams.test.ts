import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DecidedAgain, Stream, StreamSession } from '../../../../src/access/streams/stream.ts';
import { createOpenStreams } from '../../../../src/access/streams/open-streams.ts';
import type { Allowed, Decision } from '../../../../src/policy/decision.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import type { Reason } from '../../../../src/policy/reasons.ts';
import { createRoundRobin } from '../../../../src/round-robin.ts';

const vera: Allowed = {
  outcome: 'allow',
  reason: 'allowed',
  identity: plainIdentity('vera', 'viewer', 'session'),
  grant: 'all',
  path: '/api/driveway',
};
const refused: Decision = { outcome: 'unauthenticated', reason: 'token_revoked', identity: undefined };
const sessionOf = (sessionId: string, expiresAt = Number.POSITIVE_INFINITY): StreamSession => ({
  expiresAt,
  claims: { sessionId },
});

/** Open streams of a store and a clock that a test holds. */
function registry({ knownAt }: { readonly knownAt?: () => number } = {}) {
  const state = { version: 1, now: 1_000, elapsed: 0 };
  const cut: Array<readonly [string, Reason]> = [];
  const faults: unknown[] = [];
  const streams = createOpenStreams({
    clock: { now: () => state.now },
    roundRobin: createRoundRobin(),
    signs: [() => state.version],
    knownAt,
    elapsed: () => state.elapsed,
    onCut: ({ id }, reason) => cut.push([id, reason]),
    onFault: (error) => faults.push(error),
  });
  onTestFinished(streams.close);
  let asked = 0;
  const open = (
    id: string,
    decide: () => DecidedAgain | Promise<DecidedAgain>,
    more: Partial<Stream> = {},
  ) => {
    const opened = streams.open({
      id,
      kind: 'answer',
      mark: streams.mark(),
      permitted: vera,
      address: () => '192.0.2.1',
      decideAgain: () => {
        asked += 1;
        return decide();
      },
      cut: () => undefined,
      ...more,
    });
    // It looks when a test says so, and by itself never.
    streams.close();
    return opened;
  };
  return { streams, state, cut, faults, open, asked: () => asked };
}

const allowed = (decision: Decision = vera) => ({ decision });

test('nothing is decided again while nothing has changed', async () => {
  const { streams, open, asked } = registry();
  await streams.look();
  open('one', allowed);
  await streams.look();
  await streams.look();
  expect(asked()).toBe(0);
});

test('after a change each is decided again once, and what is refused is cut', async () => {
  const { streams, state, open, cut, asked } = registry();
  await streams.look();
  open('stays', allowed);
  let isCut = false;
  open('goes', () => ({ decision: refused }), { cut: () => (isCut = true) });
  state.version += 1;
  await streams.look();
  await streams.look();
  expect([cut, isCut, asked()]).toEqual([[['goes', 'token_revoked']], true, 2]);
  expect(streams.list().map(({ id }) => id)).toEqual(['stays']);
});

test('one that was decided before a change and opens after it was noticed is decided again', async () => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  const mark = streams.mark();
  state.version += 1;
  await streams.look();
  open('late', () => ({ decision: refused }), { mark });
  await streams.look();
  expect(cut).toEqual([['late', 'token_revoked']]);
});

test('a change while the store is asked is not lost', async () => {
  const { streams, state, open, cut, asked } = registry();
  await streams.look();
  const first = Promise.withResolvers<DecidedAgain>();
  const answers = [first.promise, Promise.resolve({ decision: refused })];
  open('asked twice', () => answers.shift() as Promise<DecidedAgain>);
  state.version += 1;
  const looking = streams.look();
  while (asked() === 0) await nextTurn();
  state.version += 1;
  await streams.look();
  first.resolve({ decision: vera });
  await looking;
  expect(cut).toEqual([]);
  await streams.look();
  expect(cut).toEqual([['asked twice', 'token_revoked']]);
});

test.each([
  ['the right', { ...vera, until: 5_000 }, undefined],
  ['the session', vera, sessionOf('one', 5_000)],
  [
    'the API token',
    {
      ...vera,
      identity: {
        ...plainIdentity('vera', 'viewer', 'api-token'),
        token: { id: 'token', cameras: undefined, expiresAt: 5_000 },
      },
    },
    undefined,
  ],
] as const)('when %s ends by the clock, it is decided again', async (_, permitted, session) => {
  const { streams, state, open, cut, asked } = registry();
  await streams.look();
  open('until then', () => ({ decision: { ...refused, reason: 'token_expired' } }), { permitted, session });
  state.now = 4_999;
  await streams.look();
  expect(asked()).toBe(0);
  state.now = 5_000;
  await streams.look();
  expect(cut).toEqual([['until then', 'token_expired']]);
});

test('a clock that went back has all decided again: a window may not have begun yet', async () => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  state.now = 9_000;
  open('in the window', () => ({ decision: { ...refused, reason: 'role_outside_window' } }), {
    permitted: { ...vera, until: 20_000 },
  });
  state.now = 7_000;
  await streams.look();
  expect(cut).toEqual([['in the window', 'role_outside_window']]);
});

test('what was found out last holds: a session that goes on is asked about again when it ends anew', async () => {
  const { streams, state, open, cut, asked } = registry();
  await streams.look();
  let session = sessionOf('one', 9_000);
  open('refreshed', () => ({ decision: vera, session }), { session: sessionOf('one', 5_000) });
  state.now = 5_000;
  await streams.look();
  state.now = 8_999;
  await streams.look();
  expect(asked()).toBe(1);
  session = sessionOf('one', 9_000);
  state.now = 9_000;
  await streams.look();
  expect([asked(), cut]).toEqual([2, []]);
});

test.each([
  ['another role', { ...vera, identity: plainIdentity('vera', 'admin', 'session') }, 'identity_changed'],
  ['another user', { ...vera, identity: plainIdentity('vero', 'viewer', 'session') }, 'identity_changed'],
  ['another list', { ...vera, narrowed: '/api/driveway?cameras=garage' }, 'grant_changed'],
] as const)('what is permitted to %s is another stream', async (_, now, reason) => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  open('one', () => ({ decision: now }));
  state.version += 1;
  await streams.look();
  expect(cut).toEqual([['one', reason]]);
});

test('a fault ends it, and is told', async () => {
  const { streams, state, open, cut, faults } = registry();
  await streams.look();
  open('throws', () => {
    throw new Error('out of order');
  });
  open('rejects', () => Promise.reject(new Error('out of order')));
  state.version += 1;
  await streams.look();
  expect(new Map(cut)).toEqual(
    new Map([
      ['rejects', 'failure'],
      ['throws', 'failure'],
    ]),
  );
  expect(faults).toEqual([new Error('out of order'), new Error('out of order')]);
});

test('while nobody knows whether something has changed, each look decides', async () => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  const away: Decision = { outcome: 'forbidden', reason: 'store_unavailable', identity: undefined };
  open('one', () => Promise.resolve({ decision: away }), { session: sessionOf('same') });
  open('two', () => Promise.resolve({ decision: vera }), { session: sessionOf('same') });
  state.version = Number.NaN;
  await streams.look();
  expect(cut).toEqual([
    ['one', 'store_unavailable'],
    ['two', 'store_unavailable'],
  ]);
});

describe('a store that a process heard of last at a moment', () => {
  /** By a clock that a test holds; the timers are real, and none is waited for but those of what is past. */
  const heardOf = () => {
    const heard = { at: 0 };
    const made = registry({ knownAt: () => heard.at });
    /** Lets a deadline pass that is waited for. */
    const pass = async (elapsed: number, looking: Promise<void>) => {
      made.state.elapsed = elapsed;
      await vi.advanceTimersByTimeAsync(1_000);
      await looking;
    };
    return { ...made, heard, pass };
  };
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test.each([
    [799, 0],
    [800, 1],
  ])('%i milliseconds ago: %i of what depends on it ends, and is not asked about', async (elapsed, ended) => {
    const { streams, state, open, cut, asked } = heardOf();
    await streams.look();
    open('of a session', allowed, { session: sessionOf('a') });
    open('internal', allowed, {
      permitted: { ...vera, identity: plainIdentity('anonymous', 'admin', 'internal') },
    });
    open('public', allowed, { permitted: { ...vera, identity: undefined } });
    state.elapsed = elapsed;
    await streams.look();
    expect([cut, asked()]).toEqual([[['of a session', 'store_unavailable']].slice(0, ended), 0]);
  });

  test('what is asked again when a change is noticed has until then, and no longer', async () => {
    const { streams, state, open, cut, heard, pass } = heardOf();
    await streams.look();
    open('never answered', () => new Promise(() => undefined));
    state.elapsed = 500;
    state.version += 1;
    heard.at = 450;
    const looking = streams.look();
    await nextTurn();
    await nextTurn();
    // By what was heard before the change, and not by what told of it.
    await vi.advanceTimersByTimeAsync(299);
    state.elapsed = 799;
    await nextTurn();
    expect(cut).toEqual([]);
    await pass(800, looking);
    expect(cut).toEqual([['never answered', 'store_unavailable']]);
  });

  test('what was decided again in time goes on by what is known since', async () => {
    const { streams, state, open, cut, heard } = heardOf();
    await streams.look();
    open('answered', () => Promise.resolve({ decision: vera }));
    state.version += 1;
    heard.at = 700;
    state.elapsed = 750;
    await streams.look();
    state.elapsed = 1_450;
    await streams.look();
    expect(cut).toEqual([]);
  });

  test('each has its own time: one that opened by what was known before goes first', async () => {
    const { streams, state, open, cut, heard, pass } = heardOf();
    await streams.look();
    const mark = streams.mark();
    const never = () => new Promise<never>(() => undefined);
    heard.at = 300;
    state.version += 1;
    await streams.look();
    open('by what is known', never);
    open('by what was known', never, { mark });
    heard.at = 600;
    state.elapsed = 700;
    state.version += 1;
    const looking = streams.look();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    state.elapsed = 800;
    await vi.advanceTimersByTimeAsync(100);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect(cut).toEqual([['by what was known', 'store_unavailable']]);
    await pass(1_100, looking);
    expect(cut.map(([id]) => id)).toEqual(['by what was known', 'by what is known']);
  });

  test('all are asked about at once, and none of the others of one that has no answer', async () => {
    const { streams, state, open, cut, asked, pass } = heardOf();
    await streams.look();
    for (let n = 0; n < 700; n += 1)
      open(`of ${n % 350}`, () => new Promise(() => undefined), { session: sessionOf(String(n % 350)) });
    let isAsked = false;
    open('by a proxy', () => {
      isAsked = true;
      return { decision: vera };
    });
    state.version += 1;
    const looking = streams.look();
    while (asked() < 351) await nextTurn();
    await pass(800, looking);
    expect([cut.length, new Set(cut.map(([, reason]) => reason)), asked(), isAsked]).toEqual([
      700,
      new Set(['store_unavailable']),
      351,
      true,
    ]);
  });
});

test('a busy thread that looks late still has time to decide', async () => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  open('one', () => nextTurn({ decision: vera }));
  state.version += 1;
  state.elapsed = 5_000;
  await streams.look();
  expect(cut).toEqual([]);
});

test('what opens after nothing was open for long was decided by what is known now', async () => {
  const { streams, state, open, cut, asked } = registry({ knownAt: () => state.elapsed });
  await streams.look();
  state.elapsed = 60_000;
  state.version += 1;
  open('one', () => new Promise(() => undefined));
  await streams.look();
  expect([cut, asked()]).toEqual([[], 0]);
});

test('those of one session ask once, and those of others at the same time', async () => {
  const { streams, state, open } = registry();
  await streams.look();
  const gates = new Map(['a', 'b'].map((id) => [id, Promise.withResolvers<DecidedAgain>()]));
  const waiting: string[] = [];
  for (const sessionId of ['a', 'a', 'a', 'b', 'b'])
    open(
      sessionId,
      () => {
        waiting.push(sessionId);
        return gates.get(sessionId)?.promise as Promise<DecidedAgain>;
      },
      { session: sessionOf(sessionId) },
    );
  state.version += 1;
  const looking = streams.look();
  while (waiting.length < 2) await nextTurn();
  expect(waiting).toEqual(['a', 'b']);
  for (const { resolve } of gates.values()) resolve({ decision: vera });
  await looking;
  expect(waiting.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b']);
});

test('a stream is found by its id, and cut once', async () => {
  const { streams, open, cut } = registry();
  open('one', allowed);
  const other = open('two', allowed);
  other.close();
  expect(streams.cut('one')?.id).toBe('one');
  expect([streams.cut('one'), streams.cut('two')]).toEqual([undefined, undefined]);
  expect(cut).toEqual([['one', 'cut_by_admin']]);
});
