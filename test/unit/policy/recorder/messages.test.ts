import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capabilities,
  mayByDefault,
  mayEverything,
  type Capability,
} from '../../../../src/policy/capability.ts';
import { messageFor, requestOf } from '../../../../src/policy/recorder/messages.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const granted = { grant: new Set(['front_door', 'yard-2']), may: mayEverything };
const all = { grant: 'all', may: mayEverything } as const;
const may = (...words: readonly Capability[]) => new Set(words);
const written = (topic: unknown, payload: unknown) => JSON.stringify({ topic, payload });
/** As a recorder does: the payload is JSON in a text. */
const inText = (topic: string, payload: unknown) => written(topic, JSON.stringify(payload));
const read = (text: string | undefined) => {
  if (text === undefined) return undefined;
  const { topic, payload } = JSON.parse(text) as { readonly topic: string; readonly payload: unknown };
  return { topic, payload: typeof payload === 'string' ? (JSON.parse(payload) as unknown) : payload };
};

describe('a user who is limited to cameras gets', () => {
  test.each([
    written('front_door/detect/state', 'ON'),
    written('front_door/person', 2),
    written('yard-2/all/active', 0),
    inText('model_state', { 'a-model': 'downloaded' }),
    written('notifications/state', 'OFF'),
    inText('events', { type: 'new', before: { camera: 'front_door' }, after: { camera: 'front_door' } }),
    inText('reviews', { type: 'end', before: { camera: 'yard-2' }, after: { camera: 'yard-2' } }),
    inText('events', { type: 'new', before: null, after: { camera: 'front_door' } }),
    inText('tracked_object_update', { type: 'description', camera: 'front_door' }),
    written('triggers', { camera: 'front_door', name: 'cat' }),
  ])('%s', (text) => {
    expect(messageFor(text, granted)).toBe(text);
  });
});

describe('nothing of', () => {
  test.each([
    written('garage/detect/state', 'ON'),
    // Names that resemble a granted one, or spell it differently.
    written('front_door', 'ON'),
    written('Front_door/person', 1),
    written('front%5fdoor/person', 1),
    written('/front_door/person', 1),
    written(' front_door/person', 1),
    written('front_door2/person', 1),
    written('yard/person', 1),
    written('garage/front_door/person', 1),
    // A zone, the picture of all cameras, and unknown topics.
    written('driveway_zone/person', 1),
    inText('birdseye_layout', { front_door: { x: 0 } }),
    inText('job_state', { export: { camera: 'garage' }, media_sync: { status: 'running' } }),
    inText('something_new', { camera: 'front_door' }),
    // Cameras that are not all granted, or not named.
    inText('events', { before: { camera: 'garage' }, after: { camera: 'front_door' } }),
    inText('events', { before: { camera: 'front_door' }, after: { camera: 'garage' } }),
    inText('events', { before: {}, after: { camera: 'front_door' } }),
    inText('events', { before: null, after: null }),
    inText('events', {}),
    inText('reviews', { after: { camera: ['front_door'] } }),
    inText('tracked_object_update', { camera: 'garage' }),
    inText('tracked_object_update', {}),
    inText('camera_activity', { garage: {} }),
    written('camera_activity', 'no JSON'),
    // Not messages.
    written(['front_door/person'], 1),
    written('constructor', 1),
    written('__proto__', 1),
    '[]',
    'null',
    '"front_door/person"',
    'front_door/person',
    '',
  ])('%s', (text) => {
    expect(messageFor(text, granted)).toBeUndefined();
  });
});

describe('gets a part of', () => {
  test('payloads with an entry per camera', () => {
    const activity = { front_door: { motion: true }, garage: { motion: true }, 'yard-2': {} };
    const kept = { front_door: { motion: true }, 'yard-2': {} };
    for (const topic of ['camera_activity', 'audio_detections']) {
      expect(read(messageFor(inText(topic, activity), granted))).toEqual({ topic, payload: kept });
      expect(messageFor(written(topic, activity), granted)).toBe(written(topic, kept));
    }
  });

  test('jobs', () => {
    const jobs = {
      motion_search: { id: 1, camera: 'front_door' },
      vlm_watch: { id: 2, camera: 'garage' },
      debug_replay: { id: 3, results: { source_camera: 'yard-2' } },
      other: { id: 4, camera: 'front_door', results: { source_camera: 'garage' } },
      export: { id: 5, results: { done: 1, jobs: [{ camera: 'front_door' }, { camera: 'garage' }, {}] } },
      media_sync: { id: 6 },
      odd: 'garage',
    };
    expect(read(messageFor(inText('job_state', jobs), granted))?.payload).toEqual({
      motion_search: { id: 1, camera: 'front_door' },
      debug_replay: { id: 3, results: { source_camera: 'yard-2' } },
      export: { id: 5, results: { done: 1, jobs: [{ camera: 'front_door' }] } },
    });
  });

  test('jobs that consist of other jobs', () => {
    const inner = { results: { jobs: [{ camera: 'garage', name: 'Night' }, { camera: 'front_door' }] } };
    const text = inText('job_state', { export: { results: { jobs: [inner, { camera: 'garage' }] } } });
    expect(read(messageFor(text, granted))?.payload).toEqual({
      export: { results: { jobs: [{ results: { jobs: [{ camera: 'front_door' }] } }] } },
    });
  });

  test('the figures: granted cameras and the machine, without process names', () => {
    const figures = {
      cameras: { front_door: { camera_fps: 5 }, garage: { camera_fps: 5 } },
      detectors: { cpu: { inference_speed: 10 } },
      detection_fps: 3,
      cpu_usages: { 'frigate.full_system': { cpu: '7' }, 812: { cmdline: 'ffmpeg -i rtsp://garage/1' } },
      bandwidth_usages: { 812: { cmdline: 'ffmpeg -i rtsp://garage/1' } },
      processes: { 'frigate.process:garage': { pid: 812 } },
      something_new: { garage: 1 },
      service: { version: '0.17.2' },
    };
    expect(read(messageFor(inText('stats', figures), granted))?.payload).toEqual({
      cameras: { front_door: { camera_fps: 5 } },
      detectors: { cpu: { inference_speed: 10 } },
      detection_fps: 3,
      cpu_usages: { 'frigate.full_system': { cpu: '7' } },
      service: { version: '0.17.2' },
    });
  });
});

test('any message, without cameras that are not granted', () => {
  const topics = fc.constantFrom(
    'events',
    'reviews',
    'camera_activity',
    'stats',
    'audio_detections',
    'triggers',
    'x',
  );
  const secret = 'said-of-the-garage';
  const side = fc.constantFrom(
    undefined,
    null,
    { camera: 'garage', secret },
    { camera: 'front_door' },
    'x',
    3,
  );
  assertCases(
    fc.property(topics, side, side, fc.boolean(), (topic, before, after, isText) => {
      const about = {
        before,
        after,
        garage: { secret },
        cameras: { garage: { secret } },
        camera: 'garage',
        secret,
      };
      const payload =
        topic === 'stats' || topic === 'camera_activity' ? about : { ...about, secret: undefined };
      const text = isText ? inText(topic, payload) : written(topic, payload);
      const kept = messageFor(text, granted);
      // An event of a granted camera is passed on unchanged, with what we put beside it.
      const isOfGranted =
        (topic === 'events' || topic === 'reviews') &&
        [before, after].every(
          (at) => at === undefined || at === null || (at as { camera?: unknown }).camera === 'front_door',
        ) &&
        [before, after].some((at) => at !== undefined && at !== null);
      if (!isOfGranted) expect(kept ?? '').not.toContain(secret);
    }),
    { reaching: 0.7 },
  );
});

describe('a recorder gets from a user who is limited to cameras', () => {
  test.each(['onConnect', 'modelState', 'audioTranscriptionState', 'embeddingsReindexProgress', 'jobState'])(
    'the question %s, rebuilt',
    (topic) => {
      const sent = `{ "retain": true, "topic": "${topic}", "payload": {"set": 1}, "topic2": "restart" }`;
      expect(requestOf(sent, granted)).toBe(`{"topic":"${topic}","payload":""}`);
    },
  );

  test.each([
    'restart',
    'front_door/detect/set',
    'notifications/set',
    'front_door/notifications/suspend',
    'birdseyeLayout',
    'events',
    'onconnect',
    ' onConnect',
    'on\\u0043onnect/set',
    'toString',
  ])('nothing of %s', (topic) => {
    expect(requestOf(`{"topic": "${topic}", "payload": "ON"}`, granted)).toBeUndefined();
  });

  test('only the topic that we read: an escape or a second one changes nothing', () => {
    expect(requestOf('{"topic": "on\\u0043onnect"}', granted)).toBe('{"topic":"onConnect","payload":""}');
    expect(requestOf('{"topic": "onConnect", "topic": "restart"}', granted)).toBeUndefined();
    expect(requestOf('{"topic": "restart", "topic": "onConnect"}', granted)).toBe(
      '{"topic":"onConnect","payload":""}',
    );
    for (const none of [
      '',
      '[]',
      'null',
      '"onConnect"',
      '{"topic": ["onConnect"]}',
      '{}',
      '\ufeff{"topic": "onConnect"}',
    ])
      expect(requestOf(none, granted)).toBeUndefined();
  });
});

describe('a recorder gets from a user who sees all cameras, but is not admin', () => {
  test.each(['onConnect', 'modelState', 'jobState', 'birdseyeLayout'])('the question %s', (topic) => {
    expect(requestOf(`{"topic":"${topic}","payload":{"set":1}}`, all)).toBe(
      `{"topic":"${topic}","payload":""}`,
    );
  });

  test('where all cameras are in their picture with live only', () => {
    const sent = written('birdseyeLayout', '');
    expect(requestOf(sent, { ...all, may: may('live') })).toBe(sent);
    expect(requestOf(sent, { ...all, may: may('history', 'export', 'ptz') })).toBeUndefined();
  });
});

describe('a recorder gets the command of anyone with ptz for the camera', () => {
  const commands = [
    'STOP',
    'MOVE_UP',
    'MOVE_DOWN',
    'MOVE_LEFT',
    'MOVE_RIGHT',
    'ZOOM_IN',
    'ZOOM_OUT',
    'FOCUS_IN',
    'FOCUS_OUT',
    'preset_home',
    'preset_Über dem Tor',
    'preset_move_relative_1_1',
    'move_relative_0.25_-1',
    'move_relative_0_1_0.5',
  ];

  test.each(commands)('%s, rebuilt', (payload) => {
    const topic = 'front_door/ptz';
    const sent = JSON.stringify({ retain: true, topic, payload });
    for (const rights of [granted, all, { ...granted, may: may('ptz') }])
      expect(requestOf(sent, rights)).toBe(written(topic, payload));
    for (const without of [mayByDefault, may(), may('live', 'history', 'export')])
      for (const { grant } of [granted, all])
        expect(requestOf(sent, { grant, may: without })).toBeUndefined();
    expect(requestOf(sent, { ...granted, grant: new Set(['garage']) })).toBeUndefined();
    expect(requestOf(sent, { ...granted, grant: new Set() })).toBeUndefined();
  });

  test.each([
    // Other commands, and what only looks like one.
    ['front_door/ptz', 'ON'],
    ['front_door/ptz', ''],
    ['front_door/ptz', 'move_up'],
    ['front_door/ptz', 'MOVE_UP '],
    ['front_door/ptz', ' MOVE_UP'],
    ['front_door/ptz', 'MOVE_UPWARD'],
    ['front_door/ptz', 'MOVE_'],
    ['front_door/ptz', 'MOVE_UP_DOWN'],
    ['front_door/ptz', 'MOVE_UP\u200b'],
    ['front_door/ptz', 'ＭOVE_UP'],
    ['front_door/ptz', 'INIT'],
    ['front_door/ptz', 'STOP\n'],
    ['front_door/ptz', 'stop'],
    ['front_door/ptz', 'preset_'],
    ['front_door/ptz', 'PRESET_home'],
    ['front_door/ptz', 'preset_\u0000'],
    ['front_door/ptz', `preset_${'x'.repeat(129)}`],
    ['front_door/ptz', 'a preset_home'],
    ['front_door/ptz', 'move_relative_1'],
    ['front_door/ptz', 'move_relative_1_1_1_1'],
    ['front_door/ptz', 'move_relative_1_'],
    ['front_door/ptz', 'move_relative_1e9_1'],
    ['front_door/ptz', 'move_relative_nan_inf'],
    ['front_door/ptz', 'move_relative_١_١'],
    ['front_door/ptz', { action: 'STOP' }],
    ['front_door/ptz', ['STOP']],
    ['front_door/ptz', { toString: 'STOP' }],
    ['front_door/ptz', null],
    ['front_door/ptz', 1],
    ['front_door/ptz', undefined],
    // Other topics.
    ['front_door/ptz/set', 'STOP'],
    ['front_door/front_door/ptz', 'STOP'],
    ['a/b/ptz', 'STOP'],
    ['//ptz', 'STOP'],
    ['/ptz', 'STOP'],
    ['ptz', 'STOP'],
    ['front_door/ptz/', 'STOP'],
    ['/front_door/ptz', 'STOP'],
    ['front_door\\ptz', 'STOP'],
    ['front_door/PTZ', 'STOP'],
    ['front_door/xptz', 'STOP'],
    ['front_door/ptz\n', 'STOP'],
    ['front_door/ptz_autotracker/set', 'ON'],
    ['front_door/autotracking', 'ON'],
    [`${'x'.repeat(129)}/ptz`, 'STOP'],
    ['restart', ''],
    ['garage/detect/set', 'ON'],
    ['notifications/set', 'ON'],
    ['garage/notifications/suspend', '60'],
    ['profile/set', 'away'],
    ['onConnect/set', ''],
    ['update_event_description', '{}'],
  ])('and nothing of %s with %j, whatever the user may do', (topic, payload) => {
    for (const rights of [granted, all]) expect(requestOf(written(topic, payload), rights)).toBeUndefined();
  });

  test.each([
    'garage',
    'Front_door',
    'front_door ',
    ' front_door',
    'front%5fdoor',
    'frоnt_door',
    'yard',
    '__proto__',
    'constructor',
    'toString',
  ])('and nothing for %j, which is not granted', (camera) => {
    expect(requestOf(written(`${camera}/ptz`, 'STOP'), granted)).toBeUndefined();
  });

  test('by the last of two keys, as the recorder reads them', () => {
    const twice = (first: string, last: string) =>
      `{"topic":"${first}/ptz","payload":"STOP","topic":"${last}/ptz"}`;
    expect(requestOf(twice('garage', 'front_door'), granted)).toBe(written('front_door/ptz', 'STOP'));
    expect(requestOf(twice('front_door', 'garage'), granted)).toBeUndefined();
    const payloads = '{"topic":"front_door/ptz","payload":"STOP","payload":"RESTART"}';
    expect(requestOf(payloads, granted)).toBeUndefined();
    expect(requestOf('{"__proto__":{"topic":"front_door/ptz"},"payload":"STOP"}', granted)).toBeUndefined();
    expect(requestOf('{"topic":"front_door\\u002fptz","payload":"STOP"}', granted)).toBe(
      written('front_door/ptz', 'STOP'),
    );
  });
});

describe('what a message needs', () => {
  const camera = 'front_door';
  const event = { before: { camera }, after: { camera } };
  const rows: ReadonlyArray<readonly [topic: string, payload: unknown, needed: Capability | undefined]> = [
    ['events', event, 'history'],
    ['reviews', event, 'history'],
    ['tracked_object_update', { camera }, 'history'],
    ['triggers', { camera }, 'history'],
    ['job_state', { motion_search: { camera } }, 'export'],
    ['camera_monitoring', { camera }, 'live'],
    ['camera_activity', { [camera]: { motion: true } }, 'live'],
    ['audio_detections', { [camera]: {} }, 'live'],
    ['stats', { cameras: { [camera]: {} } }, 'live'],
    ['front_door/motion', 'ON', 'live'],
    ['front_door/detect/state', 'ON', 'live'],
    ['model_state', {}, undefined],
    ['embeddings_reindex_progress', {}, undefined],
    ['audio_transcription_state', 'idle', undefined],
    ['profile/state', 'away', undefined],
    ['notifications/state', 'ON', undefined],
    ['notification_test', 'x', undefined],
  ];

  test.each(rows)('%s with %j: %s', (topic, payload, needed) => {
    const text = written(topic, payload);
    for (const { grant } of [granted, all]) {
      for (const word of capabilities) {
        const passes = needed === undefined || word === needed;
        expect(messageFor(text, { grant, may: may(word) }), word).toBe(passes ? text : undefined);
        const others = may(...capabilities.filter((other) => other !== word));
        const passesOthers = needed === undefined || word !== needed;
        expect(messageFor(text, { grant, may: others }), `all but ${word}`).toBe(
          passesOthers ? text : undefined,
        );
      }
      expect(messageFor(text, { grant, may: may() })).toBe(needed === undefined ? text : undefined);
    }
  });
});

describe('a user who sees all cameras, and may not do everything with them, gets', () => {
  const live = { grant: 'all', may: may('live', 'export') } as const;

  test.each([
    written('garage/motion', 'ON'),
    written('driveway_zone/person', 1),
    inText('birdseye_layout', { garage: { x: 0 } }),
    inText('job_state', { media_sync: { status: 'running' } }),
    inText('stats', { cameras: {}, processes: { 'frigate.process:garage': { pid: 812 } } }),
    inText('camera_activity', {}),
    written('camera_monitoring', 'no JSON'),
  ])('%s, unchanged', (text) => {
    expect(messageFor(text, live)).toBe(text);
  });

  test.each([
    inText('events', { after: { camera: 'garage' } }),
    // Unknown topics may be about anything.
    inText('something_new', { camera: 'garage' }),
    written('/garage', 1),
    written('constructor', 1),
    written('__proto__', 1),
    // For admins.
    written('notices', 1),
    written('notices/state', 1),
    written('hardware/state', 1),
    written('analytics/preview', 1),
    'no JSON',
  ])('nothing of %s', (text) => {
    expect(messageFor(text, live)).toBeUndefined();
  });
});

describe('a user without earlier recordings gets', () => {
  const since = 1_793_000_000;
  const isTold = (topic: string, payload: unknown) => {
    const text = JSON.stringify({ topic, payload });
    return (
      messageFor(text, { grant: new Set(['front_door']), may: mayByDefault, since: since * 1_000 }) === text
    );
  };
  const camera = 'front_door';

  test.each(['events', 'reviews'])('recent %s', (topic) => {
    const side = (start_time?: unknown) => ({ camera, start_time });
    expect(isTold(topic, { before: side(since), after: side(since) })).toBe(true);
    expect(isTold(topic, { type: 'new', before: null, after: side(since + 0.5) })).toBe(true);
    expect(isTold(topic, { before: side(since - 0.1), after: side(since - 0.1) })).toBe(false);
    expect(isTold(topic, { before: side(since - 0.1), after: side(since) })).toBe(false);
    for (const time of [undefined, null, 'now', `${since}`])
      expect(isTold(topic, { after: side(time) })).toBe(false);
  });

  test('updates of an object by the time in its id', () => {
    const about = (id: unknown) => isTold('tracked_object_update', { type: 'description', id, camera });
    expect([about(`${since}.5-abc`), about(`${since - 1}.5-abc`), about('abc'), about(7)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(isTold('triggers', { camera, event_id: `${since}.5-abc` })).toBe(true);
    expect(isTold('triggers', { camera, event_id: `${since - 1}.5-abc` })).toBe(false);
  });

  test('nothing of searches, and everything live', () => {
    const job = { job_type: 'motion_search', camera, results: {} };
    expect(isTold('job_state', { motion_search: job })).toBe(false);
    expect(isTold('front_door/motion', 'ON')).toBe(true);
    expect(isTold('camera_activity', { front_door: { motion: true } })).toBe(true);
    expect(isTold('model_state', {})).toBe(true);
    expect(isTold('garage/motion', 'ON')).toBe(false);
  });
});
