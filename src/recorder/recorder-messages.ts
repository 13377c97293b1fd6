import { WebSocket } from 'undici';
import type { Timers } from '../clock.ts';
import { headersOf, type Recorder } from './connect-recorder.ts';
import { openPool } from './upstream-pool.ts';

export interface RecorderMessages {
  close(): void;
}

export interface RecorderMessagesOptions {
  readonly recorder: Recorder;
  /** Gets each message as text. */
  readonly onMessage: (text: string) => void;
  /** Called when the connection ends or fails. */
  readonly onLost: () => void;
  readonly timers: Timers;
}

// Milliseconds.
const firstPause = 1_000;
const longestPause = 60_000;

/** Reads the messages of the recorder's `/ws` as an admin, and connects again whenever the connection ends. */
export function readMessages({
  recorder,
  onMessage,
  onLost,
  timers,
}: RecorderMessagesOptions): RecorderMessages {
  const { address, authSecret } = recorder;
  const origin = 'origin' in address ? address.origin.replace(/^http/, 'ws') : 'ws://upstream';
  let isClosed = false;
  let pause = firstPause;
  let end = () => {};
  let cancel = () => {};

  const connect = async () => {
    const pool = await openPool(address, { connections: 1, headersTimeout: 10_000 });
    if (isClosed) return void pool.destroy();
    const socket = new WebSocket(`${origin}/ws`, {
      dispatcher: pool,
      headers: { ...headersOf('admin', authSecret) },
    });
    end = () => {
      socket.close();
      void pool.destroy();
    };
    socket.addEventListener('open', () => (pause = firstPause));
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') onMessage(data);
    });
    socket.addEventListener('close', () => {
      void pool.destroy();
      if (isClosed) return;
      onLost();
      cancel = timers.after(pause, () => void connect());
      pause = Math.min(pause * 2, longestPause);
    });
    // A close follows.
    socket.addEventListener('error', () => {});
  };
  void connect();
  return {
    close: () => {
      isClosed = true;
      cancel();
      end();
    },
  };
}
