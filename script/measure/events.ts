import { randomInt } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureScript, runProgram, startProgram } from './child.ts';
import { eventId, makeEventDatabase } from './event-databases.ts';
import { startGate } from './gate-process.ts';
import { atMost, count, median, type Section, type Target } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { saturate, type Records } from './wrk.ts';

const targetIds = 100;
const idCounts = [1, targetIds, 1_000];

/** Lookups of events by id, against the bare statement. */
export async function measureEvents(pace: Pace): Promise<Section> {
  const isQuick = pace.rounds === 1;
  const sizes = (isQuick ? [10_000_000] : [10_000, 1_000_000, 10_000_000]).map((size) =>
    Math.max(10_000, size * pace.scale),
  );
  const directory = temporaryDirectory('events');
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const size of sizes) {
    const path = join(directory, 'events.db');
    makeEventDatabase(path, size);
    const gate = await startGate({ events: { database: path } });
    const bare = await startProgram(measureScript('bare-lookup.ts', path), () => true);
    for (const ids of isQuick ? [targetIds] : idCounts) {
      const lookups = writeLookups(directory, size, ids);
      const isTarget = size === sizes.at(-1) && ids === targetIds;
      const {
        app,
        bare: behindHttp,
        direct,
      } = await lookUp({
        rounds: isTarget ? pace.rounds : Math.min(2, pace.rounds),
        seconds: Math.min(1, pace.seconds),
        path,
        gate: gate.events,
        bare: bare.lines[0] ?? '',
        lookups,
      });
      rows.push([
        count(size),
        count(ids),
        count(median(app)),
        `${(1_000 / median(app)).toFixed(2)} ms`,
        ratioText(behindHttp, app),
        ratioText(direct, app),
      ]);
      if (isTarget) {
        const name = `event lookup, 100 ids, ${count(size)} rows: time, against the bare statement plus JSON`;
        targets.push(
          atMost(`${name}, both over HTTP`, 1.4, ratio(behindHttp, app)),
          atMost(`${name}, without HTTP`, 1.6, ratio(direct, app)),
        );
      }
    }
    await bare.stop();
    await gate.close();
    rmSync(path);
  }
  return {
    title: 'Event lookup',
    how: `wrk (4 connections) asks the events app for events by random ids (\`GET /api/event_ids\`). Beside it a bare \`node:http\` server runs the same prepared statement and \`JSON.stringify\` of the same records; and a process without HTTP runs both on its rows as they come. Each runs for a second (without HTTP for half of one) in 2 rounds, and in as many as elsewhere where the target is. Times are of one lookup after the other.`,
    tables: [
      {
        head: [
          'events',
          'ids',
          'events app, lookups/s',
          'time',
          'time / bare over HTTP',
          'time / bare without HTTP',
        ],
        rows,
      },
    ],
    targets,
  };
}

function lookUp({
  rounds,
  seconds,
  path,
  gate,
  bare,
  lookups,
}: {
  readonly rounds: number;
  readonly seconds: number;
  readonly path: string;
  readonly gate: string;
  readonly bare: string;
  readonly lookups: Records;
}) {
  const headers = { 'Remote-User': 'olaf', 'Remote-Role': 'admin' };
  const rate = (address: string, page: string) => async () => {
    const load = { address, headers, path: `${page}?ids={record}`, seconds, connections: 4 };
    return (await saturate({ ...load, records: { ...lookups, order: { from: 0 } } })).rate;
  };
  const direct = measureScript(
    'bare-lookup.ts',
    path,
    lookups.path,
    String(lookups.length),
    String(seconds / 2),
  );
  return interleave(
    { rounds },
    {
      app: rate(gate, '/api/event_ids'),
      bare: rate(bare, '/api/event_ids'),
      direct: async () => Number(await runProgram(direct)),
    },
  );
}

/** A thousand lookups for events at random. */
function writeLookups(directory: string, size: number, ids: number): Records {
  const path = join(directory, 'lookups');
  const lookup = () => Array.from({ length: ids }, () => eventId(randomInt(size))).join(',');
  const text = Array.from({ length: 1_000 }, lookup).join('');
  writeFileSync(path, text);
  return { path, count: 1_000, length: text.length / 1_000 };
}
