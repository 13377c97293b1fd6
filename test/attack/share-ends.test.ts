import { once } from 'node:events';
import { connect } from 'node:net';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { listStreams } from '../../src/api/streams/streams.ts';
import { capabilities, type Capability } from '../../src/policy/capability.ts';
import { goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { openShare, type MadeShare } from '../support/share.ts';
import { frontDoor, backYard, noon, mediaOf, codeOf, startShareSite } from '../support/share-site.ts';

const {
  time,
  begun,
  reached,
  address,
  behindFront,
  shareVisitor,
  make,
  opened,
  see,
  isOver,
  admin,
  vera,
  gina,
} = startShareSite();

/** What takes an account back from someone who had access to it. */
const recoveries: ReadonlyArray<
  readonly [what: string, recover: (name: string, keep?: readonly string[]) => Promise<RawAnswer>]
> = [
  [
    'gets another password',
    (name, keep = []) =>
      admin().send('PUT', `/api/users/${name}/password`, { password: `${goodPassword}?`, keep }),
  ],
  [
    'loses the second factors',
    (name, keep = []) => admin().send('DELETE', `/postern/api/users/${name}/factors?keep=${keep.join(',')}`),
  ],
  [
    'has all sessions ended',
    (name, keep = []) => admin().send('DELETE', `/postern/api/sessions?user=${name}&keep=${keep.join(',')}`),
  ],
];

let anna: Visitor;
beforeAll(async () => {
  anna = await userOf(admin(), address(), 'anna', 'family');
});
/** What anna's role may do from now on. */
const narrow = async (may: readonly Capability[]) => {
  const wanted = { cameras: ['front_door', 'driveway'], access: { may } };
  expect((await admin().send('PUT', '/postern/api/roles/family', wanted)).status).toBe(200);
};

const ofFrontDoor = { kind: 'camera', id: undefined, camera: 'front_door' };

describe('a share ends', () => {
  test('when the role of its creator loses the camera', async () => {
    const olaf = await userOf(admin(), address(), 'olaf', 'family');
    const share = await make({}, olaf);
    const cookie = await opened(share);
    expect((await see(share, cookie)).status).toBe(200);
    await admin().send('PUT', '/postern/api/roles/family', { cameras: ['driveway'] });
    await isOver(share, cookie);
    await narrow(capabilities);
  });

  test('when its creator loses the word for it, or the one to share', async () => {
    const share = await make({}, anna);
    const cookie = await opened(share);
    for (const word of ['history', 'share'] as const) {
      await narrow(capabilities.filter((other) => other !== word));
      await isOver(share, cookie);
      await expect(make({}, anna)).rejects.toThrow(word === 'share' ? '403' : 'share_object_unknown');
      await narrow(['history', 'share']);
      expect((await see(share, cookie)).status).toBe(200);
    }
    await narrow(capabilities);
  });

  test('in part when its creator loses live: its recordings stay, without a live picture', async () => {
    const at = (seconds: number) => noon / 1000 + seconds;
    const share = await make({ ...ofFrontDoor, from: at(-60), until: at(60) }, anna);
    const cookie = await opened(share);
    const picture = 'api/front_door/latest.jpg';
    const recording = `vod/front_door/start/${at(-60)}/end/${at(0)}/master.m3u8`;
    expect((await see(share, cookie, picture)).status).toBe(200);
    await narrow(['history', 'share']);
    expect((await see(share, cookie, recording)).status).toBe(200);
    reached.length = 0;
    expect((await see(share, cookie, picture)).status).toBe(404);
    expect(reached).toEqual([]);
    const { answer } = await openShare(shareVisitor(), share);
    const offers = [recording, 'latest'].map((part) => answer.body.includes(part));
    expect([answer.status, ...offers]).toEqual([200, true, false]);
    await narrow(capabilities);
  });

  test.each(recoveries)('but not when its creator %s, and it is kept', async (what, recover) => {
    const name = `kept_${what.replaceAll(/\W/g, '_')}`;
    const olaf = await userOf(admin(), address(), name, 'viewer');
    const made = await olaf.send('POST', '/postern/api/tokens', { name: 'script', role: 'viewer' });
    const { token } = JSON.parse(made.body) as { token: string };
    const bearer = [['Authorization', `Bearer ${token}`] as const];
    const share = await make({}, olaf);
    const cookie = await opened(share);
    expect((await recover(name, ['shares'])).status).toBeLessThan(300);
    expect((await see(share, cookie)).status).toBe(200);
    expect((await shareVisitor().send('GET', '/api/profile', undefined, bearer)).status).toBe(401);
    expect((await recover(name)).status).toBeLessThan(300);
    await isOver(share, cookie);
  });

  test('with all sessions of its creator, and with a password change', async () => {
    const sara = await userOf(admin(), address(), 'sara', 'viewer');
    const first = await make({}, sara);
    const cookie = await opened(first);
    expect((await sara.send('DELETE', '/postern/api/sessions')).status).toBe(204);
    await isOver(first, cookie);
    const second = await make({}, sara);
    const other = await opened(second);
    const own = { password: `${goodPassword}!`, old_password: goodPassword };
    const kept = await sara.send('PUT', '/api/users/sara/password', { ...own, keep: ['shares'] });
    expect(JSON.parse(kept.body)).toMatchObject({ shares_ended: 0 });
    expect((await see(second, other)).status).toBe(200);
    const back = { password: goodPassword, old_password: `${goodPassword}!` };
    expect((await sara.send('PUT', '/api/users/sara/password', back)).status).toBe(200);
    await isOver(second, other);
  });

  test('when the schedule of its creator’s role ends', async () => {
    const at = noon / 1000;
    const share = await make({ ...ofFrontDoor, from: at - 60, until: at, expires_in: 604_800 }, gina());
    const cookie = await opened(share);
    const path = `vod/front_door/start/${at - 60}/end/${at}/master.m3u8`;
    expect((await see(share, cookie, path)).status).toBe(200);
    time.now += 3 * 86_400_000;
    // The cookie is over as well by then.
    const again = await openShare(shareVisitor(), share);
    expect([again.answer.status, codeOf(again.answer)]).toEqual([404, 'share_over']);
    time.now = noon;
  });

  test.each<[what: string, wanted: object]>([
    ['an event of before', {}],
    ['what was recorded before', { ...ofFrontDoor, from: noon / 1000 - 86_400, until: noon / 1000 }],
  ])('before it begins: whose role sees nothing of before does not share %s', async (_, wanted) => {
    await expect(make(wanted, gina())).rejects.toThrow('share_object_unknown');
  });

  test('with the API token that made it', async () => {
    const made = await vera().send('POST', '/postern/api/tokens', {
      name: 'doorbell',
      role: 'viewer',
      cameras: ['front_door'],
    });
    const { id, token } = JSON.parse(made.body) as { id: string; token: string };
    const bearer = [['Authorization', `Bearer ${token}`] as const];
    const by = (body: object) => shareVisitor().send('POST', '/postern/api/shares', body, bearer);
    expect((await by({ kind: 'event', id: backYard, expires_in: 60 })).status).toBe(404);
    const answer = await by({ kind: 'event', id: frontDoor, expires_in: 3600 });
    const share = JSON.parse(answer.body) as MadeShare;
    const cookie = await opened(share);
    const listed = await shareVisitor().send('GET', '/postern/api/shares', undefined, bearer);
    expect((JSON.parse(listed.body) as MadeShare[]).map((one) => one.id)).toEqual([share.id]);
    const others = await make();
    const gone = await shareVisitor().send('DELETE', `/postern/api/shares/${others.id}`, undefined, bearer);
    expect(gone.status).toBe(404);
    await vera().send('DELETE', `/postern/api/tokens/${id}`);
    await isOver(share, cookie);
  });

  test('when its creator or an admin ends it, and no one else can', async () => {
    const [one, other] = [await make(), await make()];
    expect((await anna.send('DELETE', `/postern/api/shares/${one.id}`)).status).toBe(404);
    expect((await anna.send('GET', '/postern/api/shares')).body).not.toContain(one.id);
    const cookie = await opened(one);
    expect((await vera().send('DELETE', `/postern/api/shares/${one.id}`)).status).toBe(204);
    await isOver(one, cookie);
    expect((await admin().send('DELETE', `/postern/api/shares/${other.id}`)).status).toBe(204);
  });

  test.each<[what: string, end: (share: MadeShare) => unknown]>([
    ['it is ended', (share) => admin().send('DELETE', `/postern/api/shares/${share.id}`)],
    ['its time is over', () => (time.now += 3_600_000)],
    ['its creator loses the word for it', () => narrow(['live', 'share'])],
  ])('in the middle of a clip, when %s', async (what, end) => {
    const share = await make({}, anna);
    const cookie = await opened(share);
    const before = begun.length;
    const socket = connect(behindFront().slice('unix:'.length));
    const uri = mediaOf(share, `api/events/${frontDoor}/clip.mp4`);
    socket.write(`GET ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: postern_share=${cookie}\r\n\r\n`);
    const closed = once(socket, 'close');
    await once(socket, 'data');
    const left = once(begun[before] ?? socket, 'close');
    const listed = JSON.parse((await admin().send('GET', '/postern/api/streams')).body) as unknown;
    expect(listed).toContainEqual(expect.objectContaining({ user: `share:${share.id}`, source: 'share' }));
    v.parse(listStreams.answers[200].body, listed);
    await end(share);
    await closed;
    await left;
    time.now = noon;
    const records = (await admin().send('GET', '/postern/api/audit?event=stream_ended')).body;
    expect(records).toContain(what.includes('word') ? 'role_may_not' : 'share_over');
    await narrow(capabilities);
  });
});

test('cuts each clip that is requested at the moment a share ends', async () => {
  const share = await make();
  const cookie = await opened(share);
  const uri = mediaOf(share, `api/events/${frontDoor}/clip.mp4`);
  const head = `GET ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: postern_share=${cookie}\r\n\r\n`;
  const ask = () => {
    const socket = connect(behindFront().slice('unix:'.length)).on('error', () => undefined);
    socket.write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    return once(socket.resume(), 'close');
  };
  const before = Array.from({ length: 20 }, ask);
  const ended = vera().send('DELETE', `/postern/api/shares/${share.id}`);
  const after = Array.from({ length: 20 }, ask);
  expect((await ended).status).toBe(204);
  await Promise.all([...before, ...after]);
});

test('an API token shares what it may see itself', async () => {
  const shared: ReadonlyArray<readonly [what: string, wanted: object, needs: Capability]> = [
    ['an event', {}, 'history'],
    ['an export', { kind: 'export', id: 'exp1' }, 'export'],
    ['a camera', ofFrontDoor, 'history'],
  ];
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
  for (const [what, wanted, needs] of shared) {
    const others = capabilities.filter((word) => word !== needs);
    expect([
      what,
      await statusOf(wanted, needs, 'share'),
      await statusOf(wanted, ...others),
      await statusOf(wanted, needs),
    ]).toEqual([what, 201, 404, 403]);
  }
});
