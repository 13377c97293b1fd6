import { mayByDefault, mayEverything } from '../../../../src/policy/capability.ts';
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
  may: mayEverything,
  path: '/api/driveway',
};
const refused: Decision = { outcome: 'unauthenticated', reason: 'token_revoked', identity: undefined };
const sessionOf = (sessionId: string, expiresAt = Number.POSITIVE_INFINITY): StreamSession => ({
  expiresAt,
  claims: { sessionId },
});

/** Open streams with a store and a clock that a test controls. */
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
      agent: () => undefined,
      decideAgain: async () => {
        asked += 1;
        return decide();
      },
      cut: () => undefined,
      ...more,
    });
    // It only looks when the test calls it.
    streams.close();
    return opened;
  };
  return { streams, state, cut, faults, open, asked: () => asked };
}

const allowed = (decision: Decision = vera) => ({ decision });

test('decides nothing again while nothing has changed', async () => {
  const { streams, open, asked } = registry();
  await streams.look();
  open('one', allowed);
  await streams.look();
  await streams.look();
  expect(asked()).toBe(0);
});

test('decides each again once after a change, and cuts refused ones', async () => {
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

test('decides again if a change was noticed between decision and opening', async () => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  const mark = streams.mark();
  state.version += 1;
  await streams.look();
  open('late', () => ({ decision: refused }), { mark });
  await streams.look();
  expect(cut).toEqual([['late', 'token_revoked']]);
});

test('does not miss a change while the store is asked', async () => {
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
] as const)('decides again when %s expires', async (_, permitted, session) => {
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

test('decides all again after the clock went back: a schedule may not have begun', async () => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  state.now = 9_000;
  open('in the window', () => ({ decision: { ...refused, reason: 'role_outside_schedule' } }), {
    permitted: { ...vera, until: 20_000 },
  });
  state.now = 7_000;
  await streams.look();
  expect(cut).toEqual([['in the window', 'role_outside_schedule']]);
});

test('uses the latest answer: a prolonged session is decided again at its new end', async () => {
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
] as const)('ends a stream that would now be permitted to %s', async (_, now, reason) => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  open('one', () => ({ decision: now }));
  state.version += 1;
  await streams.look();
  expect(cut).toEqual([['one', reason]]);
});

test('ends a stream after an error, and reports it', async () => {
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

test('decides with each look while changes cannot be noticed', async () => {
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

test('a stream hears of each decision by which it continues, once that decision applies', async () => {
  const { state, streams, open } = registry();
  const heard: unknown[] = [];
  let decision: Decision = { ...vera, may: mayByDefault };
  const stream = open('one', () => ({ decision }));
  stream.onGoOn = () => heard.push(stream.permitted.may);
  await streams.look();
  expect(heard).toEqual([]);
  state.version += 1;
  await streams.look();
  expect(heard).toEqual([mayByDefault]);
  decision = refused;
  state.version += 1;
  await streams.look();
  expect([heard.length, stream.isCut]).toEqual([1, true]);
});

describe('a store that last answered at some time', () => {
  /** By a clock that a test controls; the timers are real, and only those that are overdue are awaited. */
  const heardOf = () => {
    const heard = { at: 0 };
    const made = registry({ knownAt: () => heard.at });
    /** Lets an awaited deadline pass. */
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
  ])('%i milliseconds ago: %i streams end without being asked about', async (elapsed, ended) => {
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

  test('questions after a change have the same deadline', async () => {
    const { streams, state, open, cut, heard, pass } = heardOf();
    await streams.look();
    open('never answered', () => new Promise(() => undefined));
    state.elapsed = 500;
    state.version += 1;
    heard.at = 450;
    const looking = streams.look();
    await nextTurn();
    await nextTurn();
    // By the answer before the change, not by the one that revealed it.
    await vi.advanceTimersByTimeAsync(299);
    state.elapsed = 799;
    await nextTurn();
    expect(cut).toEqual([]);
    await pass(800, looking);
    expect(cut).toEqual([['never answered', 'store_unavailable']]);
  });

  test('a stream that was decided again in time continues by the new answer', async () => {
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

  test('each has its own deadline: the one with the earlier answer ends first', async () => {
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

  test('all are asked about together, and once per session without an answer', async () => {
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

test('still has time to decide if a busy thread looks late', async () => {
  const { streams, state, open, cut } = registry();
  await streams.look();
  open('one', () => nextTurn({ decision: vera }));
  state.version += 1;
  state.elapsed = 5_000;
  await streams.look();
  expect(cut).toEqual([]);
});

test('decides a first stream after a long time by the current state', async () => {
  const { streams, state, open, cut, asked } = registry({ knownAt: () => state.elapsed });
  await streams.look();
  state.elapsed = 60_000;
  state.version += 1;
  open('one', () => new Promise(() => undefined));
  await streams.look();
  expect([cut, asked()]).toEqual([[], 0]);
});

test('asks once per session, and for all sessions at the same time', async () => {
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

test('finds a stream by its id, and cuts it once', async () => {
  const { streams, open, cut } = registry();
  open('one', allowed);
  const other = open('two', allowed);
  other.close();
  expect(streams.cut('one')?.id).toBe('one');
  expect([streams.cut('one'), streams.cut('two')]).toEqual([undefined, undefined]);
  expect(cut).toEqual([['one', 'stopped']]);
});
