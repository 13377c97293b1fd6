import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/ports.ts';
import { startProgram } from '../measure/child.ts';
import { temporaryDirectory } from '../measure/running.ts';

/** Values by time, in seconds since the epoch. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: ReadonlyArray<readonly [at: number, value: number]>;
}

export interface Prometheus {
  /** The value of each series at a moment. */
  now(query: string, at: number): Promise<readonly Series[]>;
  range(query: string, from: number, to: number): Promise<readonly Series[]>;
}

// Seconds.
const interval = 2;

/** Debian's Prometheus, which scrapes an address every two seconds. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const directory = temporaryDirectory('prometheus');
  const file = join(directory, 'prometheus.yml');
  writeFileSync(
    file,
    `global:
  scrape_interval: ${interval}s
scrape_configs:
  - job_name: postern
    static_configs:
      - targets: ['${target}']
`,
  );
  const port = await freePort();
  const command = `exec prometheus --config.file=${file} --storage.tsdb.path=${directory}/data --web.listen-address=127.0.0.1:${port} 2>&1`;
  await startProgram({ command: 'sh', arguments: ['-c', command] }, (line) =>
    line.includes('Server is ready to receive web requests'),
  );
  const ask = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const url = `http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`;
    const answer = (await (await fetch(url)).json()) as Answer;
    if (answer.status !== 'success') throw new Error(`${parameters['query']}: ${answer.error}`);
    return answer.data.result.map(({ metric, value, values }) => ({
      metric,
      values: (values ?? [value ?? [0, 'NaN']]).map(([at, text]) => [at, Number(text)] as const),
    }));
  };
  return {
    now: (query, at) => ask('query', { query, time: String(at) }),
    range: (query, from, to) =>
      ask('query_range', { query, start: String(from), end: String(to), step: String(interval) }),
  };
}

type Sample = readonly [at: number, value: string];
interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result: ReadonlyArray<{
      readonly metric: Readonly<Record<string, string>>;
      readonly value?: Sample;
      readonly values?: readonly Sample[];
    }>;
  };
}
