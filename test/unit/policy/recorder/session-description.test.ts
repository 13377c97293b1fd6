import { expect, test } from 'vitest';
import { sendingIn, type Sending } from '../../../../src/policy/recorder/session-description.ts';

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
