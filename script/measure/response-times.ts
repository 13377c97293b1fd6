import { measureScript, runProgram } from './child.ts';

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

/** What else the machine does meets both: their ratio is one of servers. */
export async function besideBare(plan: Plan, bare: string): Promise<Beside> {
  const [ofGate, ofBare] = await Promise.all([
    responseTimes(plan),
    responseTimes({ ...plan, address: bare }),
  ]);
  return { gate: ofGate, bare: ofBare };
}

/** In milliseconds, round by round. */
export function p50Of(rounds: readonly Beside[], server: keyof Beside): number[] {
  return rounds.map((round) => round[server].p50);
}

/** In milliseconds, round by round. */
export function p99Of(rounds: readonly Beside[], server: keyof Beside): number[] {
  return rounds.map((round) => round[server].p99);
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
