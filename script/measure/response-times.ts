import { measureScript, runProgram } from './child.ts';
import { median, milliseconds } from './report.ts';
import { ratioText } from './rounds.ts';

/** Milliseconds. */
export interface ResponseTimes {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

interface Plan {
  readonly address: string;
  /** `{record}` in a value is replaced by the next of `lines`. */
  readonly headers: Readonly<Record<string, string>>;
  /** A file; absent: every request is the same. */
  readonly lines?: string;
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
  /** See open-loop-client.ts. */
  readonly sleeps?: boolean;
}

/** A server that is measured, and a bare one, asked in the same moment. */
export interface Beside {
  readonly gate: ResponseTimes;
  readonly bare: ResponseTimes;
}

/** Asks both at once: other load on the machine slows both, so their ratio is about the servers. */
export async function besideBare(plan: Plan, bare: string): Promise<Beside> {
  const [ofGate, ofBare] = await Promise.all([
    responseTimes(plan),
    responseTimes({ ...plan, address: bare }),
  ]);
  return { gate: ofGate, bare: ofBare };
}

/** In milliseconds, round by round. */
export function p99Of(rounds: readonly Beside[], server: keyof Beside): number[] {
  return rounds.map((round) => round[server].p99);
}

export const besideHead = ['p50', 'p99', 'p99 of bare', 'p99 against bare', 'against quiet'] as const;

/** The cells below `besideHead`. @param quiet the rounds in which nothing else happened */
export function besideCells(rounds: readonly Beside[], quiet: readonly Beside[]): string[] {
  const [gate, bare] = [p99Of(rounds, 'gate'), p99Of(rounds, 'bare')];
  return [
    milliseconds(median(rounds.map((round) => round.gate.p50))),
    milliseconds(median(gate)),
    milliseconds(median(bare)),
    ratioText(gate, bare),
    ratioText(gate, p99Of(quiet, 'gate')),
  ];
}

/** How long answers of `/auth` take at a fixed rate, over 32 connections; a client process of its own asks. */
export async function responseTimes({ headers, sleeps = false, ...plan }: Plan): Promise<ResponseTimes> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET /auth HTTP/1.1\r\n${lines.join('')}\r\n`;
  const client = measureScript(
    'open-loop-client.ts',
    JSON.stringify({ ...plan, request, sleeps, connections: 32 }),
  );
  return JSON.parse(await runProgram(client)) as ResponseTimes;
}
