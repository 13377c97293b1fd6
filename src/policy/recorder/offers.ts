import type { May } from '../capability.ts';
import { isPlainObject, readJson, readUnambiguousJson, readUnambiguousText, readUtf8 } from '../json.ts';
import { headerValues, hasHeader, type RawHeaders } from '../raw-headers.ts';
import type { Reason } from '../reasons.ts';
import { longestBody } from './named-in-body.ts';
import { isUdpCandidate, readDescription, withUdpCandidates } from './session-description.ts';

/**
 * Offers of WebRTC to a recorder's go2rtc. Each player that watches by WebRTC makes one; it may offer sound for the camera's speaker, or
 * pictures that others then see as the camera's. go2rtc connects to each address that an offer names, so only candidates for UDP pass, and
 * no servers (`ice_servers`): it has its own in its configuration.
 */

/** Candidates in one body, or on one WebSocket. A browser names a dozen. */
export const mostCandidates = 64;

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
  const description = readDescription(sdp);
  // An offer that no one can read may send sound too.
  if (description?.sending !== 'nothing' && !may.has('talk')) return 'role_may_not';
  if (description === undefined) return 'body_unreadable';
  const isSource = description.sending === 'pictures' || !description.isReceiving;
  return isSource ? 'admin_only' : undefined;
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
  const offer = offerIn(body, headers);
  return offer === undefined ? 'body_unreadable' : refuseDescription(offer.sdp, offering);
}

/** @returns the body of a permitted offer as the recorder gets it. @throws TypeError for one that is refused by its form */
export function offerToPassOn(body: Uint8Array, headers: RawHeaders): Uint8Array {
  const offer = offerIn(body, headers);
  if (offer === undefined) throw new TypeError('the body is no offer');
  const { sdp } = withUdpCandidates(offer.sdp, mostCandidates);
  return new TextEncoder().encode(offer.isJson ? JSON.stringify({ type: 'offer', sdp }) : sdp);
}

/** The body of an offer that sends sound, and asks for pictures. */
export const offerOfSound = new TextEncoder().encode(
  'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=recvonly\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=sendonly\r\n',
);

function offerIn(body: Uint8Array, headers: RawHeaders): { sdp: string; isJson: boolean } | undefined {
  const [declared = '', ...others] = headerValues(headers, 'content-type');
  if (others.length > 0 || hasHeader(headers, 'content-encoding') || body.length > longestBody)
    return undefined;
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isJson = type === 'application/json';
  const sdp = isJson
    ? descriptionIn(readUnambiguousJson(body), true)
    : /form/.test(type)
      ? undefined
      : readUtf8(body);
  return sdp === undefined ? undefined : { sdp, isJson };
}

/** @param isTyped whether its type is needed */
function descriptionIn(value: unknown, isTyped: boolean): string | undefined {
  if (!hasOnly(value, ['type', 'sdp', 'ice_servers'])) return undefined;
  const { type, sdp } = value;
  const isOffer = type === 'offer' || (type === undefined && !isTyped);
  return isOffer && typeof sdp === 'string' ? sdp : undefined;
}

/** A message of a client, and either why it is refused, or what the recorder gets in its place. */
type OfferedMessage = { readonly type: string } & (
  | { readonly refused: Reason }
  | { readonly refused?: never; readonly text: string; readonly candidates: number }
);

/**
 * @param most candidates that may still pass on this WebSocket
 * @returns undefined for a message that is not passed on, and not answered
 */
export function readOfferedMessage(
  text: string,
  offering: Offering,
  most: number,
): OfferedMessage | undefined {
  const message = readUnambiguousText(text);
  if (!hasOnly(message, ['type', 'value'])) return undefined;
  const { type, value } = message;
  if (type === 'webrtc/candidate') return candidateMessage(value, most);
  if (typeof type === 'string' && quietTypes.has(type))
    return value === undefined || typeof value === 'string'
      ? { type, text: JSON.stringify({ type, value }), candidates: 0 }
      : undefined;
  if (type !== 'webrtc/offer' && type !== 'webrtc') return undefined;
  const offered = type === 'webrtc' ? descriptionIn(value, false) : value;
  if (typeof offered !== 'string') return undefined;
  const refused = refuseDescription(offered, offering);
  if (refused !== undefined) return { type, refused };
  const { sdp, candidates } = withUdpCandidates(offered, most);
  const passed = { type, value: type === 'webrtc' ? { type: 'offer', sdp } : sdp };
  return { type, text: JSON.stringify(passed), candidates };
}

function candidateMessage(value: unknown, most: number): OfferedMessage | undefined {
  const type = 'webrtc/candidate';
  return typeof value === 'string' && isUdpCandidate(value) && most > 0
    ? { type, text: JSON.stringify({ type, value }), candidates: 1 }
    : undefined;
}

/**
 * A message of go2rtc for anyone but an admin. An error says why a stream does not open, with the address of the camera, and in some
 * notations its password: players only read which of their messages failed.
 * @returns undefined for what no player reads
 */
export function messageToPlayer(text: string): string | undefined {
  const message = readJson(text);
  if (!isPlainObject(message)) return undefined;
  if (message['type'] !== 'error') return text;
  const [failed = '', ...causes] = String(message['value']).split(':');
  const isKnown =
    causes.length > 0 && (quietTypes.has(failed) || /^webrtc(?:\/offer|\/candidate)?$/.test(failed));
  return JSON.stringify({ type: 'error', value: isKnown ? `${failed}: failed` : 'failed' });
}

/** Types of messages in which a player only asks for media. */
const quietTypes: ReadonlySet<string> = new Set(['mse', 'mp4', 'hls', 'mjpeg']);

type Fields = Readonly<Record<string, unknown>>;

/** Another name could be the same to a program that ignores the letter case of names. */
function hasOnly(value: unknown, names: readonly string[]): value is Fields {
  return isPlainObject(value) && Object.keys(value).every((name) => names.includes(name));
}
