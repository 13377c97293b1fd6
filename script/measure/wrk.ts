import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './child.ts';

/** A file of records of one length, of which each request takes one; see load.lua. */
export interface Records {
  readonly path: string;
  readonly count: number;
  /** Bytes of one record. */
  readonly length: number;
}

/** A file of records, one a line, of which each request takes the next; see load.lua. */
interface Lines {
  readonly lines: string;
  /** Bytes before its first line; random by default. */
  readonly from?: number;
}

export interface Load {
  /** `host:port` */
  readonly address: string;
  /** Without a word, `/auth`. */
  readonly path?: string;
  /** `{record}` in a value, or in the path, is replaced by a record. */
  readonly headers: Readonly<Record<string, string>>;
  /** Less than one: a few requests. */
  readonly seconds: number;
  /** Requests after which the run ends before its time. */
  readonly limit?: number;
  readonly connections?: number;
  readonly records?: OrderedRecords | Lines;
}

type OrderedRecords = Records & { readonly order: 'random' | { readonly from: number } };

export interface LoadResult {
  readonly requests: number;
  /** Answers per second. */
  readonly rate: number;
  /** Bytes of answers per second, with their header lines. */
  readonly bytes: number;
  /** Records that were taken. */
  readonly used: number;
}

const defaultConnections = 32;
const fewRequests = 200;

/** Saturates a server with wrk in one thread. @throws when a single answer is missing or is not 2xx or 3xx */
export async function saturate(load: Load): Promise<LoadResult> {
  const { address, path = '/auth', headers, seconds, connections = defaultConnections, records } = load;
  const limit = load.limit ?? (seconds < 1 ? fewRequests : undefined);
  const script = join(import.meta.dirname, 'load.lua');
  const output = await runProgram({
    command: 'wrk',
    arguments: [
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${seconds < 1 ? 10 : seconds}s`,
      '--timeout=10s',
      `--script=${script}`,
      ...Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`),
      `http://${address}${path}`,
    ],
    environment: {
      ...(records && environmentOf(records)),
      ...(limit !== undefined && { LIMIT: String(limit) }),
    },
  });
  const result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? 'null') as {
    readonly requests: number;
    readonly bytes: number;
    readonly microseconds: number;
    readonly failed: number;
    readonly refused: number;
    readonly used: number;
  } | null;
  if (result === null || result.requests === 0 || result.failed > 0 || result.refused > 0)
    throw new Error(`${address}${path.slice(0, 80)}: ${output}`);
  const perSecond = 1e6 / result.microseconds;
  const { requests } = result;
  return { requests, rate: requests * perSecond, bytes: result.bytes * perSecond, used: result.used };
}

function environmentOf(records: OrderedRecords | Lines): Readonly<Record<string, string>> {
  if ('lines' in records) {
    const { lines, from = randomInt(statSync(lines).size) } = records;
    return { RECORDS: lines, FROM: String(from), SEED: '0' };
  }
  const { path, count, length, order } = records;
  return {
    RECORDS: path,
    RECORD_LENGTH: String(length),
    COUNT: String(count),
    ORDER: order === 'random' ? 'random' : 'next',
    FROM: order === 'random' ? '0' : String(order.from),
    SEED: String(randomInt(2 ** 31)),
  };
}
