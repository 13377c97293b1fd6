import type { Reason } from './reasons.ts';

export interface CanonicalUri {
  /** Decoded path; begins with one slash and has no empty segment but perhaps the last. */
  readonly path: string;
  /** The query as it was sent, without the question mark. */
  readonly query: string;
}

/**
 * Reads a request target (RFC 9112, 3.2) the way nginx resolves it: one percent-decoding, slashes merged.
 * A URI that another server could read differently is refused instead of resolved.
 * @param uri origin-form, or absolute-form, whose scheme and authority are dropped; bytes as Latin-1
 */
export function canonicalUri(uri: string): CanonicalUri | { readonly refused: Reason } {
  const pathEnd = plainPathEnd(uri);
  if (pathEnd === -1) return resolvedUri(uri);
  return { path: uri.slice(0, pathEnd), query: uri.slice(pathEnd + 1) };
}

/** The same for any URI: canonicalUri returns the same result, but reads each character of most URIs only once. */
export function resolvedUri(uri: string): CanonicalUri | { readonly refused: Reason } {
  if (/[\u0000-\u0020\u007f]/.test(uri)) return { refused: 'uri_control_character' };
  if (uri.includes('#')) return { refused: 'uri_malformed' };
  const target = withoutAuthority(uri);
  if (target === undefined) return { refused: 'uri_malformed' };

  const queryStart = target.indexOf('?');
  const sentPath = queryStart === -1 ? target : target.slice(0, queryStart);
  const query = queryStart === -1 ? '' : target.slice(queryStart + 1);

  if (target.includes('\\')) return { refused: 'uri_backslash' };
  if (/%(?![0-9a-f]{2})/i.test(sentPath)) return { refused: 'uri_malformed' };
  if (/%(?:2f|5c)/i.test(sentPath)) return { refused: 'uri_encoded_slash' };
  const decoded = percentDecode(sentPath);
  if (decoded === undefined) return { refused: 'uri_malformed' };
  if (controlCharacter.test(decoded)) return { refused: 'uri_control_character' };
  if (/%[0-9a-f]{2}/i.test(decoded)) return { refused: 'uri_double_encoded' };
  if (/\/\.{1,2}(?:\/|$)/.test(decoded)) return { refused: 'uri_dot_segment' };
  // Some servers cut `;parameters` off a segment first: they read `/api;x/config` as `/api/config`.
  if (decoded.includes(';')) return { refused: 'uri_path_parameter' };
  return { path: decoded.replace(/\/{2,}/g, '/'), query };
}

/** @returns the end of the path, if the URI needs no decoding and all servers read it alike; -1 otherwise */
function plainPathEnd(uri: string): number {
  if (uri.charCodeAt(0) !== slash) return -1;
  let before = slash;
  let at = 1;
  for (; at < uri.length; at += 1) {
    const code = uri.charCodeAt(at);
    if (code === questionMark) break;
    // An empty segment, or a possible dot segment.
    const isSpecial = before === slash && (code === slash || code === dot);
    if (isSpecial || code > 0x7e || plainInPath[code] === 0) return -1;
    before = code;
  }
  for (let i = at + 1; i < uri.length; i += 1) {
    const code = uri.charCodeAt(i);
    if (code <= 0x20 || code === 0x7f || code === numberSign || code === backslash) return -1;
  }
  return at;
}

const [slash, dot, questionMark, numberSign, backslash] = [0x2f, 0x2e, 0x3f, 0x23, 0x5c];

/** Visible characters without a special meaning, by character code. */
const plainInPath = Uint8Array.from({ length: 0x7f }, (_, code) =>
  code > 0x20 && !'%;?#\\'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** @returns the path of a request target as it was sent; `undefined` if there is none */
export function sentPath(uri: string): string | undefined {
  return withoutAuthority(uri)?.split('?', 1)[0];
}

/** @returns host and port of a request target in absolute-form, without user information; undefined otherwise */
export function sentAuthority(uri: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#\\]*@)?([^/?#\\]*)/i.exec(uri)?.[1];
}

const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * @returns a request target in origin-form; undefined if it has no path. A path must follow the authority: in
 * `http://x?/clips/` the host would swallow the rest.
 */
export function withoutAuthority(uri: string): string | undefined {
  if (uri.startsWith('/')) return uri;
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*(\/.*)$/i.exec(uri)?.[1];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns undefined if the bytes are not UTF-8 (overlong forms included) */
function percentDecode(path: string): string | undefined {
  if (/^[\x21-\x24\x26-\x7e]*$/.test(path)) return path;
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}
