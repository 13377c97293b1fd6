import type { Picture } from '../../ui/cameras/pictures.ts';
import { pathTo } from '../../path-prefix.ts';

/** What to play, where, and callbacks. */
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
  /** It still plays, but the gate should be asked whether it may. */
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
