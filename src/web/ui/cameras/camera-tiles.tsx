import { useEffect, useRef, useState } from 'preact/hooks';
import { nameText } from '../event-text.ts';
import { liveAddress } from './live-address.ts';
import { gatePath } from '../../path-prefix.ts';
import { isRefused } from '../../api-client.ts';
import { forgetPicture, keepPicture, lastPicture, readPicture, type Picture } from './pictures.ts';
import { browserTimers, createRefresher, type Refresher } from './refresher.ts';
import { hasRecorder } from '../has-recorder.ts';
import { text } from '../../text.ts';
import { agoText, machineTime, secondsAgoText, timeText } from '../time-text.ts';
import { watchVisible } from '../use-visible.ts';

// Milliseconds. Four in parallel leave a browser on HTTP/1.1 two connections for everything else.
const refreshing = { every: 4_000, worst: 60_000, parallel: 4, isFinal: isRefused, timers: browserTimers };

// Seconds: the picture of a working camera is never older.
const fresh = 15;

/** The newest picture of each camera, refreshed while the page is visible; each links to the camera's stream. */
export function CameraTiles({ cameras }: { readonly cameras: readonly string[] }) {
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
  return (
    <ul class={hasRecorder ? 'tiles' : 'tiles quiet'} aria-label={text.home.cameras}>
      {cameras.map((camera) =>
        hasRecorder ? (
          <CameraTile key={camera} camera={camera} refresher={refresher} />
        ) : (
          <QuietTile key={camera} camera={camera} />
        ),
      )}
    </ul>
  );
}

/** Without a recorder there are no pictures. */
function QuietTile({ camera }: { readonly camera: string }) {
  const address = `${gatePath('/explore')}?camera=${encodeURIComponent(camera)}`;
  return (
    <li class="tile">
      <NoPicture />
      <a href={address} aria-label={text.home.eventsOf(nameText(camera))}>
        <span dir="auto">{nameText(camera)}</span>
      </a>
      <small>{text.home.noPicture}</small>
    </li>
  );
}

function CameraTile({ camera, refresher }: { readonly camera: string; readonly refresher: Refresher }) {
  const box = useRef<HTMLLIElement>(null);
  const [picture, setPicture] = useState(lastPicture(camera));
  const [failed, setFailed] = useState(false);
  const [isOver, setOver] = useState(false);
  const [, tick] = useState(0);

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const load = async (signal: AbortSignal) => {
      try {
        const height = (element.clientWidth * 9) / 16;
        const read = await readPicture(camera, height * devicePixelRatio, signal);
        keepPicture(camera, read);
        setPicture(read);
        setFailed(false);
        setOver(false);
      } catch (error) {
        if (!signal.aborted) setFailed(true);
        if (isRefused(error)) {
          forgetPicture(camera);
          setPicture(undefined);
          setOver(true);
        }
        throw error;
      } finally {
        // Updates the displayed age in any case.
        tick((count) => count + 1);
      }
    };
    let hide = () => {};
    const observer = new IntersectionObserver((entries) => {
      hide();
      hide = entries.at(-1)?.isIntersecting === true ? refresher.show(camera, load) : () => {};
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      hide();
    };
  }, [camera]);

  const isAway = failed || picture?.isOffline === true;
  return (
    <li class={isAway ? 'tile away' : 'tile'} ref={box}>
      {picture !== undefined ? (
        <img src={picture.url} alt={text.home.picture(nameText(camera))} />
      ) : failed ? (
        <NoPicture />
      ) : (
        <div class="tile-picture skeleton" />
      )}
      <a href={liveAddress(camera)} aria-label={text.home.watch(nameText(camera))}>
        <span dir="auto">{nameText(camera)}</span>
      </a>
      <small>
        {picture === undefined ? (
          isOver ? (
            text.live.ended
          ) : failed ? (
            text.home.noPicture
          ) : (
            text.home.loadingPicture
          )
        ) : (
          <Age picture={picture} failed={failed} />
        )}
      </small>
    </li>
  );
}

function Age({ picture, failed }: { readonly picture: Picture; readonly failed: boolean }) {
  const seconds = Math.max(0, Date.now() / 1000 - picture.at);
  if (picture.isOffline) return <>{text.home.offline}</>;
  if (!failed && seconds < fresh) return <span class="on-air">{text.home.live}</span>;
  return (
    <>
      {failed && `${text.home.unreachable} · `}
      <time dateTime={machineTime(picture.at)} title={timeText(picture.at)}>
        {seconds < 60 ? secondsAgoText(seconds) : agoText(seconds)}
      </time>
    </>
  );
}

function NoPicture() {
  return (
    <div class="tile-picture none" aria-hidden="true">
      <span class="camera-shape" />
    </div>
  );
}
