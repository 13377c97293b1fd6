import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adapters } from '../support/front-requests.ts';
import { adminOf, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { openShare, shareOf, type MadeShare } from '../support/share.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';

const sample = join(projectRoot, 'test', 'support', 'recorder.db');
const ownEvent = '1793000935.726501-j8ht9l';
const otherEvent = '1793001976.611703-seh60k';
const pageSize = 4_096;

let directory: string;
let path: string;
let upstream: RecordingUpstream;
let gateway: RunningGateway;
let admin: Visitor;
let vera: Visitor;
let gus: Visitor;
let share: MadeShare;
let shareCookie: string | undefined;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'postern-recorder-'));
  path = join(directory, 'recorder.db');
  makeGood();
  upstream = await startRecordingUpstream();
  gateway = await startGateway({
    config: {
      auth: {
        roles: { street: ['front_door'] },
        role_access: { street: { may: ['live', 'history', 'export'] } },
      },
      cameras: ['front_door', 'garage', 'back_yard'],
      events: { database: path },
      upstream: `http://${upstream.address}`,
    },
  });
  const at = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  vera = await userOf(admin, at, 'vera', 'viewer');
  gus = await userOf(admin, at, 'gus', 'street');
  share = await shareOf(vera, { kind: 'event', id: ownEvent, expires_in: 3_600 });
  shareCookie = (await openShare(visitor(at), share)).cookie;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  rmSync(directory, { recursive: true });
});

/** Puts another good file in the place of whatever is there, as Frigate would. */
function makeGood(): void {
  rmSync(path, { recursive: true, force: true });
  copyFileSync(sample, `${path}.new`);
  const file = new DatabaseSync(`${path}.new`);
  file.exec(`INSERT INTO reviewsegment VALUES ('1.r', 'front_door', 1, 2, 'alert', '/t.webp', '{}')`);
  file.close();
  renameSync(`${path}.new`, path);
}

/** Each is undone by a good file in its place. */
const whole: ReadonlyArray<readonly [what: string, fault: string, spoil: () => (() => void) | void]> = [
  [
    'locked exclusively',
    'locked',
    () => {
      const other = new DatabaseSync(path);
      other.exec('BEGIN EXCLUSIVE');
      return () => other.close();
    },
  ],
  [
    'locked exclusively, with a log',
    'locked',
    () => {
      const other = new DatabaseSync(path);
      other.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT');
      return () => other.close();
    },
  ],
  ['missing', 'missing', () => rmSync(path)],
  ['cut to nothing', 'foreign', () => truncateSync(path, 0)],
  ['cut within its header', 'damaged', () => truncateSync(path, 50)],
  ['cut behind its header', 'damaged', () => truncateSync(path, 512)],
  ['cut behind its first page', 'damaged', () => truncateSync(path, pageSize)],
  ['of another kind', 'damaged', () => writeFileSync(path, 'no database at all '.repeat(1_000))],
  ['damaged behind its first page', 'damaged', () => overwrite(pageSize, statSync(path).size)],
  [
    'a directory',
    'not_a_file',
    () => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  [
    'a named pipe',
    'not_a_file',
    () => {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
  ],
];

function overwrite(from: number, to: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  closeSync(file);
}

const thumbnailOf = (id: string) => `/api/events/${id}/thumbnail.jpg`;
const exported = '/exports/front_door_parcel.mp4';
const review = '/api/review/1.r';
const named = [thumbnailOf(ownEvent), exported, review];
const statusOf = async (who: Visitor, uri: string) => (await who.send('GET', uri)).status;
const statusesOf = async (who: Visitor) => {
  const found: number[] = [];
  for (const uri of named) found.push(await statusOf(who, uri));
  return found;
};
/** The answer to each front about a request of the custom role. */
const askedBy = async (uri: string) => {
  const found: number[] = [];
  for (const ask of Object.values(adapters)) {
    const headers = [['Cookie', `session_token=${gus.token}`]] as const;
    const at = gateway.addresses.forwardAuthAuthenticated ?? '';
    found.push((await sendRaw(at, ask({ uri, headers }))).status);
  }
  return found;
};
const shared = async () => {
  const uri = `/postern/share/${share.id}/media${thumbnailOf(ownEvent)}`;
  const headers = [['Cookie', `postern_share=${shareCookie}`]] as const;
  return (await sendRaw(gateway.addresses.authenticated ?? '', { uri, headers }, true)).status;
};
const linesSince = (before: number) =>
  gateway.log
    .slice(before)
    .filter(({ level, msg }) => level === 'error' || String(msg).startsWith('events.database'))
    .map(({ level, fault, err }) => [level, fault, err]);
const attention = async (who: Visitor) =>
  (
    JSON.parse((await who.send('GET', '/postern/api/attention')).body) as Array<{
      kind: string;
      detail: object;
    }>
  ).find(({ kind }) => kind === 'events_unreadable')?.detail;

test.each(whole)(
  "a recorder's database that is %s: 503 for who needs it, one line, and Home says it",
  async (_, fault, spoil) => {
    makeGood();
    expect([await statusesOf(gus), await askedBy(exported), await shared()]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
      200,
    ]);
    // Nothing of this one is remembered.
    makeGood();
    const before = gateway.log.length;
    const end = spoil();
    try {
      expect(await statusesOf(gus)).toEqual([503, 503, 503]);
      expect(JSON.parse((await gus.send('GET', exported)).body)).toEqual({
        message: "The event database can't be read",
        code: 'events_unavailable',
      });
      for (const uri of named) expect(await askedBy(uri), uri).toEqual([503, 503, 503]);
      expect(await statusOf(gus, thumbnailOf(otherEvent))).toBe(503);
      expect(await shared()).toBe(503);
      expect(
        (await vera.send('POST', '/postern/api/shares', { kind: 'event', id: ownEvent, expires_in: 60 }))
          .status,
      ).toBe(503);
      // They need no camera of it.
      expect(await statusesOf(vera)).toEqual([200, 200, 200]);
      expect(await statusesOf(admin)).toEqual([200, 200, 200]);
      expect(await statusOf(gus, '/api/front_door/latest.jpg')).toBe(200);
      expect(await attention(admin)).toEqual({ fault });
      expect(linesSince(before)).toEqual([['warn', fault, undefined]]);
    } finally {
      end?.();
      makeGood();
    }
    expect(await statusesOf(gus)).toEqual([200, 200, 200]);
    expect(await askedBy(exported)).toEqual([200, 200, 200]);
    expect(await statusOf(gus, thumbnailOf(otherEvent))).toBe(403);
    expect(await shared()).toBe(200);
    expect(await attention(admin)).toBeUndefined();
    expect(linesSince(before)).toEqual([
      ['warn', fault, undefined],
      ['info', undefined, undefined],
    ]);
  },
);

test.each(
  [0.1, 0.25, 0.5, 0.75, 0.9, 0.99].flatMap((part) =>
    ['cut', 'overwritten'].map((how) => [how, part] as const),
  ),
)(
  "a recorder's database that is %s at %d of it shows custom roles nothing that is not theirs, and faults nowhere",
  async (how, part) => {
    makeGood();
    const before = gateway.log.length;
    const { size } = statSync(path);
    const at = Math.floor((size * part) / pageSize) * pageSize + 100;
    if (how === 'cut') truncateSync(path, at);
    else overwrite(at, Math.min(at + 3 * pageSize, size));
    for (const uri of named) {
      for (const status of [await statusOf(gus, uri), ...(await askedBy(uri))])
        expect([200, 403, 503], uri).toContain(status);
    }
    expect([403, 503]).toContain(await statusOf(gus, thumbnailOf(otherEvent)));
    expect([403, 503]).toContain(await statusOf(gus, '/exports/night-in-the-garage.mp4'));
    expect(await statusesOf(admin)).toEqual([200, 200, 200]);
    // A file that can be read in part has one state too.
    expect(linesSince(before).length).toBeLessThanOrEqual(1);
    makeGood();
    expect(await statusesOf(gus)).toEqual([200, 200, 200]);
  },
);
