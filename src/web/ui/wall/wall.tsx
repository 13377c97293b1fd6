import { useEffect, useState } from 'preact/hooks';
import { isRefused } from '../../api-client.ts';
import { browserTimers, createRefresher, type Refresher } from '../cameras/refresher.ts';
import { hasPictures } from '../has-recorder.ts';
import { text } from '../../text.ts';
import { watchVisible } from '../use-visible.ts';
import { wallClass, type Density } from './arrange.ts';
import { CameraTile, QuietTile, type Seen } from './camera-tile.tsx';

// Milliseconds. Four in parallel leave a browser on HTTP/1.1 two connections for everything else.
const refreshing = { every: 4_000, worst: 60_000, parallel: 4, isFinal: isRefused, timers: browserTimers };

/** @returns what loads the pictures while the page is visible */
export function useRefresher(): Refresher {
  const [refresher] = useState(() => createRefresher(refreshing));
  useEffect(() => {
    const unwatch = watchVisible((isVisible) => (isVisible ? refresher.resume() : refresher.pause()));
    window.addEventListener('online', refresher.retry);
    return () => {
      unwatch();
      window.removeEventListener('online', refresher.retry);
      refresher.pause();
    };
  }, []);
  return refresher;
}

interface WallProps {
  readonly cameras: readonly string[];
  readonly refresher: Refresher;
  readonly density?: Density;
  /** Called with each picture, and with each failure. */
  readonly onSeen?: (camera: string, seen: Seen) => void;
}

/** The newest picture of each camera; each leads to the camera's stream. */
export function Wall({ cameras, refresher, density = 'medium', onSeen }: WallProps) {
  return (
    <ul
      class={`${wallClass(cameras.length, density)}${hasPictures ? '' : ' quiet'}`}
      aria-label={text.home.cameras}
    >
      {cameras.map((camera) =>
        hasPictures ? (
          <CameraTile key={camera} camera={camera} refresher={refresher} onSeen={onSeen} />
        ) : (
          <QuietTile key={camera} camera={camera} />
        ),
      )}
    </ul>
  );
}
