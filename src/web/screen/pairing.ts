import type { Reply } from './ask.ts';

/** Codes as Postern returns them. */
export interface Codes {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly link: string;
  /** Where a user types the code, without the scheme. */
  readonly place: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Seconds between two questions. */
  readonly interval: number;
}

/** Why there is no code. */
type NoCode = 'too-many' | 'off' | 'away';

/** @returns the codes in an answer of `POST /postern/api/displays/code`, or why it has none */
export function codesOf({ status, body }: Reply, now: number): Codes | NoCode {
  if (status === 429) return 'too-many';
  if (status === 404) return 'off';
  const { device_code: deviceCode, user_code: userCode, interval } = body;
  if (status !== 200 || typeof deviceCode !== 'string' || typeof userCode !== 'string') return 'away';
  return {
    deviceCode,
    userCode,
    link: String(body['verification_uri_complete']),
    place: String(body['verification_uri']).replace(/^https?:\/\//, ''),
    expiresAt: now + 1_000 * Number(body['expires_in']),
    interval: Number(interval),
  };
}

/** The next step of a screen after it asked whether it was approved. */
type Polled =
  | { readonly kind: 'paired'; readonly name: string }
  | { readonly kind: 'wait'; readonly interval: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'expired' };

/** Seconds that `slow_down` adds to the interval (RFC 8628, 3.5). */
const slower = 5;

/** @param interval seconds between two questions until now */
export function polledOf({ status, body }: Reply, interval: number): Polled {
  if (status === 200) return { kind: 'paired', name: String(body['name']) };
  const { error } = body;
  if (error === 'access_denied') return { kind: 'refused' };
  if (error === 'expired_token') return { kind: 'expired' };
  // Postern or the network may be away for a while.
  return { kind: 'wait', interval: error === 'slow_down' ? interval + slower : interval };
}

/** @returns minutes and seconds, such as 9:41 */
export function leftText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${`0${seconds % 60}`.slice(-2)}`;
}

const key = 'postern-pairing';

/** Keeps the codes, so that a page that is loaded again shows the same. */
export function keepCodes(codes: Codes): void {
  try {
    localStorage.setItem(key, JSON.stringify(codes));
  } catch {
    // Without storage, the next page asks for another one.
  }
}

export function forgetCodes(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** @returns kept codes that are still valid, or `undefined` if there are none */
export function keptCodes(now: number): Codes | undefined {
  try {
    return readCodes(JSON.parse(localStorage.getItem(key) ?? 'null'), now);
  } catch {
    return undefined;
  }
}

/** The longest life of codes in milliseconds: a clock that was set back must not extend it. */
const longest = 600_000;

/** @returns the codes, or `undefined` if the value is anything else or no longer valid */
export function readCodes(value: unknown, now: number): Codes | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { deviceCode, userCode, link, place, expiresAt, interval } = value as Readonly<
    Record<string, unknown>
  >;
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string') return undefined;
  if (typeof link !== 'string' || typeof place !== 'string') return undefined;
  if (typeof expiresAt !== 'number' || typeof interval !== 'number') return undefined;
  if (expiresAt <= now || expiresAt > now + longest) return undefined;
  return { deviceCode, userCode, link, place, expiresAt, interval };
}
