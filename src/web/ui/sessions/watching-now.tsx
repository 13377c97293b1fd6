import { useId, useRef } from 'preact/hooks';
import { cameraText } from '../cameras/camera-names.ts';
import { listText } from '../words.ts';
import { useFocusNear } from '../lists/focus-near.ts';
import { lastPicture } from '../cameras/pictures.ts';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { StopMenu } from './stop-menu.tsx';
import { sinceText, userText, deviceOf, watchersOf, type Watcher } from './stream-text.ts';
import { useStreams } from './use-streams.ts';

/**
 * Shows admins who else watches at this moment, each with a menu that stops it. It has its place before anyone watches, so
 * that nothing moves.
 */
export function WatchingNow() {
  const [state, refresh] = useStreams(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const watchers = watchersOf(state?.open ?? []);
  const goes = useFocusNear(
    watchers.map(({ key }) => key),
    heading,
  );
  return (
    <section class="watching" aria-labelledby={id} id="watching">
      <h2 id={id} ref={heading} tabIndex={-1}>
        {text.watching.title} {watchers.length > 0 && <small>{watchers.length}</small>}
      </h2>
      {watchers.length === 0 && state !== undefined && <p class="muted">{text.watching.none}</p>}
      <ul>
        {watchers.map((watcher) => (
          <WatcherRow
            key={watcher.key}
            watcher={watcher}
            onStopped={() => {
              goes(watcher.key);
              refresh();
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface WatcherProps {
  readonly watcher: Watcher;
  readonly onStopped: () => void;
}

function WatcherRow({ watcher, onStopped }: WatcherProps) {
  const { streams, since } = watcher;
  const [first] = streams;
  const { allowed_cameras: all } = useProfile();
  const picture = watcher.cameras.map((camera) => lastPicture(camera)).find(Boolean);
  const pages = new Set(streams.map(({ page }) => page));
  const where = pages.size === 1 && first.page === 'home' ? text.watching.home : deviceText(first.agent);
  const what =
    watcher.cameras.length > 2 && watcher.cameras.length === all.length
      ? fill(text.watching.all, { count: all.length })
      : listText(watcher.cameras.map(cameraText)) || text.streams.livePictures;
  return (
    <li data-row={watcher.key}>
      {picture === undefined ? <span class="still none" /> : <img class="still" src={picture.url} alt="" />}
      <div>
        <p>
          <strong dir="auto">{userText(first)}</strong>
        </p>
        <p dir="auto">{what}</p>
        <p>
          {first.source === 'share' || first.source === 'display' ? '' : `${where} · `}
          {sinceText({ since })}
        </p>
      </div>
      <StopMenu streams={streams} onStopped={onStopped} />
    </li>
  );
}

function deviceText(agent: string | null): string {
  return text.watching.devices[deviceOf(agent)];
}
