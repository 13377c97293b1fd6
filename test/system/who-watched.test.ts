import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endingFronts, startGated, type GatedRecorder } from '../support/gated-recorder.ts';
import { userOf, type Visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startRecorder } from '../support/start-recorder.ts';

const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
const auth = { roles: { family: ['front_door'] }, failed_login_rate_limit: '1000/minute' };
/** Rows of the recorder's file: an event and an export of this camera. */
const event = '1793000935.726501-j8ht9l';
const footage = { from: 1_793_000_935, to: 1_793_000_936 };

/** Roads to what was recorded of front_door, and whether the path has its time. */
const roads: ReadonlyArray<readonly [uri: string, hasTime: boolean]> = [
  [`/vod/event/${event}/seg-1-v1.ts`, true],
  [`/api/events/${event}/clip.mp4`, true],
  [`/api/events/${event}/snapshot.jpg`, true],
  [`/api/events/${event}/preview.gif`, true],
  [`/clips/front_door-${event}.jpg`, true],
  ['/api/preview/preview_front_door-1793000935.726501.webp/thumbnail.webp', true],
  ['/api/front_door/person/clip.mp4', false],
  ['/exports/front_door_parcel.mp4', false],
];

describe.each(endingFronts)('through the %s', (front) => {
  let gated: GatedRecorder;
  let viewer: Visitor;
  let family: Visitor;
  let token: string;
  /** Milliseconds. */
  let ahead = 0;

  beforeAll(async () => {
    const recorder = await startRecorder(cameras, auth.roles);
    gated = await startGated(front, recorder, {
      clock: { now: () => Date.now() + ahead },
      config: {
        auth,
        cameras,
        audit: { viewing: true },
        // What an operator's rule opens is recorded like everything else.
        access: { rules: [{ path: '/vod/event/**', methods: ['GET'], require: 'any', may: 'history' }] },
      },
    });
    const { admin, address } = gated;
    viewer = await userOf(admin, address, 'vera', 'viewer');
    family = await userOf(admin, address, 'olaf', 'family');
    const made = await admin.send('POST', '/postern/api/tokens', { name: 'a script', role: 'admin' });
    ({ token } = JSON.parse(made.body) as { token: string });
  });
  afterAll(() => gated.close());

  const watched = async (user: string) => {
    const { body } = await gated.admin.send('GET', `/postern/api/audit/watched?user=${user}`);
    const { records } = JSON.parse(body) as { records: ReadonlyArray<Record<string, unknown>> };
    return records;
  };
  const ofEach = [
    ['a viewer', 'vera', (uri: string) => viewer.send('GET', uri)],
    ['a custom role', 'olaf', (uri: string) => family.send('GET', uri)],
    [
      'an admin’s API token',
      'admin',
      (uri: string) => sendRaw(gated.address, { uri, headers: [['Authorization', `Bearer ${token}`]] }, true),
    ],
  ] as const;

  test.each(ofEach)('%s: every road to a recording is one row of its camera', async (_, user, ask) => {
    for (const [uri, hasTime] of roads) {
      // Longer than a pause.
      ahead += 301_000;
      const before = (await watched(user)).length;
      expect([uri, (await ask(uri)).status]).toEqual([uri, 200]);
      const [newest] = await watched(user);
      expect([uri, newest]).toMatchObject([uri, { camera: 'front_door', kind: 'recorded' }]);
      if (hasTime) expect([uri, newest?.['footage']]).toEqual([uri, footage]);
      expect([uri, (await watched(user)).length]).toEqual([uri, before + 1]);
    }
  });
});
