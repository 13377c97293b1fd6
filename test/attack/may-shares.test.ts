import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { capabilities, type Capability } from '../../src/policy/capability.ts';
import { userOf, type Visitor } from '../support/log-in.ts';
import { openShare } from '../support/share.ts';
import { frontDoor, mediaOf, noon, startShareSite } from '../support/share-site.ts';

const { address, begun, behindFront, isOver, make, opened, reached, see, shareVisitor, admin, vera } =
  startShareSite();

let olaf: Visitor;
beforeAll(async () => {
  olaf = await userOf(admin(), address(), 'olaf', 'family');
});

const narrow = async (role: 'family' | 'viewer', may: readonly Capability[]) => {
  const cameras = role === 'family' ? { cameras: ['front_door', 'driveway'] } : {};
  const answer = await admin().send('PUT', `/postern/api/roles/${role}`, { ...cameras, access: { may } });
  expect(answer.status).toBe(200);
};
afterEach(async () => {
  await narrow('family', capabilities);
  await narrow('viewer', capabilities);
});

const at = (seconds: number) => noon / 1000 + seconds;
const ofCamera = { kind: 'camera', id: undefined, camera: 'front_door', from: at(-60), until: at(60) };
const recording = `vod/front_door/start/${at(-60)}/end/${at(0)}/master.m3u8`;
const picture = 'api/front_door/latest.jpg';
const clip = `api/events/${frontDoor}/clip.mp4`;

/** What someone shares, a part of it, and the word that the creator needs. */
const shared: ReadonlyArray<readonly [what: string, wanted: object, part: string, needs: Capability]> = [
  ['an event', {}, clip.replace('clip.mp4', 'snapshot.jpg'), 'history'],
  ['an export', { kind: 'export', id: 'exp1' }, 'exports/front_door_parcel.mp4', 'export'],
  ['a camera', ofCamera, recording, 'history'],
];

describe.each([
  ['a viewer', 'viewer', () => vera()],
  ['a custom role', 'family', () => olaf],
] as const)('by %s', (_, role, creator) => {
  test.each(shared)(
    'a share of %s is over once its creator loses the word for it',
    async (what, wanted, part, needs) => {
      const share = await make(wanted, creator());
      const cookie = await opened(share);
      expect((await see(share, cookie, part)).status).toBe(200);
      await narrow(
        role,
        capabilities.filter((word) => word !== needs),
      );
      await isOver(share, cookie, part);
      await expect(make(wanted, creator()), what).rejects.toThrow('share_object_unknown');
      await narrow(role, [needs, 'share']);
      expect((await see(share, cookie, part)).status).toBe(200);
      await narrow(
        role,
        capabilities.filter((word) => word !== 'share'),
      );
      await isOver(share, cookie, part);
      await expect(make(wanted, creator()), what).rejects.toThrow('403');
      await narrow(role, [needs, 'share']);
      expect((await see(share, cookie, part)).status).toBe(200);
    },
  );

  test.each<[what: string, closing: readonly Capability[]]>([
    ['recordings', ['live', 'export', 'share']],
    ['share', ['live', 'history', 'export', 'ptz']],
  ])('a clip that is being sent ends without %s', async (_what, closing) => {
    const share = await make({}, creator());
    const cookie = await opened(share);
    const before = begun.length;
    const socket = connect(behindFront().slice('unix:'.length));
    socket.write(
      `GET ${mediaOf(share, clip)} HTTP/1.1\r\nHost: gate.local\r\nCookie: postern_share=${cookie}\r\n\r\n`,
    );
    const closed = once(socket, 'close');
    await once(socket, 'data');
    const left = once(begun[before] ?? socket, 'close');
    await narrow(role, closing);
    await closed;
    await left;
  });

  test.each<[moment: string, narrowFirst: boolean]>([
    ['before', true],
    ['after', false],
  ])(
    'a camera, by a creator who loses live %s: its recordings, and no live picture',
    async (_when, narrowFirst) => {
      const narrowed = () => narrow(role, ['history', 'share']);
      if (narrowFirst) await narrowed();
      const share = await make(ofCamera, creator());
      const cookie = await opened(share);
      if (!narrowFirst) {
        expect((await see(share, cookie, picture)).status).toBe(200);
        await narrowed();
      }
      expect((await see(share, cookie, recording)).status).toBe(200);
      reached.length = 0;
      expect((await see(share, cookie, picture)).status).toBe(404);
      expect((await see(share, cookie, picture.replace('jpg', 'webp'))).status).toBe(404);
      expect(reached).toEqual([]);
      const { answer } = await openShare(shareVisitor(), share);
      expect([answer.status, answer.body.includes(recording), answer.body.includes('latest')]).toEqual([
        200,
        true,
        false,
      ]);
    },
  );
});

test('an API token shares what it may see itself', async () => {
  let made = 0;
  const tokenOf = async (...may: readonly Capability[]) => {
    const wanted = { name: `${may.join(' ')} ${(made += 1)}`, role: 'viewer', access: { may } };
    const { body } = await vera().send('POST', '/postern/api/tokens', wanted);
    return [['Authorization', `Bearer ${(JSON.parse(body) as { token: string }).token}`]] as const;
  };
  const statusOf = async (wanted: object, ...may: readonly Capability[]) => {
    const body = { kind: 'event', id: frontDoor, expires_in: 3600, ...wanted };
    return (await shareVisitor().send('POST', '/postern/api/shares', body, await tokenOf(...may))).status;
  };
  for (const [what, wanted, , needs] of shared) {
    const others = capabilities.filter((word) => word !== needs);
    expect([
      what,
      await statusOf(wanted, needs, 'share'),
      await statusOf(wanted, ...others),
      await statusOf(wanted, needs),
    ]).toEqual([what, 201, 404, 403]);
  }
});
