import type { ComponentChildren } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import {
  modeOf,
  modesFor,
  nextState,
  startPlayer,
  waitAfter,
  stalledAfter,
  type Mode,
  type Play,
} from './live-player.ts';
import { forgetPicture, keepPicture, lastPicture } from '../../ui/cameras/pictures.ts';
import { canPlayMse, playMse } from './play-mse.ts';
import { playMjpeg, playPictures } from './play-pictures.ts';
import { canPlayWebRtc, playWebRtc } from './play-webrtc.ts';
import { codeIn, bodyOf, isRefused, liveApi, type ApiFailure } from '../../api-client.ts';
import { openingIn, openingText } from '../../ui/notices.tsx';
import { fill, text } from '../../text.ts';
import { useVisible } from '../../ui/page-hooks.ts';

const plays: Readonly<Record<Mode, Play>> = {
  mse: playMse,
  webrtc: playWebRtc,
  mjpeg: playMjpeg,
  pictures: playPictures,
};

interface LiveViewProps {
  readonly camera: string;
  /** Empty when the camera has none. */
  readonly stream: string;
  /** Further controls. */
  readonly children?: ComponentChildren;
}

/** Shows a camera in the best mode that works, while the page is visible. */
export function LiveView({ camera, stream, children }: LiveViewProps) {
  const isVisible = useVisible();
  const can = { mse: canPlayMse(), webrtc: canPlayWebRtc() };
  const [state, dispatch] = useReducer(nextState, modesFor(stream !== '', can), startPlayer);
  const [picture, setPicture] = useState(lastPicture(camera));
  const [refusal, setRefusal] = useState<ApiFailure>();
  const [isMuted, setMuted] = useState(true);
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const mode = modeOf(state);
  /** A stream that an admin has stopped starts again only by a press. */
  const held = useRef(false);
  held.current = state.phase === 'ended' && isStopped(refusal);
  const isVideo = mode === 'mse' || mode === 'webrtc';
  const isPlaying = state.phase === 'playing';

  useEffect(() => {
    const element = video.current;
    if (!isVisible || state.phase !== 'connecting' || element === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fail = (event: 'failed' | 'refused') => {
      if (signal.aborted) return;
      controller.abort();
      dispatch(event);
    };
    const onDoubt = async () => {
      const refused = await refusalOf(camera);
      if (refused === undefined) return;
      setRefusal(refused);
      fail('failed');
      dispatch('ended');
    };
    const expect = () => {
      clearTimeout(timer);
      timer = setTimeout(() => fail('failed'), stalledAfter);
    };
    expect();
    plays[mode]({
      camera,
      stream,
      video: element,
      onPicture: (next) => {
        keepPicture(camera, next);
        setPicture(next);
      },
      onPlaying: () => {
        if (signal.aborted) return;
        expect();
        dispatch('playing');
      },
      onFailed: (isRefused = false) => {
        if (signal.aborted) return;
        fail(isRefused ? 'refused' : 'failed');
        if (isVideo || isRefused) void onDoubt();
      },
      onDoubt: () => void onDoubt(),
      signal,
    });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
    // A new phase does not reconnect what plays.
  }, [state.run, isVisible]);

  useEffect(() => {
    if (!isVisible || state.phase !== 'waiting') return undefined;
    const timer = setTimeout(() => dispatch('waited'), waitAfter(state.failures));
    return () => clearTimeout(timer);
  }, [state.run, isVisible]);

  // A connection may never report its end after a network outage.
  useEffect(() => {
    const again = () => {
      if (!held.current) dispatch('again');
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);

  useEffect(() => {
    if (state.phase !== 'ended') return;
    forgetPicture(camera);
    setPicture(undefined);
  }, [state.phase]);

  // While hidden nothing plays, and a user who comes back neither waits nor sees an outdated answer.
  useEffect(() => {
    if ((!isVisible || state.phase === 'ended') && !held.current) dispatch('again');
  }, [isVisible]);

  const phaseTexts = {
    connecting: text.live.connecting,
    playing: !isVideo && picture?.isOffline === true ? text.home.offline : text.live[mode],
    waiting: text.live.again,
    ended: endedText(refusal),
  };
  const name = fill(text.home.picture, { camera: cameraText(camera) });
  return (
    <div class={isPlaying ? 'live playing' : 'live'}>
      <div class="live-frame" ref={frame} aria-busy={!isPlaying}>
        <video ref={video} muted={isMuted} playsInline hidden={!isVideo || !isPlaying} aria-label={name} />
        {(!isVideo || !isPlaying) && picture !== undefined && <img src={picture.url} alt={name} />}
        {state.phase === 'connecting' && <span class="turning" aria-hidden="true" />}
      </div>
      <div class="live-state">
        <p role="status">
          <span class={isPlaying ? 'on-air' : undefined}>
            {isVisible ? phaseTexts[state.phase] : text.live.paused}
          </span>
        </p>
        {(state.phase === 'waiting' || state.phase === 'ended') && (
          <button type="button" class="secondary" onClick={() => dispatch('again')}>
            {isStopped(refusal) && state.phase === 'ended' ? text.live.watchAgain : text.actions.tryAgain}
          </button>
        )}
        {children}
        {isVideo && isPlaying && (
          <button type="button" class="secondary outline" onClick={() => setMuted(!isMuted)}>
            {isMuted ? text.live.soundOn : text.live.soundOff}
          </button>
        )}
        {document.fullscreenEnabled && (
          <button
            type="button"
            class="secondary outline"
            onClick={() => void frame.current?.requestFullscreen().catch(() => undefined)}
          >
            {text.live.fullScreen}
          </button>
        )}
      </div>
    </div>
  );
}

function isStopped(refusal: ApiFailure | undefined): boolean {
  return codeIn(refusal?.body) === 'stopped';
}

/** A stop of some seconds only keeps players from coming back by themselves: its end is not shown. */
function endedText(refusal: ApiFailure | undefined): string {
  const { opens } = openingIn(refusal?.body) ?? { opens: null };
  if (!isStopped(refusal)) return openingText(refusal?.body) ?? text.live.ended;
  const isShort = opens === null || opens * 1000 - Date.now() < 60_000;
  return isShort ? text.live.stopped : `${text.live.stopped} ${openingText(refusal?.body) ?? ''}`;
}

/**
 * Asks Postern whether a camera may still be seen: a WebSocket does not report why it ended. If the session is over, this
 * leads to the login.
 * @returns the refusal, or `undefined` if it may be seen, or Postern cannot be reached
 */
async function refusalOf(camera: string): Promise<ApiFailure | undefined> {
  try {
    await bodyOf(liveApi[':camera'].$get({ param: { camera } }));
    return undefined;
  } catch (error) {
    return isRefused(error) ? error : undefined;
  }
}
