import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventId, makeEventDatabase } from './event-databases.ts';
import { startGate } from './gate-process.ts';
import { authorizationRequest, startBareServer } from './authorization-requests.ts';
import { atMost, count, median, secondsText, type Section } from './report.ts';
import { besideBare, besideCells, besideHead, p99Of } from './response-times.ts';
import { each, interleave, ratio, type Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { saturate } from './wrk.ts';

const rate = 500;
const oldEvents = 1_000;
const mostRounds = 5;

// For the events app, as the gate would send it.
const guest = { 'Remote-User': 'gus', 'Remote-Role': 'guests' };
const atticGuest = { 'Remote-User': 'ann', 'Remote-Role': 'attic_guests' };
// For the gate, as a proxy would send it.
const guestOfProxy = { 'Remote-User': 'gus', 'Remote-Groups': 'guests' };

/** How lists and look-ups of a guest slow decisions. */
export async function measureLists(pace: Pace): Promise<Section> {
  const database = join(temporaryDirectory('lists'), 'events.db');
  const size = Math.max(10_000, 300_000 * pace.scale);
  makeEventDatabase(database, size);
  hideOldEvents(database);
  const cameras = Array.from({ length: 9 }, (_, n) => `camera_${n}`);
  const gate = await startGate({
    auth: { enabled: false, roles: { guests: cameras, attic_guests: ['attic'] } },
    proxy: { header_map: { user: 'remote-user', role: 'remote-groups' } },
    events: { database },
  });
  const ids = granted(1_000, size).join(',');
  // A flooding client sends the next request as soon as the last one is answered.
  const floods = {
    plain: { address: gate.events, path: '/api/events', headers: guest },
    label: { address: gate.events, path: '/api/events?label=unknown', headers: guest },
    before: { address: gate.events, path: '/api/events?before=1700000000', headers: guest },
    attic: { address: gate.events, path: '/api/events', headers: atticGuest },
    ids: { address: gate.events, path: `/api/event_ids?ids=${ids}`, headers: guest },
    decisions: {
      address: gate.address,
      path: '/auth',
      headers: authorizationRequest(guestOfProxy, `/api/event_ids?ids=${ids}`),
    },
  } as const;
  const { seconds } = pace;
  const headers = authorizationRequest({ 'Remote-User': 'vera', 'Remote-Groups': 'viewer' });
  const bare = await startBareServer(gate.address, headers);
  const measure = () =>
    besideBare({ address: gate.address, headers, rate, seconds, sleeps: true }, bare.address);
  const rounds = Math.min(mostRounds, pace.rounds);
  const flooded = (name: keyof typeof floods) => async () => {
    const flood = saturate({ ...floods[name], connections: 1, seconds: Math.ceil(seconds + 1) });
    const times = await measure();
    return { ...times, asked: (await flood).rate };
  };
  const figures = await interleave(
    { rounds },
    {
      quiet: async () => ({ ...(await measure()), asked: Number.NaN }),
      plain: flooded('plain'),
      label: flooded('label'),
      before: flooded('before'),
      attic: flooded('attic'),
      ids: flooded('ids'),
      decisions: flooded('decisions'),
    },
  );
  await gate.close();
  const p99 = (name: keyof typeof figures) => p99Of(figures[name], 'gate');
  const row = (title: string, name: keyof typeof figures) => [
    title,
    name === 'quiet' ? '' : count(median(each(figures[name], 'asked'))),
    ...besideCells(figures[name], figures.quiet),
  ];
  const target = (title: string, name: keyof typeof floods) =>
    atMost(`p99 of /auth while a guest asks for ${title}, against quiet`, 2, ratio(p99(name), p99('quiet')));
  return {
    title: '/auth while a guest asks for lists',
    how: `A client asks for \`/auth\` with the headers of a proxy ${rate} times a second, whether the answers come or not, while another one asks a bare \`node:http\` server in the same way. Meanwhile nothing else happens, or a guest, with one connection, asks the events app without pause; the recorder's database has ${count(size)} events. Each runs for ${secondsText(seconds)} in each of ${rounds} rounds.`,
    tables: [
      {
        head: ['meanwhile', 'answers/s', ...besideHead],
        rows: [
          row('nothing', 'quiet'),
          row('the newest 25 events', 'plain'),
          row('a label that no event has', 'label'),
          row('before the first event', 'before'),
          row(`of the one camera of the role, whose ${count(oldEvents)} events are the oldest`, 'attic'),
          row('1,000 events by their ids', 'ids'),
          row('`/auth` about 1,000 events by their ids', 'decisions'),
        ],
      },
    ],
    targets: [
      target('lists of an unknown label', 'label'),
      target('lists of a camera without recent events', 'attic'),
      target('1,000 events by their ids', 'ids'),
      target('decisions on 1,000 ids', 'decisions'),
    ],
  };
}

/** Gives the oldest events to a camera of their own. */
function hideOldEvents(path: string): void {
  const database = new DatabaseSync(path);
  database.prepare("UPDATE event SET camera = 'attic' WHERE rowid <= ?").run(oldEvents);
  database.close();
}

/** Ids at random of events that a guest may see: all but the oldest, and those of `camera_9`. */
function granted(length: number, size: number): string[] {
  return Array.from({ length }, () => {
    const n = randomInt(oldEvents, size);
    return eventId(n % 10 === 9 ? n - 1 : n);
  });
}
