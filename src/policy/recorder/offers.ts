import type { May } from '../capability.ts';
import { isPlainObject } from '../json.ts';
import { headerValues, hasHeader, type RawHeaders } from '../raw-headers.ts';
import type { Reason } from '../reasons.ts';
import { readUnambiguousJson, readUnambiguousText, readUtf8 } from '../strict-json.ts';
import { longestBody } from './named-in-body.ts';
import { sendingIn } from './session-description.ts';

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

/** @returns why an offer is refused; undefined: it is permitted */
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

/** A message of a client, and why it is refused; undefined: it is passed on. */
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

/** What a player asks for, and where it can be reached. */
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
