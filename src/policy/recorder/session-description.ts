/**
 * Reading of session descriptions (RFC 8866), as a player offers them. Everything that two parsers could read differently counts as what
 * is forbidden.
 */

/** Media that an offer sends: sound is heard at the camera, and pictures may be seen in place of its own. */
export type Sending = 'nothing' | 'sound' | 'pictures';

/** What an offer sends, and whether it asks for anything. */
interface Description {
  readonly sending: Sending;
  /** Whether it asks for sound or pictures: go2rtc takes a client that asks for none as a source of the stream. */
  readonly isReceiving: boolean;
}

/**
 * Reads what an offer would send (RFC 3264, 5.1): the direction of a section is its own, else the session's, else `sendrecv`.
 * @returns undefined if it is no session description in its plain form
 */
export function readDescription(sdp: string): Description | undefined {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '');
  if (lines[0] !== 'v=0' || !lines.every((line) => plainLine.test(line))) return undefined;
  const [session = [], ...sections] = splitBefore(lines, (line) => line.startsWith('m='));
  const isSessionQuiet = directionOf(session) === 'quiet';
  let sending: Sending = 'nothing';
  let isReceiving = false;
  for (const section of sections) {
    const [, kind] = mediaLine.exec(section[0] ?? '') ?? [];
    if (kind === undefined) return undefined;
    isReceiving ||= (kind === 'video' || kind === 'audio') && isReceived(section);
    const direction = directionOf(section);
    if (direction === 'quiet' || (direction === undefined && isSessionQuiet)) continue;
    if (!soundKinds.has(kind)) sending = 'pictures';
    else if (sending === 'nothing') sending = 'sound';
  }
  return { sending, isReceiving };
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

/** By its own direction, which go2rtc alone reads, and by no other. */
function isReceived(section: readonly string[]): boolean {
  const [direction, ...others] = section.filter((line) => directionLine.test(line));
  return others.length === 0 && (direction === 'a=recvonly' || direction === 'a=sendrecv');
}

const directionLine = /^a=\s*(?:sendrecv|sendonly|recvonly|inactive)\b/i;

function splitBefore(lines: readonly string[], isFirst: (line: string) => boolean): readonly string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (isFirst(line)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}

/**
 * Whether a text is a candidate (RFC 8839, 5.1) by which a recorder only sends UDP packets: with one for TCP it would open a connection
 * to any host and port that the client names. The address is an IP address, or a name by which a browser hides its own.
 */
export function isUdpCandidate(text: string): boolean {
  return udpCandidate.test(text) && !/ tcptype/i.test(text);
}

const udpCandidate =
  /^candidate:[A-Za-z\d+/-]{1,32} \d{1,5} (?:udp|UDP) \d{1,10} (?:[\dA-Fa-f:.]{2,45}|[\da-f-]{36}\.local) \d{1,5} typ (?:host|srflx|prflx|relay)(?: [!-~]+)*$/;

/** A description without the candidates that may not pass, and the number of those that are left. */
interface Reachable {
  readonly sdp: string;
  readonly candidates: number;
}

/** Leaves out every candidate but those for UDP, and of these all but the first. @param most how many may stay */
export function withUdpCandidates(sdp: string, most: number): Reachable {
  let candidates = 0;
  const kept = sdp.split(/(?<=\n)/).filter((ended) => {
    const line = ended.replace(/\r?\n$/, '');
    if (!candidateLine.test(line) || line === 'a=end-of-candidates') return true;
    if (!line.startsWith('a=') || !isUdpCandidate(line.slice(2)) || candidates >= most) return false;
    candidates += 1;
    return true;
  });
  return { sdp: kept.join(''), candidates };
}

/** An attribute with such a name, in any spelling. */
const candidateLine = /^\s*a\s*=[^:]*candidate/i;
