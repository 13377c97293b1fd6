import type { Picture } from '../../ui/cameras/pictures.ts';
import { pathTo } from '../../path-prefix.ts';

/** What is played, where, and who is told. */
export interface Playing {
  readonly camera: string;
  /** Of the recorder; empty where the camera has none. */
  readonly stream: string;
  readonly video: HTMLVideoElement;
  /** Shows a picture in place of the former. */
  readonly onPicture: (picture: Picture) => void;
  /** Something can be seen; told again and again while more comes. */
  readonly onPlaying: () => void;
  /** It does not go on; nothing more is told. A WebSocket does not say whether it `isRefused`. */
  readonly onFailed: (isRefused?: boolean) => void;
  /** It goes on for now, and whether it may is for the gate to say. */
  readonly onDoubt: () => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Milliseconds without anything new after which a stream counts as cut: cameras send a whole picture every few seconds. */
export const silence = 12_000;

/** Plays in one mode. It tells of its end once, and leaves nothing open when the signal ends it. */
export type Play = (playing: Playing) => void;

/** @returns the address of the recorder's WebSocket for a stream */
export function socketOf(kind: 'mse' | 'webrtc', stream: string): string {
  const url = new URL(pathTo(`/live/${kind}/api/ws`), location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('src', stream);
  return url.href;
}
