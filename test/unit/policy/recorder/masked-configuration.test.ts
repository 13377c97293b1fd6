import { anything, array, assert, constantFrom, dictionary, json, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayEverything, type Capability, type May } from '../../../../src/policy/capability.ts';
import {
  isConfigurationPath,
  mask,
  maskedConfiguration,
  type Reader,
} from '../../../../src/policy/recorder/masked-configuration.ts';
import { configurationWith } from '../../../support/recorder-configuration.ts';

const may: May = mayEverything;
const viewer: Reader = { role: 'viewer', grant: 'all', may };
const guest: Reader = { role: 'guest', grant: new Set(['front']), may };
const without = (word: Capability): May => may.difference(new Set([word]));

type Json = Readonly<Record<string, unknown>>;

/** The value at a path of a document. */
const at = (document: unknown, ...path: readonly string[]): unknown =>
  path.reduce((value, key) => (value as Json)[key], document);
const keysAt = (document: unknown, ...path: readonly string[]) => Object.keys(at(document, ...path) as Json);

const as = (reader: Reader, secret = 'hunter2') => maskedConfiguration(configurationWith(secret), reader);

/** Every path of a document, with its value. */
function places(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => places(inner, `${path}.${key}`));
}

describe('a secret', () => {
  test.each([viewer, guest])('of the recorder’s schema reaches no $role, at any path', (reader) => {
    assert(
      property(string({ minLength: 1, unit: 'grapheme-ascii' }), (letters) => {
        const secret = `Zq7${letters}7qZ`;
        expect(JSON.stringify(as(reader, secret))).not.toContain('Zq7');
      }),
      { numRuns: 50 },
    );
  });

  const keys = (
    'password api_key apiKey auth_secret token refresh-token client_secret Authorization plus_api_key private_key ' +
    'vapid email user username credential passphrase X-Api-Key'
  ).split(' ');
  test('is masked by the name of its key, at any path of any document', () => {
    assert(
      property(
        dictionary(string(), anything(), { maxKeys: 3 }),
        array(string({ minLength: 1 }), { maxLength: 5 }),
        constantFrom(...keys),
        constantFrom<unknown>('Zq7x', ['Zq7x'], 71_717),
        (around, path, key, secret) => {
          const planted = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), { [key]: secret });
          const document = JSON.parse(JSON.stringify({ ...around, extra: planted })) as Json;
          expect(JSON.stringify(maskedConfiguration(document, viewer)['extra'] ?? '')).not.toMatch(
            /Zq7|71717/,
          );
        },
      ),
    );
  });

  test.each([
    'rtsp://admin:Zq7@10.0.0.5/main',
    'rtsp://admin:a/Zq7 x@10.0.0.5/main',
    'ffmpeg:rtsp://admin:Zq7@10.0.0.5/#video=copy',
    'tapo://Zq7@10.0.0.7',
    'http://10.0.0.5/flv?channel0&user=admin&password=Zq7',
    'http://10.0.0.5/?loginuse=admin&loginpas=Zq7&token=Zq7',
    'nest:?client_id=x&refresh_token=Zq7',
    'http://10.0.0.5/#header=Authorization: Basic Zq7xxxx',
    'Authorization: Basic Zq7xxxx',
    'curl -H "X-Token: Zq7"',
    'ngrok tcp 8555 --authtoken Zq7',
    'the header is Bearer Zq7xxxx',
    '{"password": "Zq7"}',
    'password = Zq7',
    '-----BEGIN PRIVATE KEY----- Zq7',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJaq7.Zq7',
  ])('is masked by the form of its text: %s', (text) => {
    const document = { odd: text, list: [text], map: { inner: { text } } };
    expect(maskedConfiguration(document, viewer)).toEqual({
      odd: mask,
      list: [mask],
      map: { inner: { text: mask } },
    });
  });

  test('is masked if it is a number or a list', () => {
    expect(
      maskedConfiguration({ password: 1234, tokens: ['a'], pin: [1], streams: { password: 'x' } }, viewer),
    ).toEqual({
      streams: { password: mask },
      password: mask,
      tokens: [mask],
      pin: [mask],
    });
  });
});

describe('any other value', () => {
  test('stays, for a viewer', () => {
    const found = as(viewer);
    const kept = places(found);
    const gone = places(configurationWith('hunter2')).filter((place) => !kept.includes(place));
    expect(gone).toEqual([
      '.environment_vars.EVENTLET',
      '.environment_vars.FRIGATE_PLUS',
      '.genai.openai.provider_options.headers.X-Api-Key',
      '.genai.openai.provider_options.headers.X-Odd',
      '.genai.openai.provider_options.headers.roles.0',
      '.genai.openai.provider_options.url',
      '.genai.openai.provider_options.odd.odd.0',
      '.genai.openai.provider_options.odd.odd.1',
      '.genai.openai.runtime_options.temperature',
      '.genai.openai.runtime_options.odd',
      '.go2rtc.api.listen',
      '.go2rtc.api.username',
      '.go2rtc.api.password',
      '.go2rtc.rtsp.username',
      '.go2rtc.rtsp.password',
      '.go2rtc.env.TOKEN',
      '.go2rtc.hass.config',
      '.go2rtc.ngrok.command',
      '.go2rtc.log.output',
      '.go2rtc.webrtc.ice_servers.0.odd',
    ]);
    const { live, detect, objects, zones, semantic_search, onvif, ffmpeg } = at(
      found,
      'cameras',
      'front',
    ) as Json;
    const full = configurationWith('').cameras['front'];
    expect({ live, detect, objects, zones, semantic_search }).toEqual({
      live: full?.live,
      detect: full?.detect,
      objects: full?.objects,
      zones: full?.zones,
      semantic_search: full?.semantic_search,
    });
    expect(onvif).toMatchObject({
      host: '10.0.0.5',
      port: 8000,
      profile: 'main',
      user: mask,
      password: mask,
    });
    expect(ffmpeg).toMatchObject({
      hwaccel_args: 'preset-vaapi',
      inputs: [{ path: mask, roles: ['detect', 'record'] }, { path: mask, roles: ['audio'] }, { path: mask }],
    });
    const unmasked = [
      'version',
      'auth',
      'camera_groups',
      'classification',
      'birdseye',
      'ui',
      'tls',
      'model',
      'lpr',
    ];
    const sent: Json = configurationWith('');
    for (const name of unmasked) expect(found[name]).toEqual(sent[name]);
    expect(keysAt(found, 'go2rtc', 'streams')).toContain('front_sub');
    const servers = [{ urls: ['turn:x'], username: 'u', credential: 'for viewers' }];
    expect(at(found, 'go2rtc', 'webrtc')).toEqual({ candidates: ['10.0.0.2:8555'], ice_servers: servers });
  });

  test('stays, in any document', () => {
    const words = constantFrom('on', 'person', '10.0.0.5', 'http://10.0.0.5:8000/x?y=1', '0,1,0.5', '', 'éß');
    const harmless = constantFrom('width', 'enabled', 'host', 'mode', 'labels', 'friendly_name', 'prompt');
    assert(
      property(dictionary(harmless, tuple(words, dictionary(harmless, words))), (document) => {
        expect(maskedConfiguration(document, viewer)).toEqual(document);
      }),
    );
  });
});

describe('a role that is limited to cameras', () => {
  test('gets no other cameras, groups, streams and roles', () => {
    const found = as(guest);
    expect(keysAt(found, 'cameras')).toEqual(['front']);
    expect(found['camera_groups']).toEqual({
      all: { cameras: ['front'], icon: 'LuCar', order: 0 },
      one: { cameras: ['front'], icon: 'LuHome', order: 2 },
    });
    expect(keysAt(found, 'go2rtc', 'streams')).toEqual(['front', 'front_sub']);
    expect(at(found, 'auth', 'roles')).toEqual({ guest: ['front'] });
    expect(at(found, 'proxy', 'header_map', 'role_map')).toEqual({ guest: ['a'] });
    expect(JSON.stringify(found)).not.toContain('garage');
    // It is closed to it, and the UI would offer it.
    const birdseye = { ...configurationWith('').birdseye, enabled: false, restream: false };
    expect(found['birdseye']).toEqual(birdseye);
  });

  test('learns of the household only what is on', () => {
    const section = {
      enabled: true,
      host: 'broker',
      known_plates: { 'Olaf’s': ['AB-123'] },
      faces: ['Olaf'],
    };
    const camera = {
      lpr: section,
      mqtt: { enabled: false, required_zones: ['bed'] },
      onvif: {
        host: '10.0.0.5',
        user: 'x',
        profile: 'main',
        autotracking: { enabled: true, enabled_in_config: true, movement_weights: ['1'] },
      },
      notifications: { enabled: true, email: 'olaf@example.org' },
      objects: { genai: { enabled: true, prompt: 'Olaf', objects: ['person'], required_zones: ['path'] } },
      review: { genai: { enabled: true, additional_concerns: ['the neighbour'], image_source: 'preview' } },
    };
    const found = maskedConfiguration(
      {
        lpr: section,
        face_recognition: section,
        mqtt: { ...section, topic_prefix: 'frigate', client_id: 'frigate-1', user: 'x', stats_interval: 60 },
        notifications: section,
        genai: { ollama: { provider: 'ollama', enabled: true }, openai: { model: 'gpt' } },
        onvif: ['10.0.0.5'],
        cameras: { front: { ...camera, profiles: { onvif: { lpr: section } } }, genai: { mqtt: section } },
      },
      { role: 'guest', grant: new Set(['front', 'genai']), may },
    );
    const on = { enabled: true };
    expect(found).toEqual({
      lpr: on,
      face_recognition: on,
      mqtt: { ...on, topic_prefix: 'frigate', client_id: 'frigate-1' },
      notifications: on,
      genai: { ollama: on },
      auth: { roles: { guest: ['front', 'genai'] } },
      cameras: {
        front: {
          lpr: on,
          mqtt: { enabled: false },
          onvif: { host: mask, autotracking: on },
          notifications: on,
          objects: { genai: { enabled: true, objects: ['person'], required_zones: ['path'] } },
          review: { genai: on },
          profiles: { onvif: { lpr: on } },
        },
        genai: { mqtt: on },
      },
    });
  });

  test('finds the sections that the recorder’s UI reads without looking', () => {
    const onvif = { host: '', autotracking: { enabled: false, enabled_in_config: false } };
    const document = { cameras: { front: { onvif, notifications: { enabled: false } } } };
    const reader = { role: 'guest', grant: new Set(['front']), may };
    expect(at(maskedConfiguration(document, reader), 'cameras', 'front')).toEqual({
      onvif: { host: '', autotracking: { enabled: false } },
      notifications: { enabled: false },
    });
  });

  test.each<[what: string, auth: unknown]>([
    ['another role', { enabled: false, roles: { admin: [], other: ['front', 'garage'] } }],
    ['the role with more cameras', { enabled: false, roles: { guest: ['front', 'garage'] } }],
    ['no roles', { enabled: false }],
    ['nothing', undefined],
  ])('finds its own role with its cameras where the recorder has %s', (_, auth) => {
    const document = { auth, cameras: { front: {}, garage: {} } };
    const reader = { role: 'guest', grant: new Set(['front', 'attic']), may };
    expect(at(maskedConfiguration(document, reader), 'auth', 'roles')).toEqual({ guest: ['front'] });
  });

  test('gets the same from a masked configuration', () => {
    const reader = { role: 'guest', grant: new Set(['garage', 'attic', 'front']), may };
    const once = maskedConfiguration(configurationWith('hunter2'), reader);
    expect(maskedConfiguration(once, reader)).toEqual(once);
    expect(at(once, 'auth', 'roles')).toEqual({ guest: ['front', 'garage'] });
  });

  test('gets a stream that two cameras list when both are its own', () => {
    const live = (stream: string) => ({ live: { streams: { Main: stream } } });
    const document = {
      cameras: { front: live('both'), garage: live('both'), yard: live('birdseye') },
      go2rtc: { streams: { both: [], birdseye: [], front: [], attic: [] } },
    };
    const streamsOf = (...cameras: string[]) => {
      const reader = { role: 'guest', grant: new Set(cameras), may };
      return keysAt(maskedConfiguration(document, reader), 'go2rtc', 'streams');
    };
    expect(streamsOf('front')).toEqual(['front']);
    expect(streamsOf('front', 'garage')).toEqual(['both', 'front']);
    expect(streamsOf('yard', 'birdseye')).toEqual([]);
  });

  test('without a grant gets no camera', () => {
    const found = maskedConfiguration(configurationWith('x'), { role: 'none', grant: new Set(), may });
    expect([found['cameras'], found['camera_groups']]).toEqual([{}, {}]);
  });
});

describe('what a role may not do is left out of what the recorder’s UI reads', () => {
  const onvif = { host: '10.0.0.5', port: 8000, autotracking: { enabled: true } };
  const document = {
    cameras: {
      front: { onvif, profiles: { onvif: { host: 'of a profile' } } },
      onvif: { zones: { onvif: { host: 'of a zone' } }, onvif: { host: '' } },
    },
    go2rtc: { webrtc: { ice_servers: [{ urls: 'stun:x' }, 'x', { urls: [1], credential: 7 }] }, streams: {} },
  };
  const hostOf = (reader: Reader) =>
    at(maskedConfiguration(document, reader), 'cameras', 'front', 'onvif', 'host');

  test('moving a camera: without ptz it has no address', () => {
    expect([viewer, guest].map(hostOf)).toEqual(['10.0.0.5', mask]);
    for (const { role, grant } of [viewer, guest]) {
      const found = maskedConfiguration(document, { role, grant, may: without('ptz') });
      expect(at(found, 'cameras', 'front', 'onvif')).toMatchObject({
        host: '',
        autotracking: { enabled: true },
      });
    }
    const cameras = at(maskedConfiguration(document, { ...viewer, may: without('ptz') }), 'cameras');
    expect(cameras).toMatchObject({
      front: { profiles: { onvif: { host: 'of a profile' } } },
      onvif: { zones: { onvif: { host: 'of a zone' } }, onvif: { host: '' } },
    });
  });

  test('watching live: without it there are no servers for it', () => {
    for (const { role, grant } of [viewer, guest]) {
      const webrtc = (to: May) =>
        at(maskedConfiguration(document, { role, grant, may: to }), 'go2rtc', 'webrtc');
      expect(webrtc(may)).toEqual({ ice_servers: [{ urls: 'stun:x' }, {}, {}] });
      expect(webrtc(without('live'))).toEqual({});
    }
  });

  test.each([
    [{}],
    [{ go2rtc: null }],
    [{ go2rtc: { webrtc: [] } }],
    [{ go2rtc: { webrtc: { ice_servers: 1 } } }],
  ])('%j has no servers', (sent) => {
    expect(JSON.stringify(maskedConfiguration(sent, viewer))).not.toContain('ice_servers');
  });
});

test('gets an answer for any document, except for an endless one', () => {
  assert(
    property(json(), (text) => {
      expect(() => maskedConfiguration({ document: JSON.parse(text) as unknown }, guest)).not.toThrow();
    }),
  );
  const deep = JSON.parse('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)) as Json;
  for (const reader of [viewer, guest]) {
    expect(() => maskedConfiguration(deep, reader)).toThrow(RangeError);
    expect(() => maskedConfiguration({ password: [deep] }, reader)).toThrow(RangeError);
  }
});

test('reads names of JavaScript’s own properties as plain keys', () => {
  const document = JSON.parse(
    '{"__proto__":{"password":"x","mode":"on"},"cameras":{"__proto__":{}}}',
  ) as Json;
  expect(JSON.stringify(maskedConfiguration(document, guest))).toBe(
    `{"__proto__":{"password":"${mask}","mode":"on"},"cameras":{},"auth":{"roles":{"guest":[]}}}`,
  );
});

test.each([
  ['/api/config', true],
  ['/api/config/', true],
  ['/API/Config', true],
  ['/api/config/raw', false],
  ['/api/configs', false],
  ['/x/api/config', false],
])('%s is the path of the configuration: %s', (path, expected) => {
  expect(isConfigurationPath(path)).toBe(expected);
});
