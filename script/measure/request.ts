import { join } from 'node:path';
import { inTurns, median, memory, microseconds, milliseconds, ratio, times, type Pace } from './figures.ts';
import { cookieOf, openSite, roleVerified, startBare, startGate } from './gate.ts';
import { askAtRate, askFully, type Load } from './load.ts';
import { isBusy } from './machine.ts';
import { peerIn, startPeers, storedPeers, storePeers } from './peers.ts';
import { residentMemory } from './programs.ts';
import { questionHeaders, writePageQuestions } from './questions.ts';
import type { Measured, Measurement } from './targets.ts';

/** Whoever answers a front's question. */
export interface Asked extends Load {
  readonly pid: number;
}

const [bareName, viewerName, neighbourName] = [
  'bare node:http',
  'Postern',
  'Postern, role limited to cameras',
];

export const request: Measurement = {
  name: 'request',
  title: 'A request',
  sentence:
    'Your web server asks Postern about each request of a browser. Here wrk asks instead, over 32 connections, with a session, and about another URL of Frigate’s pages each time. p50 and p99: time of an answer at half of the full load. Memory: after the load. A date names an earlier run.',
  async measure(pace) {
    const site = await openSite(100_000);
    const gate = await startGate(site.config);
    await roleVerified(gate);
    const cookies = { viewer: cookieOf('viewer'), neighbour: cookieOf('neighbour') };
    const write = (visitor: keyof typeof cookies) =>
      writePageQuestions(join(site.directory, visitor), visitor);
    const headers = questionHeaders(cookies.viewer);
    const viewer = { ...gate, headers, lines: write('viewer') };
    const asked: Record<string, Asked> = {
      [bareName]: { ...viewer, ...(await startBare(gate, cookies.viewer)) },
      [viewerName]: viewer,
      [neighbourName]: {
        ...gate,
        headers: questionHeaders(cookies.neighbour),
        lines: write('neighbour'),
      },
      ...(await startPeers(viewer.lines)),
    };
    return compare(pace, asked);
  },
};

async function compare({ rounds, seconds, scale }: Pace, asked: Readonly<Record<string, Asked>>) {
  const each = <Figure>(ask: (one: Asked, name: string) => Promise<Figure>) =>
    Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, () => ask(one, name)]));
  const full = await inTurns(
    rounds,
    each((one) => askFully(one, seconds, one.pid)),
  );
  const held = Object.fromEntries(
    Object.entries(asked).map(([name, { pid }]) => [name, residentMemory(pid)]),
  );
  const delays = await inTurns(
    rounds,
    each((one, name) => askAtRate(one, median(full[name] ?? [], 'rate') / 2, seconds)),
  );
  const against = (name: string) => ratio(full[name] ?? [], full[bareName] ?? [], 'processor');
  const rows = Object.keys(asked).map((name) => [
    name,
    microseconds(median(full[name] ?? [], 'processor')),
    times(against(name)),
    milliseconds(median(delays[name] ?? [], 'p50')),
    milliseconds(median(delays[name] ?? [], 'p99')),
    memory(held[name] ?? Number.NaN),
  ]);
  const peers = rows.slice(3);
  if (scale === 1 && !isBusy && peers.length > 0) storePeers(peers);
  const stored = storedPeers().filter(([title = '']) => !Object.hasOwn(asked, peerIn(title)));
  const processor = median(full[viewerName] ?? [], 'processor');
  return {
    says: `An answer takes ${microseconds(processor)} of one core, and a page with 100 pictures ${milliseconds(processor / 10)}.`,
    rows: [['', 'processor time', 'against bare', 'p50', 'p99', 'memory'], ...rows, ...stored],
    figures: { request: against(viewerName), roleOfCameras: against(neighbourName) },
  } satisfies Measured;
}
