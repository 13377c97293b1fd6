import { startBareServer } from '../authorization-requests.ts';
import { processorTime, residentMemory } from '../child.ts';
import { interleave, type Figures, type Pace } from '../rounds.ts';
import { saturate } from '../wrk.ts';
import { checkAnswers, isAllowed, questionTo, statusOf, type Answers } from './check.ts';
import type { SignedIn } from './contestant.ts';

/** A gate, and what it is asked about: a file with one request a line. */
export interface Asked {
  readonly gate: SignedIn;
  readonly lines: string;
}

export interface Figure {
  /** Answers a second. */
  readonly rate: number;
  /** Microseconds of the processor for each answer. */
  readonly processor: number;
}

export interface Result {
  readonly answers: Answers;
  readonly figures: readonly Figure[];
  /** MiB, after the rounds. */
  readonly memory: number;
  /** The status of the answer to the same cookie after signing out. */
  readonly signedOut: number;
}

export interface Results {
  readonly gates: ReadonlyMap<string, Result>;
  readonly bare: readonly Figure[];
}

const uri = '/api/events?limit=25';

/** Asks all of them, and a bare server that answers what the first does, in turns. */
export async function askAll(pace: Pace, gates: ReadonlyMap<string, Asked>): Promise<Results> {
  for (const [name, { gate }] of gates) await checkAnswers(name, gate, uri);
  const figures = await measure(pace, gates);
  const results = new Map<string, Result>();
  for (const [name, { gate }] of gates) {
    results.set(name, {
      // A session that ended in between would have been redirected, and counted.
      answers: await checkAnswers(name, gate, uri),
      figures: figures[name] ?? [],
      memory: residentMemory(gate.pid),
      signedOut: await afterSignOut(name, gate),
    });
  }
  return { gates: results, bare: figures['bare'] ?? [] };
}

async function measure(pace: Pace, gates: ReadonlyMap<string, Asked>): Promise<Figures<string, Figure>> {
  const variants: Record<string, () => Promise<Figure>> = {};
  for (const [name, asked] of gates) variants[name] = async () => askOne(pace, asked);
  const [first] = gates.values();
  if (first === undefined) throw new Error('there is nothing to compare');
  const { address, pid } = await startBareServer(
    first.gate.address,
    questionTo(first.gate, uri, first.gate.cookie),
  );
  const bare = { lines: first.lines, gate: { ...first.gate, address, pid } };
  return interleave(pace, { ...variants, bare: async () => askOne(pace, bare) });
}

async function askOne({ seconds }: Pace, { gate, lines }: Asked): Promise<Figure> {
  const { address, path, pid, cookie } = gate;
  const before = processorTime(pid);
  const headers = questionTo(gate, '/{record}', cookie);
  const { rate, requests } = await saturate({ address, path, headers, seconds, records: { lines } });
  return { rate, processor: ((processorTime(pid) - before) / requests) * 1e6 };
}

async function afterSignOut(name: string, gate: SignedIn): Promise<number> {
  const { status } = await gate.signOut();
  if (status >= 400) throw new Error(`${name} answers ${status} to signing out`);
  const after = await statusOf(gate, uri, gate.cookie);
  if (!isAllowed(after) && after !== 401) throw new Error(`${name} answers ${after} after signing out`);
  return after;
}
