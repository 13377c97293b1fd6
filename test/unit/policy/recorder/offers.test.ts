import { describe, expect, test } from 'vitest';
import { mayByDefault, mayEverything, type May } from '../../../../src/policy/capability.ts';
import {
  mayOfferAnything,
  messageToPlayer,
  offerOfSound,
  offerPlaceOf,
  readOfferedMessage,
  refuseOfferInBody,
  mostCandidates,
  offerToPassOn,
} from '../../../../src/policy/recorder/offers.ts';
import type { RawHeaders } from '../../../../src/policy/raw-headers.ts';

const sdp = (...sections: readonly string[]) => `v=0\r\n${sections.map((line) => `${line}\r\n`).join('')}`;
const watching = sdp('m=video 9 RTP/AVP 96', 'a=recvonly');
const speaking = sdp('m=video 9 RTP/AVP 96', 'a=recvonly', 'm=audio 9 RTP/AVP 0', 'a=sendonly');
const filming = sdp('m=video 9 RTP/AVP 96', 'a=sendonly');
const asking = sdp('m=video 9 RTP/AVP 96', 'a=inactive', 'm=audio 9 RTP/AVP 0', 'a=inactive');
const speakingAlone = sdp('m=audio 9 RTP/AVP 0', 'a=sendonly');

const udp = 'candidate:1 1 udp 2113937151 192.0.2.1 46154 typ host generation 0 ufrag abcd';
const tcp = 'candidate:2 1 tcp 1518280447 192.0.2.1 22 typ host tcptype passive';
const withCandidates = (...candidates: readonly string[]) =>
  `${watching}${candidates.map((text) => `a=${text}\r\n`).join('')}`;

const watcher = { role: 'family', may: mayByDefault };
const talker: { role: string; may: May } = { role: 'family', may: new Set(['live', 'talk']) };
const viewer = { role: 'viewer', may: mayEverything };

test.each([
  ['GET', '/live/mse/api/ws', false, 'messages'],
  ['GET', '/live/webrtc/api/ws', true, 'messages'],
  ['GET', '/LIVE/webrtc/API/WS/', false, 'messages'],
  ['GET', '/api/go2rtc/ws', true, 'messages'],
  ['GET', '/api/go2rtc/api/ws', false, 'messages'],
  ['GET', '/live/something/new', true, 'messages'],
  ['POST', '/api/go2rtc/webrtc', false, 'body'],
  ['POST', '/API/go2rtc/api/webrtc', false, 'body'],
  // Other signs of a WebSocket do not make one.
  ['POST', '/api/go2rtc/webrtc', true, 'body'],
  ['PUT', '/live/webrtc/api/webrtc', false, 'body'],
  ['GET', '/live/jsmpeg/front', true, undefined],
  ['GET', '/api/go2rtc/api/stream.mp4', false, undefined],
  ['GET', '/live/webrtc/webrtc.html', false, undefined],
  ['GET', '/api/go2rtc/ws/other', false, undefined],
  ['GET', '/ws', true, undefined],
  ['POST', '/api/export/front/start/1/end/2', false, undefined],
] as const)('%s %s, as a WebSocket: %s: %s', (method, path, isWebSocket, place) => {
  expect(offerPlaceOf(path, method, isWebSocket)).toBe(place);
});

test('only admins may offer anything', () => {
  expect(['admin', 'viewer', 'family'].map((role) => mayOfferAnything({ role }))).toEqual([
    true,
    false,
    false,
  ]);
});

const json = ['Content-Type', 'application/json'];
const inBody = (text: string | Uint8Array, headers: RawHeaders, by = talker) =>
  refuseOfferInBody(typeof text === 'string' ? Buffer.from(text) : text, headers, by);

describe('a body', () => {
  test.each([
    ['watching', watching, undefined, undefined, undefined],
    ['speaking', speaking, 'role_may_not', undefined, undefined],
    ['filming', filming, 'role_may_not', 'admin_only', 'admin_only'],
    ['asking for nothing', asking, 'admin_only', 'admin_only', 'admin_only'],
    ['speaking alone', speakingAlone, 'role_may_not', 'admin_only', 'admin_only'],
    ['unreadable', 'v=1', 'role_may_not', 'body_unreadable', 'body_unreadable'],
  ])('%s, as a description and as JSON', (_, offer, byWatcher, byTalker, byViewer) => {
    for (const [body, headers] of [
      [offer, ['Content-Type', 'application/sdp']],
      [offer, []],
      [offer, ['Content-Type', 'text/plain; charset=utf-8']],
      [JSON.stringify({ type: 'offer', sdp: offer }), json],
      [JSON.stringify({ type: 'offer', sdp: offer }), ['Content-Type', 'Application/JSON ; charset=utf-8']],
    ] as const)
      expect([watcher, talker, viewer].map((by) => inBody(body, headers, by))).toEqual([
        byWatcher,
        byTalker,
        byViewer,
      ]);
  });

  const both = (first: string, second: string) =>
    `{"type":"offer","sdp":${JSON.stringify(first)},"sdp":${JSON.stringify(second)}}`;
  test.each<[name: string, body: string | Uint8Array, headers: RawHeaders]>([
    ['a form', `data=${btoa(watching)}`, ['Content-Type', 'application/x-www-form-urlencoded']],
    ['a form with a description', watching, ['Content-Type', 'application/x-www-form-urlencoded; x=y']],
    ['a form of parts', watching, ['Content-Type', 'multipart/form-data; boundary=v']],
    ['two types', watching, ['Content-Type', 'application/sdp', 'Content-Type', 'application/json']],
    ['a coding', watching, ['Content-Encoding', 'gzip']],
    ['a name twice', both(watching, filming), json],
    ['a name in another letter case', JSON.stringify({ type: 'offer', sdp: watching, SDP: filming }), json],
    ['a name that folds to it', JSON.stringify({ type: 'offer', sdp: watching, '\u017Fdp': filming }), json],
    ['no description', JSON.stringify({ type: 'offer' }), json],
    ['a list', JSON.stringify({ type: 'offer', sdp: [watching] }), json],
    ['another type', JSON.stringify({ type: 'answer', sdp: watching }), json],
    ['text after the object', `${JSON.stringify({ type: 'offer', sdp: watching })}{}`, json],
    ['JSON that is not declared', JSON.stringify({ type: 'offer', sdp: watching }), []],
    ['bytes that are no UTF-8', Buffer.from(`${watching}a=x:\xFF\r\n`, 'latin1'), []],
    ['too much', `${watching}${'a=x\r\n'.repeat(20_000)}`, []],
  ])('%s is unreadable', (_, body, headers) => {
    expect(inBody(body, headers)).toBe('body_unreadable');
  });

  test.each([
    ['without candidates', watching, watching],
    ['with UDP', withCandidates(udp), withCandidates(udp)],
    ['with TCP', withCandidates(tcp, udp, tcp), withCandidates(udp)],
    [
      'with too many',
      withCandidates(...Array<string>(100).fill(udp)),
      withCandidates(...Array<string>(mostCandidates).fill(udp)),
    ],
  ])('%s passes without more', (_, offer, passed) => {
    const passedOn = (body: string, headers: RawHeaders) =>
      Buffer.from(offerToPassOn(Buffer.from(body), headers)).toString();
    expect(passedOn(offer, ['Content-Type', 'application/sdp'])).toBe(passed);
    expect(passedOn(offer, [])).toBe(passed);
    const servers = { ice_servers: [{ urls: ['turn:192.0.2.1?transport=tcp'] }] };
    for (const more of [{}, servers]) {
      const sent = JSON.stringify({ sdp: offer, ...more, type: 'offer' });
      expect(inBody(sent, json, watcher)).toBeUndefined();
      expect(passedOn(sent, json)).toBe(JSON.stringify({ type: 'offer', sdp: passed }));
    }
  });

  test('the one that questions about access use sends sound', () => {
    expect([watcher, talker].map((by) => inBody(offerOfSound, [], by))).toEqual(['role_may_not', undefined]);
  });
});

const message = (value: unknown) => JSON.stringify(value);
const cause =
  'streams: Get "http://***@10.0.0.5/x?password=hunter2": dial tcp 10.0.0.5:80: connection refused';

test.each<[sent: string, passed: unknown]>([
  [message({ type: 'error', value: `mse: ${cause}` }), { type: 'error', value: 'mse: failed' }],
  [
    message({ type: 'error', value: `webrtc/offer: ${cause}` }),
    { type: 'error', value: 'webrtc/offer: failed' },
  ],
  [message({ type: 'error', value: `webrtc: ${cause}` }), { type: 'error', value: 'webrtc: failed' }],
  [message({ type: 'error', value: cause }), { type: 'error', value: 'failed' }],
  [message({ type: 'error', value: 'mse' }), { type: 'error', value: 'failed' }],
  [message({ value: { cause }, type: 'error', more: cause }), { type: 'error', value: 'failed' }],
  [
    message({ type: 'mse', value: 'video/mp4; codecs="avc1.640029"' }),
    { type: 'mse', value: 'video/mp4; codecs="avc1.640029"' },
  ],
  [message({ type: 'webrtc/candidate', value: tcp }), { type: 'webrtc/candidate', value: tcp }],
  [cause, undefined],
  [message([cause]), undefined],
  ['{"type":"mse","type":"error","value":"hunter2"}', { type: 'error', value: 'failed' }],
])('of %s a player gets %j', (sent, passed) => {
  const text = messageToPlayer(sent);
  expect(text === undefined ? undefined : (JSON.parse(text) as unknown)).toEqual(passed);
});
/** @returns undefined for a message that is not passed on */
function passedOn(value: unknown): unknown {
  const read = readOfferedMessage(message(value), watcher, mostCandidates);
  return read === undefined || read.refused !== undefined ? undefined : (JSON.parse(read.text) as unknown);
}

describe('a message', () => {
  test.each([
    [{ type: 'mse', value: 'avc1.640029,hev1' }],
    [{ type: 'mse' }],
    [{ type: 'mp4', value: '' }],
    [{ type: 'hls', value: '' }],
    [{ type: 'mjpeg' }],
    [{ type: 'webrtc/candidate', value: 'candidate:1 1 udp 1 192.0.2.1 9 typ host' }],
    [{ type: 'webrtc/offer', value: watching }],
    [{ type: 'webrtc', value: { type: 'offer', sdp: watching } }],
  ])('%j passes', (value) => {
    expect(passedOn(value)).toEqual(value);
  });

  test.each<[name: string, sent: unknown, passed: unknown]>([
    [
      'servers',
      { value: { sdp: watching, type: 'offer', ice_servers: [{ urls: ['turn:x'] }] }, type: 'webrtc' },
      { type: 'webrtc', value: { type: 'offer', sdp: watching } },
    ],
    [
      'TCP candidates of an offer',
      { type: 'webrtc', value: { sdp: withCandidates(tcp, udp) } },
      { type: 'webrtc', value: { type: 'offer', sdp: withCandidates(udp) } },
    ],
    [
      'TCP candidates of a description',
      { type: 'webrtc/offer', value: withCandidates(tcp) },
      { type: 'webrtc/offer', value: watching },
    ],
    ['a TCP candidate', { type: 'webrtc/candidate', value: tcp }, undefined],
    ['a candidate that is no text', { type: 'webrtc/candidate' }, undefined],
    ['the end of candidates', { type: 'webrtc/candidate', value: '' }, undefined],
    ['an answer as an offer', { type: 'webrtc', value: { type: 'answer', sdp: watching } }, undefined],
  ])('without %s', (_, sent, passed) => {
    expect(passedOn(sent)).toEqual(passed);
  });

  test('no more candidates pass than may, from offers and on their own', () => {
    const offer = message({ type: 'webrtc/offer', value: withCandidates(udp, udp, udp) });
    expect(readOfferedMessage(offer, watcher, 5)).toMatchObject({ candidates: 3 });
    expect(readOfferedMessage(offer, watcher, 2)).toMatchObject({
      text: message({ type: 'webrtc/offer', value: withCandidates(udp, udp) }),
      candidates: 2,
    });
    const candidate = message({ type: 'webrtc/candidate', value: udp });
    expect(readOfferedMessage(candidate, watcher, 1)).toMatchObject({ candidates: 1 });
    expect(readOfferedMessage(candidate, watcher, 0)).toBeUndefined();
  });

  test.each([
    ['speaking', speaking, 'role_may_not', undefined, undefined],
    ['filming', filming, 'role_may_not', 'admin_only', 'admin_only'],
    ['asking for nothing', asking, 'admin_only', 'admin_only', 'admin_only'],
    ['speaking alone', speakingAlone, 'role_may_not', 'admin_only', 'admin_only'],
    ['unreadable', '', 'role_may_not', 'body_unreadable', 'body_unreadable'],
  ])('%s', (_, offer, byWatcher, byTalker, byViewer) => {
    for (const value of [
      { type: 'webrtc/offer', value: offer },
      { type: 'webrtc', value: { type: 'offer', sdp: offer } },
    ])
      expect(
        [watcher, talker, viewer].map((by) => readOfferedMessage(message(value), by, 1)?.refused),
      ).toEqual([byWatcher, byTalker, byViewer]);
  });

  test.each([
    ['no JSON', 'webrtc/offer'],
    ['a list', '[]'],
    ['null', 'null'],
    ['another type', message({ type: 'webrtc/answer', value: speaking })],
    ['a type in capitals', message({ type: 'WEBRTC/OFFER', value: speaking })],
    ['a type of another kind', message({ type: ['mse'] })],
    ['no type', message({ value: speaking })],
    ['a type twice', `{"type":"mse","type":"webrtc/offer","value":${message(speaking)}}`],
    ['a type in two spellings', `{"type":"mse","Type":"webrtc/offer","value":${message(speaking)}}`],
    ['an escaped name twice', `{"type":"mse","t\\u0079pe":"webrtc/offer","value":${message(speaking)}}`],
    ['a name that folds to it', message({ type: 'mse', '\u212Bype': 1 })],
    ['an offer that is an object', message({ type: 'webrtc/offer', value: { sdp: speaking } })],
    ['an offer that is a text', message({ type: 'webrtc', value: watching })],
    ['a description in two spellings', message({ type: 'webrtc', value: { sdp: watching, Sdp: speaking } })],
    ['a description that folds', message({ type: 'webrtc', value: { sdp: watching, '\u017Fdp': speaking } })],
    ['a candidate that is an object', message({ type: 'webrtc/candidate', value: {} })],
    ['two values', `${message({ type: 'mse' })}${message({ type: 'webrtc/offer', value: speaking })}`],
  ])('%s is dropped', (_, text) => {
    expect(readOfferedMessage(text, viewer, 1)).toBeUndefined();
  });
});
