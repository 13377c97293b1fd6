/** What an offer sends: sound is heard at the camera, and pictures may be seen in place of its own. */
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
