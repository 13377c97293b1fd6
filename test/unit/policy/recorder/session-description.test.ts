import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isUdpCandidate,
  readDescription,
  type Sending,
  withUdpCandidates,
} from '../../../../src/policy/recorder/session-description.ts';
import { assertCases } from '../../../support/assert-cases.ts';

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
  expect(readDescription(described(...lines))?.sending).toBe(sending);
  expect(readDescription(described(...lines).replaceAll('\r\n', '\n'))?.sending).toBe(sending);
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
  expect(readDescription(sdp)).toBeUndefined();
});

test.each<[name: string, lines: readonly string[], isReceiving: boolean]>([
  ['a player', [video, 'a=recvonly', audio, 'a=recvonly'], true],
  ['sound alone', [audio, 'a=recvonly'], true],
  ['one section of several', [video, 'a=inactive', audio, 'a=recvonly'], true],
  ['a call', [audio, 'a=sendrecv'], true],
  ['no section', [], false],
  ['inactive sections', [video, 'a=inactive', audio, 'a=inactive'], false],
  ['a microphone alone', [audio, 'a=sendonly'], false],
  // go2rtc reads no direction but that of a section.
  ['the session’s direction', ['a=recvonly', video, audio], false],
  ['no direction', [video], false],
  ['two directions', [video, 'a=recvonly', 'a=inactive'], false],
  ['the same direction twice', [video, 'a=recvonly', 'a=recvonly'], false],
  ['a direction with a value', [video, 'a=recvonly:1'], false],
  ['a direction in capitals', [video, 'a=RECVONLY'], false],
  ['data alone', [data, 'a=recvonly'], false],
  ['another kind', ['m=image 9 RTP/AVP 0', 'a=recvonly'], false],
])('%s: asks for media: %s', (_, lines, isReceiving) => {
  expect(readDescription(described(...lines))?.isReceiving).toBe(isReceiving);
});

const address = '192.0.2.1 46154 typ';
const udp = `candidate:842163049 1 udp 1677729535 ${address} srflx raddr 10.0.0.1 rport 46154 generation 0 ufrag aBc+ network-cost 999`;

describe('a candidate', () => {
  test.each([
    [udp],
    [`candidate:1 1 UDP 1 ${address} host`],
    ['candidate:a+/9 2 udp 1 2001:db8::1 9 typ prflx'],
    ['candidate:-1 1 udp 1 ::ffff:192.0.2.1 9 typ relay raddr 0.0.0.0 rport 0'],
    ['candidate:1 1 udp 1 4a7e3a2c-0b67-4c1e-9d07-1f2e3d4c5b6a.local 9 typ host'],
  ])('%s is for UDP', (text) => {
    expect(isUdpCandidate(text)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['TCP', `candidate:1 1 tcp 1 ${address} host tcptype passive`],
    ['TCP in capitals', `candidate:1 1 TCP 1 ${address} host tcptype active`],
    ['TLS', `candidate:1 1 ssltcp 1 ${address} host`],
    ['a transport that begins like UDP', `candidate:1 1 udptcp 1 ${address} host`],
    ['a TCP type', `candidate:1 1 udp 1 ${address} host tcptype passive`],
    ['a TCP type in capitals', `candidate:1 1 udp 1 ${address} host TCPTYPE passive`],
    ['no prefix', `1 1 udp 1 ${address} host`],
    ['a prefix twice', `candidate:candidate:1 1 tcp 1 ${address} host`],
    ['a line', `a=candidate:1 1 udp 1 ${address} host`],
    ['a host name', 'candidate:1 1 udp 1 router.lan 53 typ host'],
    ['a chosen name', 'candidate:1 1 udp 1 printer.local 53 typ host'],
    ['a zone', 'candidate:1 1 udp 1 fe80::1%eth0 9 typ host'],
    ['two spaces', `candidate:1  1 tcp udp 1 ${address} host`],
    ['a tab', `candidate:1 1\tudp 1 ${address} host`],
    ['a line break', `candidate:1 1 udp 1 ${address} host\r\na=candidate:1 1 tcp 1 ${address} host`],
    ['another type', `candidate:1 1 udp 1 ${address} other`],
    ['no port', 'candidate:1 1 udp 1 192.0.2.1 typ host'],
  ])('%s is not', (_, text) => {
    expect(isUdpCandidate(text)).toBe(false);
  });
});

describe('of a description, only candidates for UDP stay', () => {
  test.each([
    ['a=candidate:1 1 tcp 1 192.0.2.1 22 typ host tcptype passive'],
    ['a=candidate: 1 1 tcp 1 192.0.2.1 22 typ host'],
    ['a=Candidate:1 1 udp 1 192.0.2.1 22 typ host'],
    ['a= candidate:1 1 udp 1 192.0.2.1 22 typ host'],
    ['a=remote-candidates:1 192.0.2.1 22'],
    ['a=candidate'],
    ['a=end-of-candidates:1'],
  ])('not %s', (line) => {
    const kept = described(video, `a=${udp}`, 'a=recvonly', 'a=end-of-candidates');
    const sent = described(video, `a=${udp}`, line, 'a=recvonly', 'a=end-of-candidates');
    expect(withUdpCandidates(sent, 64)).toEqual({ sdp: kept, candidates: 1 });
    expect(withUdpCandidates(`${sent}${line}`, 64)).toEqual({ sdp: kept, candidates: 1 });
    const lineFeeds = (text: string) => text.replaceAll('\r\n', '\n');
    expect(withUdpCandidates(lineFeeds(sent), 64)).toEqual({ sdp: lineFeeds(kept), candidates: 1 });
  });

  test('for any lines', () => {
    const transport = fc.constantFrom('udp', 'UDP', 'tcp', 'TCP', 'ssltcp', 'udp4', 'tcp udp', '');
    const extension = fc.constantFrom('', ' tcptype passive', ' ufrag x', ' raddr 10.0.0.1 rport 9', ' x');
    const name = fc.constantFrom('candidate', 'Candidate', ' candidate', 'remote-candidates', 'candidates');
    const candidate = fc
      .tuple(name, transport, fc.constantFrom('192.0.2.1', 'fe80::1', 'db', 'a.local'), extension)
      .map((parts) => `a=${parts[0]}:1 1 ${parts[1]} 1 ${parts[2]} 9 typ host${parts[3]}`);
    const line = fc.oneof(
      candidate,
      fc.constantFrom(video, audio, 'a=recvonly', 'a=sendonly', 'a=inactive', 'a=mid:0', `a=${udp}`),
      fc.string({ unit: 'grapheme-ascii' }),
    );
    const end = fc.constantFrom('\r\n', '\n');
    assertCases(
      fc.property(fc.array(line, { maxLength: 12 }), end, fc.nat(3), (lines, ended, most) => {
        const sent = ['v=0', ...lines].map((text) => `${text}${ended}`).join('');
        const { sdp, candidates } = withUdpCandidates(sent, most);
        // As a parser reads it that splits attributes at the colon, and takes fields apart at any space.
        const read = sdp
          .split(/\r?\n/)
          .filter((text) => /^\s*a\s*=\s*(?:remote-)?candidates?\s*:/i.test(text));
        expect(
          read.filter((text) => !/^a=candidate:\S+ \d+ udp \d+ [\d.a-f:]+ \d+ typ /i.test(text)),
        ).toEqual([]);
        expect(read.filter((text) => /tcp/i.test(text))).toEqual([]);
        expect(read.length).toBe(candidates);
        expect(candidates).toBeLessThanOrEqual(most);
        // Nothing else changes.
        expect(readDescription(sdp)).toEqual(readDescription(sent) ?? readDescription(sdp));
        expect(withUdpCandidates(sdp, most)).toEqual({ sdp, candidates });
      }),
      { numRuns: 2_000 },
    );
  });
});
