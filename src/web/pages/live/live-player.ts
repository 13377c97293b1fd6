import type { Picture } from '../../ui/cameras/pictures.ts';
import { pathTo } from '../../path-prefix.ts';

/** How live pictures arrive: video by MSE or WebRTC, one long response of pictures, or single pictures. */
export type Mode = 'mse' | 'webrtc' | 'mjpeg' | 'pictures';

/** The state of a player. It tries one mode after the other until one plays. */
interface PlayerState {
  readonly modes: readonly Mode[];
  /** Index in `modes`. */
  readonly at: number;
  /** `ended`: the user may no longer watch, and nothing is retried automatically. */
  readonly phase: 'connecting' | 'playing' | 'waiting' | 'ended';
  /** Whether this mode has played since it was chosen: then a failure is an interruption, and the mode is worth another try. */
  readonly hasPlayed: boolean;
  /** Failures since it last played. */
  readonly failures: number;
  /** A new number for each connection; events of an earlier one are ignored. */
  readonly run: number;
}

/**
 * `refused`: forbidden in this mode. `ended`: Postern forbids all modes. `waited`: the wait is over. `again`: the user
 * retries.
 */
export type PlayerEvent = 'playing' | 'failed' | 'refused' | 'ended' | 'waited' | 'again';

/** How often a mode that has played is retried before the others. */
const loyalty = 4;

/** @param modes best first; at least one */
export function startPlayer(modes: readonly Mode[]): PlayerState {
  return { modes, at: 0, phase: 'connecting', hasPlayed: false, failures: 0, run: 0 };
}

export function nextState(state: PlayerState, event: PlayerEvent): PlayerState {
  const { modes, at, phase, hasPlayed, failures, run } = state;
  if (event === 'playing') {
    return phase === 'connecting' ? { ...state, phase: 'playing', hasPlayed: true, failures: 0 } : state;
  }
  // The access may have ended since the wait began.
  if (event === 'waited') return phase === 'waiting' ? nextState(state, 'again') : state;
  // Modes that were tried while Postern refused them all have not failed.
  if (event === 'again' && phase === 'ended') return { ...startPlayer(modes), run: run + 1 };
  if (event === 'again') return { ...state, phase: 'connecting', run: run + 1 };
  // Events of a connection that began before Postern answered are ignored.
  if (phase === 'ended') return state;
  // Outdated: something has played again since.
  if (event === 'ended') return phase === 'playing' ? state : { ...state, phase: 'ended', run: run + 1 };
  const next = { ...state, run: run + 1, failures: failures + 1 };
  if (hasPlayed && event === 'failed' && failures < loyalty) return { ...next, phase: 'waiting' };
  if (at + 1 < modes.length) return { ...next, at: at + 1, phase: 'connecting', hasPlayed: false, failures };
  return { ...next, at: 0, phase: event === 'refused' ? 'ended' : 'waiting', hasPlayed: false };
}

/** @returns milliseconds until the next try: longer each time, at most half a minute */
export function waitAfter(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** Math.max(0, failures - 1));
}

export function modeOf({ modes, at }: PlayerState): Mode {
  return modes[at] ?? 'pictures';
}

/** @param hasStream whether the recorder has a stream of the camera; otherwise there are only pictures */
export function modesFor(
  hasStream: boolean,
  can: { readonly mse: boolean; readonly webrtc: boolean },
): readonly Mode[] {
  return [
    ...(hasStream && can.mse ? (['mse'] as const) : []),
    ...(hasStream && can.webrtc ? (['webrtc'] as const) : []),
    'mjpeg',
    'pictures',
  ];
}

/** The stream to play, its place, and callbacks. */
export interface Playing {
  readonly camera: string;
  /** The recorder's name of it; empty if the camera has none. */
  readonly stream: string;
  readonly video: HTMLVideoElement;
  /** Replaces the shown picture. */
  readonly onPicture: (picture: Picture) => void;
  /** Something is visible; called repeatedly while more arrives. */
  readonly onPlaying: () => void;
  /** It has stopped; no more calls follow. For a WebSocket `isRefused` is unknown. */
  readonly onFailed: (isRefused?: boolean) => void;
  /** It still plays, but Postern should be asked whether it may. */
  readonly onDoubt: () => void;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/** Milliseconds without new data after which a stream counts as cut: cameras send a whole picture every few seconds. */
export const stalledAfter = 12_000;

/** Plays in one mode. It reports its end once, and leaves nothing open when the signal aborts it. */
export type Play = (playing: Playing) => void;

/** @returns the address of the recorder's WebSocket for a stream */
export function socketOf(kind: 'mse' | 'webrtc', stream: string): string {
  const url = new URL(pathTo(`/live/${kind}/api/ws`), location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('src', stream);
  return url.href;
}
