import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultyLink } from '../../test/support/faulty-link.ts';
import type { Gate } from '../../test/support/start-gates.ts';
import { count, milliseconds, type Table, type Target } from './report.ts';
import { viewerToken } from './session-tokens.ts';
import { asker, isWell, logOut, type ThreeGates } from './three-gates.ts';

/** Milliseconds for which a gate may continue after the answer that ends a session. */
const limitMs = 1_000;

interface Fault {
  readonly name: string;
  begin(house: ThreeGates): Promise<void> | void;
  end(house: ThreeGates): Promise<void> | void;
}

const ofLink = (name: string, begin: (link: FaultyLink) => void): Fault => ({
  name,
  begin: ({ gates: [, , third] }) => begin(third.link),
  end: ({ gates: [, , third] }) => third.link.restore(),
});

const faults: readonly Fault[] = [
  ofLink('nothing', () => undefined),
  ofLink('link cut', (link) => link.cut()),
  ofLink('link stalled', (link) => link.stall()),
  ofLink('answers lost', (link) => link.stall('answers')),
  ofLink('slow: 250 ms each way', (link) => link.delay(250)),
  ofLink('slow: 500 ms each way', (link) => link.delay(500)),
  {
    name: 'PostgreSQL killed and started',
    begin: ({ cluster }) => cluster.kill(),
    end: ({ cluster }) => cluster.start(),
  },
  {
    name: 'gate stopped and continued',
    begin: ({ gates: [, , third] }) => void process.kill(third.pid(), 'SIGSTOP'),
    end: ({ gates: [, , third] }) => void process.kill(third.pid(), 'SIGCONT'),
  },
];

interface Tally {
  /** Asked more than `allowedMs` after the end of a session. */
  late: number;
  /** Of those, allowed. */
  wrong: number;
  /** Milliseconds from the end of a session to the last question about it that was allowed. */
  latest: number;
  rounds: number;
  /** Answers of the gate without a fault to a session that had not ended. */
  good: number;
  refused: number;
}

/** @param questions to ask, under all faults together, of those that a wrong answer would be an answer to */
export async function measureFaults(
  house: ThreeGates,
  questions: number,
): Promise<{ readonly table: Table; readonly wrong: number }> {
  const rows: string[][] = [];
  let wrong = 0;
  for (const fault of faults) {
    const tally: Tally = { late: 0, wrong: 0, latest: 0, rounds: 0, good: 0, refused: 0 };
    while (tally.late < questions / faults.length) await oneRound(house, fault, tally);
    wrong += tally.wrong;
    const { late, latest, rounds, good, refused } = tally;
    rows.push([
      fault.name,
      count(rounds),
      count(late),
      count(tally.wrong),
      milliseconds(latest),
      `${count(refused)} of ${count(good + refused)}`,
    ]);
  }
  return {
    wrong,
    table: {
      head: [
        'fault',
        'times',
        'questions after a second',
        'wrongly allowed',
        'last allowed after',
        'another session refused at the second gate',
      ],
      rows,
    },
  };
}

export function wrongTarget(wrong: number): Target {
  return {
    measured: 'wrongly allowed after a second, all faults',
    target: '0',
    value: count(wrong),
    met: wrong === 0,
  };
}

/** Sessions that end in one round. */
const leaving = 8;

/** Milliseconds, at most, before the fault begins, while it lasts, and after. */
const before = 400;
const during = 2_000;

async function oneRound(house: ThreeGates, fault: Fault, tally: Tally): Promise<void> {
  const { gates } = house;
  const [first, second] = gates;
  const staying = viewerToken();
  await Promise.all(gates.map((gate) => isWell(gate, staying)));
  const sessions = Array.from({ length: leaving }, (_, n) => ({
    token: viewerToken(n),
    ended: Number.POSITIVE_INFINITY,
  }));
  const state = { isOver: false };
  const asking = gates.flatMap((gate) => sessions.map((session) => askUntil(state, gate, session, tally)));
  const beside = askBeside(state, second, staying, tally);
  const ending = sessions.map(async (session) => {
    await sleep(randomInt(before + during));
    // A session has ended once a gate confirms it, which none does while PostgreSQL is down.
    while (!state.isOver && !(await logOut(first, session.token))) await sleep(50);
    if (!state.isOver) session.ended = performance.now();
  });
  await sleep(randomInt(before));
  await fault.begin(house);
  await sleep(during);
  await fault.end(house);
  await Promise.all(ending);
  await sleep(2 * limitMs);
  state.isOver = true;
  await Promise.all([...asking, beside]);
  tally.rounds += 1;
}

async function askUntil(
  state: { readonly isOver: boolean },
  gate: Gate,
  session: { readonly token: string; readonly ended: number },
  tally: Tally,
): Promise<void> {
  using asking = asker(gate);
  while (!state.isOver) {
    const sent = performance.now();
    const status = await asking.ask(session.token);
    const after = sent - session.ended;
    if (status === 200) tally.latest = Math.max(tally.latest, after);
    if (after < limitMs) continue;
    tally.late += 1;
    if (status === 200) tally.wrong += 1;
    // A connection that is refused at once would be asked without end.
    if (status === 0) await sleep(5);
  }
}

async function askBeside(
  state: { readonly isOver: boolean },
  gate: Gate,
  token: string,
  tally: Tally,
): Promise<void> {
  using asking = asker(gate);
  while (!state.isOver) {
    if ((await asking.ask(token)) === 200) tally.good += 1;
    else tally.refused += 1;
    await sleep(10);
  }
}
