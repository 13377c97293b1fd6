import { describe, expect, test } from 'vitest';
import { correctionAt, mseRequest, readMessage } from '../../../../../src/web/pages/live/play-mse.ts';

test('the first message lists only codecs that the browser plays', () => {
  const h264 = (type: string) => /avc1|mp4a\.40\.2/.test(type);
  expect(JSON.parse(mseRequest(h264))).toEqual({
    type: 'mse',
    value: 'avc1.640029,avc1.64002A,avc1.640033,mp4a.40.2',
  });
  const asked: string[] = [];
  mseRequest((type) => asked.push(type) > 0);
  expect(asked).toContain('video/mp4; codecs="hvc1.1.6.L153.B0"');
});

test.each([
  ['{"type":"mse","value":"video/mp4; codecs=\\"avc1.640029\\""}', 'type', 'video/mp4; codecs="avc1.640029"'],
  ['{"type":"webrtc/answer","value":"v=0"}', 'answer', 'v=0'],
  ['{"type":"webrtc/candidate","value":"candidate:1"}', 'candidate', 'candidate:1'],
  ['{"type":"error","value":"mse: stream not found"}', 'error', undefined],
  ['{"type":"toString","value":"x"}', 'other', undefined],
  ['{"type":"mse","value":{}}', 'other', undefined],
  ['{"type":"mse"}', 'other', undefined],
  ['{', 'other', undefined],
  ['null', 'other', undefined],
  ['"mse"', 'other', undefined],
])('the message %j says: %s', (text, kind, value) => {
  const { kind: read, ...rest } = readMessage(text);
  expect([read, Object.values(rest)[0]]).toEqual([kind, value]);
});

describe('a player is kept', () => {
  test.each([
    ['where it is, near the end', 10, 5, 12, {}],
    ['from falling behind', 10, 5, 20, { seekTo: 19.5 }],
    ['in what there is', 0, 100, 101, { seekTo: 100 }],
    ['from holding what was played long ago', 60, 5, 61, { removeBefore: 45 }],
    ['from both', 60, 5, 90, { seekTo: 89.5, removeBefore: 74.5 }],
  ])('%s', (_, current, start, end, correction) => {
    expect(correctionAt(current, start, end)).toEqual(correction);
  });
});
