import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { processorTime, runProgram } from './programs.ts';

/** What a server is asked. */
export interface Load {
  /** `host:port` or, at a fixed rate only, `unix:/path`. */
  readonly address: string;
  /** `{1}` and `{2}` in the path and in values are replaced by the fields of a line. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A file with one request a line. */
  readonly lines: string;
}

const connections = 32;

/**
 * Asks as fast as the server answers, by wrk in one thread.
 * @param pids processes whose processor time counts
 * @returns answers a second, and microseconds of the processor for each
 * @throws when an answer is missing or refuses
 */
export async function askFully(load: Load, seconds: number, ...pids: readonly number[]) {
  const { address, path = '/auth', headers, lines } = load;
  const timeOfAll = () => pids.reduce((sum, pid) => sum + processorTime(pid), 0);
  const before = timeOfAll();
  const output = await runProgram({
    command: 'wrk',
    arguments: [
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${Math.ceil(seconds)}s`,
      '--timeout=10s',
      `--script=${join(import.meta.dirname, 'load.lua')}`,
      ...Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`),
      `http://${address}${path}`,
    ],
    environment: { RECORDS: lines, SEED: String(randomInt(2 ** 31)) },
  });
  const result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '{}') as Readonly<Record<string, number>>;
  const { requests = 0, failed = 1 } = result;
  if (requests === 0 || failed > 0) throw new Error(`${address}${path}: ${output}`);
  return {
    rate: requests / (result['seconds'] ?? Number.NaN),
    processor: ((timeOfAll() - before) / requests) * 1e6,
  };
}

/**
 * Asks at a fixed rate, whether the answers come or not, from a process of its own.
 * @param rate requests a second
 * @param sleeps see fixed-rate-client.ts
 * @returns milliseconds
 */
export async function askAtRate(load: Load, rate: number, seconds: number, sleeps = false) {
  const { address, path = '/auth', headers, lines } = load;
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`;
  const plan = { address, request, lines, rate, seconds, connections, sleeps };
  const client = [join(import.meta.dirname, 'fixed-rate-client.ts'), JSON.stringify(plan)];
  const output = await runProgram({ command: process.execPath, arguments: client });
  return JSON.parse(output) as Readonly<Record<'p50' | 'p99', number>>;
}
