import { describe, expect, test } from 'vitest';
import {
  modeOf,
  modesFor,
  nextState,
  startPlayer,
  waitAfter,
  type PlayerEvent,
} from '../../../../../src/web/pages/live/live-player.ts';

const all = modesFor(true, { mse: true, webrtc: true });
const after = (...events: readonly PlayerEvent[]) => events.reduce(nextState, startPlayer(all));
const told = (...events: readonly PlayerEvent[]) => {
  const state = after(...events);
  return `${modeOf(state)} ${state.phase}`;
};

describe('the modes that are tried', () => {
  test.each([
    [true, { mse: true, webrtc: true }, ['mse', 'webrtc', 'mjpeg', 'pictures']],
    [true, { mse: false, webrtc: true }, ['webrtc', 'mjpeg', 'pictures']],
    [true, { mse: false, webrtc: false }, ['mjpeg', 'pictures']],
    [false, { mse: true, webrtc: true }, ['mjpeg', 'pictures']],
  ])('with a stream: %j, in a browser that can play %j', (hasStream, can, modes) => {
    expect(modesFor(hasStream, can)).toEqual(modes);
  });
});

describe('a player', () => {
  test('begins with the best, and falls back until one plays', () => {
    expect(told()).toBe('mse connecting');
    expect(told('failed')).toBe('webrtc connecting');
    expect(told('failed', 'failed')).toBe('mjpeg connecting');
    expect(told('failed', 'failed', 'playing')).toBe('mjpeg playing');
    expect(told('failed', 'failed', 'failed')).toBe('pictures connecting');
  });

  test('waits when nothing plays, and starts again with the best', () => {
    const nothing = ['failed', 'failed', 'failed', 'failed'] as const;
    expect(told(...nothing)).toBe('mse waiting');
    expect(told(...nothing, 'again')).toBe('mse connecting');
    expect(after(...nothing).failures).toBe(1);
    expect(after(...nothing, 'again', ...nothing).failures).toBe(2);
  });

  test('returns to the mode that has played when it is cut, after a growing wait', () => {
    expect(told('playing', 'failed')).toBe('mse waiting');
    expect(told('playing', 'failed', 'again')).toBe('mse connecting');
    const waits = [1, 2, 3].map((cuts) => {
      const events = Array.from({ length: cuts }, () => ['failed', 'again'] as const).flat();
      return waitAfter(after('playing', ...events.slice(0, -1)).failures);
    });
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  test('waits no longer than before once it has played again', () => {
    expect(after('playing', 'failed', 'again', 'failed', 'again', 'playing', 'failed').failures).toBe(1);
  });

  test('tries the other modes when the one that has played stays away', () => {
    const tries = Array.from({ length: 4 }, () => ['failed', 'again'] as const).flat();
    expect(told('playing', ...tries)).toBe('mse connecting');
    expect(told('playing', ...tries, 'failed')).toBe('webrtc connecting');
  });

  test('opens a connection for each try, and none because something plays', () => {
    expect(after('playing').run).toBe(after().run);
    expect(after('failed').run).not.toBe(after().run);
    expect(after('playing', 'again').run).not.toBe(after().run);
  });

  test('does not retry what is forbidden in every mode, and ends', () => {
    expect(told('playing', 'refused')).toBe('webrtc connecting');
    expect(told('failed', 'failed', 'refused', 'refused')).toBe('mse ended');
    expect(told('failed', 'failed', 'refused', 'failed')).toBe('mse waiting');
  });

  test('ends when the gate reports that it is over, unless it plays again by then', () => {
    expect(told('playing', 'failed', 'ended')).toBe('mse ended');
    expect(told('playing', 'failed', 'again', 'ended', 'failed')).toBe('mse ended');
    expect(told('playing', 'failed', 'ended', 'again')).toBe('mse connecting');
    expect(told('playing', 'failed', 'again', 'playing', 'ended')).toBe('mse playing');
  });

  test('retries after a wait, unless the access has ended meanwhile', () => {
    expect(told('playing', 'failed', 'waited')).toBe('mse connecting');
    expect(told('playing', 'failed', 'ended', 'waited')).toBe('mse ended');
    expect(told('playing', 'waited')).toBe('mse playing');
  });

  test('begins with the best mode again once the access is back', () => {
    expect(told('failed', 'failed', 'ended')).toBe('mjpeg ended');
    expect(told('failed', 'failed', 'ended', 'again')).toBe('mse connecting');
  });

  test('ignores late events of a failed connection', () => {
    expect(told('playing', 'failed', 'playing')).toBe('mse waiting');
  });
});

test('waits for half a minute at most', () => {
  expect([0, 1, 5, 6, 50].map(waitAfter)).toEqual([1_000, 1_000, 16_000, 30_000, 30_000]);
});
