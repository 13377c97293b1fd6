import { nameText } from '../ui/words.ts';
import type { Reply } from './ask.ts';

export interface WallCamera {
  readonly name: string;
  readonly title: string;
  /** The recorder's live stream. Absent when there are only stills. */
  readonly stream: string | undefined;
}

/** The next state of the screen, by Postern's answer. */
export type WallState =
  | { readonly kind: 'open'; readonly cameras: readonly WallCamera[] }
  /** `opens` in milliseconds since the epoch. Absent when access does not open in the next weeks. */
  | { readonly kind: 'closed'; readonly opens: number | undefined }
  /** It may show no live pictures. */
  | { readonly kind: 'not-live' }
  /** Postern no longer accepts this screen, or never has. */
  | { readonly kind: 'over' }
  /** Postern accepts this screen, but its user may show nothing at present. */
  | { readonly kind: 'refused' }
  /** Postern, the network or the recorder is away. */
  | { readonly kind: 'away' };

/** @returns the state that an answer of `POST /postern/api/wall` means */
export function stateOf({ status, body }: Reply): WallState {
  if (status === 401) return { kind: 'over' };
  if (status === 403) return { kind: 'refused' };
  const cameras = body['cameras'];
  if (status !== 200 || !Array.isArray(cameras)) return { kind: 'away' };
  if (body['is_open'] === false) return { kind: 'closed', opens: timeOf(body['opens_at']) };
  const may = body['may'];
  if (Array.isArray(may) && may.indexOf('live') < 0) return { kind: 'not-live' };
  return { kind: 'open', cameras: cameras.map(cameraOf) };
}

function cameraOf(given: unknown): WallCamera {
  const { name, title, stream } = given as Readonly<Record<string, unknown>>;
  const called = String(name);
  return {
    name: called,
    title: typeof title === 'string' && title !== '' ? title : nameText(called),
    stream: typeof stream === 'string' && stream !== '' ? stream : undefined,
  };
}

/** Postern sends seconds since the epoch, or a date. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value * 1_000;
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Milliseconds between two questions. The screen also asks when access opens, and at once after a refused picture. */
const usual = 60_000;
/** A screen that was signed out rarely comes back by itself, and each question of it is a refusal on record. */
const longest = 600_000;

/**
 * @param failures in a row: `away` or `over`
 * @returns milliseconds until the next question
 */
export function nextAsk(state: WallState, now: number, failures: number): number {
  if (state.kind === 'away') return Math.min(30_000, 2_000 * 2 ** Math.min(failures, 4));
  if (state.kind === 'over') return Math.min(longest, usual * 2 ** Math.min(failures, 4));
  const turn = state.kind === 'closed' ? state.opens : undefined;
  // The screen asks a moment later, because two clocks may differ a little.
  return turn === undefined ? usual : Math.min(usual, Math.max(1_000, turn - now + 500));
}
