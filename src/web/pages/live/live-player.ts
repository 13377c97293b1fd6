/** How live pictures come: as video by MSE or WebRTC, as one long answer of pictures, or as one picture after the other. */
export type Mode = 'mse' | 'webrtc' | 'mjpeg' | 'pictures';

/** What a player does. It goes from one mode to the next until one plays. */
export interface PlayerState {
  readonly modes: readonly Mode[];
  /** Place in `modes`. */
  readonly at: number;
  /** `ended`: who looks may not any more, and nothing is tried by itself. */
  readonly phase: 'connecting' | 'playing' | 'waiting' | 'ended';
  /** Whether this mode has played since it was chosen: then a failure is a cut, and the mode is worth another try. */
  readonly hasPlayed: boolean;
  /** Failures since something played. */
  readonly failures: number;
  /** Another one for each connection: what an earlier one says is over. */
  readonly run: number;
}

/**
 * `refused`: it failed because it is forbidden, in this mode. `ended`: so are all of them, as the gate says.
 * `again`: the wait is over, or somebody does not want to wait.
 */
export type PlayerEvent = 'playing' | 'failed' | 'refused' | 'ended' | 'again';

/** How often a mode that has played is tried again before the others are. */
const loyalty = 4;

/** @param modes the best first; at least one */
export function startPlayer(modes: readonly Mode[]): PlayerState {
  return { modes, at: 0, phase: 'connecting', hasPlayed: false, failures: 0, run: 0 };
}

export function nextState(state: PlayerState, event: PlayerEvent): PlayerState {
  const { modes, at, phase, hasPlayed, failures, run } = state;
  if (event === 'playing') {
    return phase === 'connecting' ? { ...state, phase: 'playing', hasPlayed: true, failures: 0 } : state;
  }
  if (event === 'again') return { ...state, phase: 'connecting', run: run + 1 };
  // What a connection says that began before the gate had answered.
  if (phase === 'ended') return state;
  // Said of a moment before something played again, it is not true any more.
  if (event === 'ended') return phase === 'playing' ? state : { ...state, phase: 'ended', run: run + 1 };
  const next = { ...state, run: run + 1, failures: failures + 1 };
  if (hasPlayed && event === 'failed' && failures < loyalty) return { ...next, phase: 'waiting' };
  if (at + 1 < modes.length) return { ...next, at: at + 1, phase: 'connecting', hasPlayed: false, failures };
  return { ...next, at: 0, phase: event === 'refused' ? 'ended' : 'waiting', hasPlayed: false };
}

/** @returns milliseconds until the next try: longer each time, half a minute at most */
export function waitAfter(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** Math.max(0, failures - 1));
}

export function modeOf({ modes, at }: PlayerState): Mode {
  return modes[at] ?? 'pictures';
}

/** @param hasStream whether the recorder has a stream of the camera; without one there are pictures alone */
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
