import { describe, expect, test } from 'vitest';
import { mayByDefault, mayEverything, type May } from '../../../../src/policy/capability.ts';
import {
  mayOfferAnything,
  offerOfSound,
  offerPlaceOf,
  readOfferedMessage,
  refuseOfferInBody,
  sendingIn,
  type Sending,
} from '../../../../src/policy/recorder/offers.ts';
import type { RawHeaders } from '../../../../src/policy/raw-headers.ts';

const sdp = (...sections: readonly string[]) => `v=0\r\n${sections.map((line) => `${line}\r\n`).join('')}`;
const watching = sdp('m=video 9 RTP/AVP 96', 'a=recvonly');
const speaking = sdp('m=video 9 RTP/AVP 96', 'a=recvonly', 'm=audio 9 RTP/AVP 0', 'a=sendonly');
const filming = sdp('m=video 9 RTP/AVP 96', 'a=sendonly');

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

  test('the one that questions about access use sends sound', () => {
    expect([watcher, talker].map((by) => inBody(offerOfSound, [], by))).toEqual(['role_may_not', undefined]);
  });
});

const message = (value: unknown) => JSON.stringify(value);

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
    [{ value: { sdp: watching, type: 'offer', ice_servers: [{ urls: ['stun:x'] }] }, type: 'webrtc' }],
  ])('%j passes', (value) => {
    expect(readOfferedMessage(message(value), watcher)).toMatchObject({ refused: undefined });
  });

  test.each([
    ['speaking', speaking, 'role_may_not', undefined, undefined],
    ['filming', filming, 'role_may_not', 'admin_only', 'admin_only'],
    ['unreadable', '', 'role_may_not', 'body_unreadable', 'body_unreadable'],
  ])('%s', (_, offer, byWatcher, byTalker, byViewer) => {
    for (const value of [
      { type: 'webrtc/offer', value: offer },
      { type: 'webrtc', value: { type: 'offer', sdp: offer } },
    ])
      expect([watcher, talker, viewer].map((by) => readOfferedMessage(message(value), by)?.refused)).toEqual([
        byWatcher,
        byTalker,
        byViewer,
      ]);
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
    expect(readOfferedMessage(text, viewer)).toBeUndefined();
  });
});

const session = ['v=0', 'o=- 4611731400430051336 2 IN IP4 127.0.0.1', 's=-', 't=0 0'];
const audio = 'm=audio 9 UDP/TLS/RTP/SAVPF 111';
const video = 'm=video 9 UDP/TLS/RTP/SAVPF 96';
const data = 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel';
const described = (...lines: readonly string[]) => `${[...session, ...lines].join('\r\n')}\r\n`;

test.each<[name: string, lines: readonly string[], sending: Sending]>([
  ['no section', [], 'nothing'],
  ['a player', [video, 'a=mid:0', 'a=recvonly', audio, 'a=mid:1', 'a=recvonly'], 'nothing'],
  ['inactive sections', [video, 'a=inactive', audio, 'a=inactive'], 'nothing'],
  ['the session’s direction', ['a=recvonly', video, audio], 'nothing'],
  ['a section against the session', ['a=sendrecv', video, 'a=recvonly'], 'nothing'],

  ['a microphone', [video, 'a=recvonly', audio, 'a=sendonly'], 'sound'],
  ['a call', [video, 'a=recvonly', audio, 'a=sendrecv'], 'sound'],
  ['no direction', [video, 'a=recvonly', audio, 'a=mid:1'], 'sound'],
  ['a channel for data', [video, 'a=recvonly', data], 'sound'],
  ['the session’s direction, sending', ['a=sendonly', audio], 'sound'],
  ['a section against the quiet session', ['a=recvonly', audio, 'a=sendonly'], 'sound'],
  ['a session with two directions', ['a=recvonly', 'a=sendrecv', audio], 'sound'],
  ['two directions', [audio, 'a=recvonly', 'a=sendrecv'], 'sound'],
  ['two directions, the quiet one last', [audio, 'a=sendonly', 'a=recvonly'], 'sound'],
  ['a direction with a value', [audio, 'a=sendrecv:1'], 'sound'],
  ['a quiet direction with a value', [audio, 'a=recvonly:1'], 'sound'],
  ['capitals', [audio, 'a=SENDONLY', 'a=recvonly'], 'sound'],
  ['quiet in capitals', [audio, 'a=RECVONLY'], 'sound'],
  ['space before a direction', [audio, 'a= sendonly', 'a=recvonly'], 'sound'],
  ['space after a quiet direction', [audio, 'a=recvonly '], 'sound'],
  ['a rejected section', ['m=audio 0 RTP/AVP 0'], 'sound'],

  ['a camera', [video, 'a=sendonly'], 'pictures'],
  ['a camera beside a microphone', [audio, 'a=sendonly', video, 'a=sendrecv'], 'pictures'],
  ['a section without a direction', [video], 'pictures'],
  ['the second of two sections', [video, 'a=recvonly', audio, 'a=recvonly', video, 'a=sendonly'], 'pictures'],
  ['another kind', ['m=image 9 RTP/AVP 0', 'a=sendonly'], 'pictures'],
  ['a kind that begins like sound', ['m=audiovideo 9 RTP/AVP 0'], 'pictures'],
])('%s: %s', (_, lines, sending) => {
  expect(sendingIn(described(...lines))).toBe(sending);
  expect(sendingIn(described(...lines).replaceAll('\r\n', '\n'))).toBe(sending);
});

test.each([
  ['nothing', ''],
  ['another text', 'hello'],
  ['no first line', `${audio}\r\na=recvonly\r\n`],
  ['a byte order mark', `\uFEFF${described(audio, 'a=recvonly')}`],
  ['lines that end with a carriage return', described(audio, 'a=recvonly').replaceAll('\r\n', '\r')],
  ['a carriage return in a line', described(audio, 'a=recvonly\ra=sendonly')],
  ['two carriage returns', described(audio, 'a=recvonly\r')],
  ['a tab', described('m=audio\t9 RTP/AVP 0', 'a=recvonly')],
  ['a NUL', described(audio, 'a=recvonly\0')],
  ['a line separator', described(audio, 'a=mid:1\u2028a=sendonly', 'a=recvonly')],
  ['a vertical tab', described(audio, 'a=mid:1\u000Ba=sendonly', 'a=recvonly')],
  ['a section in capitals', described('M=audio 9 RTP/AVP 0', 'a=recvonly')],
  ['a kind in capitals', described('m=AUDIO 9 RTP/AVP 0', 'a=recvonly')],
  ['a section without a kind', described('m= 9 RTP/AVP 0', 'a=recvonly')],
  ['space before a line', described(audio, ' a=sendonly', 'a=recvonly')],
])('%s is unreadable', (_, sdp) => {
  expect(sendingIn(sdp)).toBeUndefined();
});
