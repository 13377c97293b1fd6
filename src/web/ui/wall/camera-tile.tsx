import { useEffect, useRef, useState } from 'preact/hooks';
import { codeIn, isRefused } from '../../api-client.ts';
import { cameraText, cameraAddress } from '../cameras/camera-names.ts';
import { forgetPicture, keepPicture, lastPicture, readPicture, type Picture } from '../cameras/pictures.ts';
import { browserTimers, createRefresher, type Refresher } from '../cameras/refresher.ts';
import { Icon } from '../drawings.tsx';
import { useMay } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { agoText, clockText, machineTime, secondsAgoText, timeText } from '../time-text.ts';
import { hasPictures } from '../page-marks.ts';
import { watchVisible } from '../page-hooks.ts';
import { wallClass, type Density } from './arrange.ts';

// Seconds: the picture of a working camera is never older.
const fresh = 15;

/** A picture, or the reason why it is missing. */
export type Seen = Picture | { readonly error: unknown };

/** Without a recorder there are no pictures. */
function QuietTile({ camera }: { readonly camera: string }) {
  const link = {
    href: cameraAddress(camera),
    'aria-label': fill(text.home.eventsOf, { camera: cameraText(camera) }),
  };
  return (
    <li class="tile off">
      <div class="foot">
        <a class="cap" {...(useMay('history') ? link : {})}>
          <span dir="auto">{cameraText(camera)}</span>
        </a>
        <small class="on off">{text.home.noPicture}</small>
      </div>
    </li>
  );
}

interface CameraTileProps {
  readonly camera: string;
  readonly refresher: Refresher;
  readonly onSeen: ((camera: string, seen: Seen) => void) | undefined;
}

function CameraTile({ camera, refresher, onSeen }: CameraTileProps) {
  const box = useRef<HTMLLIElement>(null);
  const [picture, setPicture] = useState(lastPicture(camera));
  const [failed, setFailed] = useState(false);
  /** Why no picture follows. Absent while pictures arrive. */
  const [over, setOver] = useState<string>();
  const [, tick] = useState(0);
  const latest = useRef(onSeen);
  latest.current = onSeen;

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const load = async (signal: AbortSignal) => {
      try {
        const height = (element.clientWidth * 9) / 16;
        const read = await readPicture(camera, height * devicePixelRatio, signal);
        setPicture(keepPicture(camera, read));
        setFailed(false);
        setOver(undefined);
        latest.current?.(camera, read);
      } catch (error) {
        if (!signal.aborted) {
          setFailed(true);
          latest.current?.(camera, { error });
        }
        if (isRefused(error)) {
          forgetPicture(camera);
          setPicture(undefined);
          setOver(codeIn(error.body) === 'stopped' ? text.live.stopped : text.live.ended);
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

  const isOff = failed || picture?.isOffline === true;
  return (
    <li class={`tile ${isOff ? 'off' : ''} ${picture === undefined && !failed ? 'skel' : ''}`} ref={box}>
      {picture !== undefined && (
        <img src={picture.url} alt={fill(text.home.picture, { camera: cameraText(camera) })} />
      )}
      {isOff && <Icon name="off" />}
      <div class="foot">
        <a
          class="cap"
          href={cameraAddress(camera)}
          aria-label={fill(text.home.watch, { camera: cameraText(camera) })}
        >
          <span dir="auto">{cameraText(camera)}</span>
        </a>
        <small class={isOff ? 'on off' : 'on'}>{over ?? <State picture={picture} failed={failed} />}</small>
      </div>
    </li>
  );
}

/** Whether it is live, or since when there is no picture. */
function State({ picture, failed }: { readonly picture: Picture | undefined; readonly failed: boolean }) {
  if (picture === undefined) return <>{failed ? text.home.noPicture : text.home.loadingPicture}</>;
  const { at, seenAt, isOffline } = picture;
  const seconds = Math.max(0, Date.now() / 1000 - at);
  if (!failed && !isOffline)
    return seconds < fresh ? (
      <>{text.home.live}</>
    ) : (
      <time dateTime={machineTime(at)} title={timeText(at)}>
        {seconds < 60 ? secondsAgoText(seconds) : agoText(seconds)}
      </time>
    );
  return (
    <>
      <span class={seenAt === undefined ? '' : 'hidden-text'}>
        {isOffline ? text.home.offline : text.home.unreachable}{' '}
      </span>
      {seenAt !== undefined && (
        <time dateTime={machineTime(seenAt)} title={timeText(seenAt)}>
          {clockText(seenAt)}
        </time>
      )}
    </>
  );
}

// Milliseconds. Four in parallel leave a browser on HTTP/1.1 two connections for everything else.
const refreshing = { every: 4_000, worst: 60_000, parallel: 4, isFinal: isRefused, timers: browserTimers };

/** @returns the refresher, which loads the pictures while the page is visible */
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
