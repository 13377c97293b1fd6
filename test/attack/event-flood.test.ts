import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEventsApp } from '../../src/events/events-app.ts';
import { searchLimits } from '../../src/events/event-search.ts';
import { recorderDatabase, type RecorderDatabase } from '../../src/events/recorder-database.ts';
import { accessOfRole } from '../../src/policy/role-access.ts';
import { createRoundRobin } from '../../src/round-robin.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { rolesOf } from '../support/roles.ts';
import { mostInOneTurn } from '../support/turns.ts';
import { recorderFile, type RecorderFile } from '../unit/events/recorder-file.ts';

/* A cheap question with a dear answer: a guest's list finds nothing in the rows of other cameras. Turns and rows are counted, not time. */

const roles = rolesOf([['guests', new Set(['front'])]]);
const crowd = 3 * searchLimits.inAll;
const floods = 60;

let file: RecorderFile;
let database: RecorderDatabase;
/** Pieces of work at the recorder's file, and rows that they read. */
let pieces = 0;
let rows = 0;
let ask: (user: string, role: string, uri: string) => Promise<Response>;

beforeAll(() => {
  file = recorderFile();
  file.recorder.exec('PRAGMA synchronous = OFF; BEGIN');
  for (let n = 0; n < crowd; n += 1)
    file.addEvent({ id: `s${n}`, camera: 'secret_room', start_time: 10_000 + n });
  // More than are read at once, so that the rows of other cameras are looked at.
  for (let n = 0; n <= searchLimits.atOnce; n += 1)
    file.addEvent({ id: `f${n}`, camera: 'front', start_time: n });
  file.recorder.exec('COMMIT');
  database = recorderDatabase(file.path);
});
afterAll(() => {
  database.close();
  file.remove();
});
beforeEach(() => {
  [pieces, rows] = [0, 0];
  const app = createEventsApp({
    database: {
      ...database,
      newestEvents: (range, most) => {
        pieces += 1;
        const found = database.newestEvents(range, most);
        rows += found.looked;
        return found;
      },
    },
    roundRobin: createRoundRobin(),
    grantOf: (role) => accessOfRole(role, roles).cameras,
    onRefused: () => undefined,
    logger: createLogger('info', { write: () => undefined }),
  });
  ask = async (user, role, uri) =>
    app.request(uri, { headers: { 'remote-user': user, 'remote-role': role } });
});
const flood = () =>
  Promise.all(Array.from({ length: floods }, () => ask('mallory', 'guests', '/api/events?limit=50')));

test('one such list reads a bounded number of rows, in pieces', async () => {
  const list = ask('mallory', 'guests', '/api/events?limit=50');
  expect(await mostInOneTurn(list, () => rows)).toBeLessThanOrEqual(searchLimits.atOnce);
  const { status, headers } = await list;
  expect([status, headers.has('link')]).toEqual([200, true]);
  expect(rows).toBeLessThanOrEqual(searchLimits.inAll + searchLimits.atOnce);
});

test('many of them do one piece in a turn of the process, which does other things in between', async () => {
  const flooding = flood();
  expect(await mostInOneTurn(flooding, () => pieces)).toBe(1);
  expect((await flooding).map(({ status }) => status)).toEqual(Array.from({ length: floods }, () => 200));
  expect(pieces).toBeGreaterThan(floods * 5);
});

test('others are answered in between', async () => {
  let isOver = false;
  const flooding = flood().finally(() => (isOver = true));
  for (let turn = 0; turn < 40; turn += 1) await nextTurn();
  for (const user of ['nell', 'vera', 'olaf']) {
    const before = pieces;
    const { status } = await ask(user, 'viewer', '/api/events?limit=3');
    // Each piece of its own waits for one of the flood.
    expect([status, pieces - before <= 6, isOver]).toEqual([200, true, false]);
  }
  await flooding;
});
