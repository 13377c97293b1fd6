import { expect, test } from 'vitest';
import { streamsOf } from '../../../../src/access/streams/listed-stream.ts';
import type { OpenStream } from '../../../../src/access/streams/stream.ts';
import type { Allowed } from '../../../../src/policy/decision.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';

const none = { list: () => [], remove: () => undefined };

test.each<[path: string, cameras: readonly string[], page: string, kind?: OpenStream['kind']]>([
  ['/live/mse/api/ws', ['driveway'], 'live', 'websocket'],
  ['/live/jsmpeg/birdseye', [], 'live', 'websocket'],
  ['/api/front_door', ['front_door'], 'live'],
  ['/api/go2rtc/stream.mp4', ['driveway'], 'live'],
  ['/api/birdseye', [], 'live'],
  ['/vod/event/17.5-a/master.m3u8', [], 'recording'],
  ['/vod/driveway/start/1/end/2/master.m3u8', ['driveway'], 'recording'],
  ['/api/vod/event/17.5-a', ['driveway'], 'recording'],
  ['/api/driveway/start/1/end/2/clip.mp4', ['driveway'], 'recording'],
  ['/api/events/17.5-a/clip.mp4', ['driveway'], 'recording'],
  ['/exports/a.mp4', ['driveway', 'garden'], 'recording'],
  ['/postern/share/abc/media/vod/event/17.5-a/seg-1.ts', ['driveway'], 'recording'],
  ['/postern/share/abc/media/api/driveway', ['driveway'], 'live'],
  ['/ws', [], 'updates', 'websocket'],
  ['/api/reviews', ['driveway'], 'other'],
  ['/api/driveway/latest.jpg', ['driveway'], 'other'],
])('what is open at %s of %j is %s', async (path, cameras, page, kind = 'answer') => {
  const permitted: Allowed = {
    outcome: 'allow',
    reason: 'allowed',
    identity: plainIdentity('olaf', 'family', 'session'),
    grant: 'all',
    may: new Set(),
    path,
    resource: { kind: 'cameras', cameras },
  };
  const open = { id: 'd-1', kind, permitted, since: 0, address: '192.0.2.1', agent: 'x'.repeat(1_000) };
  const { list } = streamsOf({ list: () => [open as unknown as OpenStream], cut: () => undefined }, none);
  const [listed] = await list();
  expect(listed?.page).toBe(page);
  expect(listed?.agent).toHaveLength(256);
});
