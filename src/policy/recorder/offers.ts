import type { May } from '../capability.ts';
import { isPlainObject, readUnambiguousJson, readUnambiguousText, readUtf8 } from '../json.ts';
import { headerValues, hasHeader, type RawHeaders } from '../raw-headers.ts';
import type { Reason } from '../reasons.ts';
import { longestBody } from './named-in-body.ts';

/**
 * Offers of WebRTC to a recorder's go2rtc. Each player that watches by WebRTC makes one; it may offer sound for the camera's speaker, or
 * pictures that others then see as the camera's.
 */

/** Where a request may carry an offer: in its body, or in the messages of a WebSocket. */
type OfferPlace = 'body' | 'messages';

/** Everything of go2rtc, in any spelling of a path. The streams of jsmpeg take nothing from a client. */
const pathOfStreams = /^\/(?:live\/(?!jsmpeg(?:\/|$))|api\/go2rtc\/)/i;
const pathOfSocket = /\/ws[^/]*\/?$/i;

/** @param isWebSocket whether the request opens one, by any sign. @returns undefined if it carries no offer */
export function offerPlaceOf(
  path: string,
  method: string | undefined,
  isWebSocket: boolean,
): OfferPlace | undefined {
  if (!pathOfStreams.test(path)) return undefined;
  // A WebSocket begins with GET, whatever other signs of one a request has.
  if (method !== 'GET' && method !== 'HEAD') return 'body';
  return isWebSocket || pathOfSocket.test(path) ? 'messages' : undefined;
}

/** Who makes an offer. */
interface Offering {
  readonly role: string;
  readonly may: May;
}

/** Whether someone may offer anything, so that no one has to read it. */
export function mayOfferAnything({ role }: Pick<Offering, 'role'>): boolean {
  return role === 'admin';
}

/** @returns why an offer is refused; `undefined` if it is permitted */
function refuseDescription(sdp: string, { may }: Offering): Reason | undefined {
  const sending = sendingIn(sdp);
  if (sending === 'nothing') return undefined;
  // An offer that no one can read may send sound too.
  if (!may.has('talk')) return 'role_may_not';
  if (sending === undefined) return 'body_unreadable';
  return sending === 'pictures' ? 'admin_only' : undefined;
}

/**
 * Decides about the offer in a body. Only forms that every program reads alike pass: JSON with `type` and `sdp`, or the description
 * itself.
 * @param headers of the request
 */
export function refuseOfferInBody(
  body: Uint8Array,
  headers: RawHeaders,
  offering: Offering,
): Reason | undefined {
  const sdp = descriptionIn(body, headers);
  return sdp === undefined ? 'body_unreadable' : refuseDescription(sdp, offering);
}

/** The body of an offer that sends sound. */
export const offerOfSound = new TextEncoder().encode(
  'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=sendonly\r\n',
);

function descriptionIn(body: Uint8Array, headers: RawHeaders): string | undefined {
  const [declared = '', ...others] = headerValues(headers, 'content-type');
  if (others.length > 0 || hasHeader(headers, 'content-encoding') || body.length > longestBody)
    return undefined;
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json') {
    const value = readUnambiguousJson(body);
    return hasOnly(value, ['type', 'sdp']) && value['type'] === 'offer' ? textIn(value, 'sdp') : undefined;
  }
  return /form/.test(type) ? undefined : readUtf8(body);
}

/** A message of a client, and why it is refused. The reason is absent when it is passed on. */
type OfferedMessage = { readonly type: string; readonly refused: Reason | undefined };

/** @returns undefined for a message that is not passed on, and not answered */
export function readOfferedMessage(text: string, offering: Offering): OfferedMessage | undefined {
  const message = readUnambiguousText(text);
  if (!hasOnly(message, ['type', 'value'])) return undefined;
  const { type, value } = message;
  if (typeof type !== 'string') return undefined;
  if (quietTypes.has(type))
    return value === undefined || typeof value === 'string' ? { type, refused: undefined } : undefined;
  const sdp =
    type === 'webrtc/offer'
      ? value
      : type === 'webrtc' && hasOnly(value, ['type', 'sdp', 'ice_servers'])
        ? value['sdp']
        : undefined;
  return typeof sdp === 'string' ? { type, refused: refuseDescription(sdp, offering) } : undefined;
}

/** Types of messages in which a player only asks for media, or says where it can be reached. */
const quietTypes: ReadonlySet<string> = new Set(['mse', 'mp4', 'hls', 'mjpeg', 'webrtc/candidate']);

type Fields = Readonly<Record<string, unknown>>;

/** Another name could be the same to a program that ignores the letter case of names. */
function hasOnly(value: unknown, names: readonly string[]): value is Fields {
  return isPlainObject(value) && Object.keys(value).every((name) => names.includes(name));
}

function textIn(value: Fields, name: string): string | undefined {
  const text = value[name];
  return typeof text === 'string' ? text : undefined;
}

/** Media that an offer sends: sound is heard at the camera, and pictures may be seen in place of its own. */
export type Sending = 'nothing' | 'sound' | 'pictures';

/**
 * Reads what an SDP offer would send (RFC 8866; RFC 3264, 5.1): the direction of a section is its own, else the session's, else
 * `sendrecv`. Anything that two parsers could read differently counts as sending.
 * @returns undefined if it is no session description in its plain form
 */
export function sendingIn(sdp: string): Sending | undefined {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '');
  if (lines[0] !== 'v=0' || !lines.every((line) => plainLine.test(line))) return undefined;
  const [session = [], ...sections] = splitBefore(lines, (line) => line.startsWith('m='));
  const isSessionQuiet = directionOf(session) === 'quiet';
  let sending: Sending = 'nothing';
  for (const section of sections) {
    const [, kind] = mediaLine.exec(section[0] ?? '') ?? [];
    if (kind === undefined) return undefined;
    const direction = directionOf(section);
    if (direction === 'quiet' || (direction === undefined && isSessionQuiet)) continue;
    if (!soundKinds.has(kind)) return 'pictures';
    sending = 'sound';
  }
  return sending;
}

/** A lone carriage return ends a line for some parsers only. */
const plainLine = /^[a-z]=[^\p{Cc}\u2028\u2029]*$/u;
const mediaLine = /^m=([a-z]+) [^ ]/;

/** A section `application` is a channel for data, which every stream with sound may have beside it. */
const soundKinds: ReadonlySet<string> = new Set(['audio', 'application']);

/** @returns undefined without any direction; one in another spelling sends, since some parser may read it */
function directionOf(section: readonly string[]): 'quiet' | 'sending' | undefined {
  if (section.some((line) => sendingLine.test(line))) return 'sending';
  return section.some((line) => line === 'a=recvonly' || line === 'a=inactive') ? 'quiet' : undefined;
}

const sendingLine = /^a=\s*(?:sendrecv|sendonly)\b/i;

function splitBefore(lines: readonly string[], isFirst: (line: string) => boolean): readonly string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (isFirst(line)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}
