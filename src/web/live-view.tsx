import type { ComponentChildren } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { bodyOf, profileApi } from './api-client.ts';
import { nameText } from './event-text.ts';
import { modeOf, modesFor, nextState, startPlayer, waitAfter, type Mode } from './live-player.ts';
import { silence, type Play } from './live-source.ts';
import { keepPicture, lastPicture } from './pictures.ts';
import { canPlayMse, playMse } from './play-mse.ts';
import { playMjpeg, playPictures } from './play-pictures.ts';
import { canPlayWebRtc, playWebRtc } from './play-webrtc.ts';
import { text } from './text.ts';
import { useVisible } from './use-visible.ts';

const plays: Readonly<Record<Mode, Play>> = {
  mse: playMse,
  webrtc: playWebRtc,
  mjpeg: playMjpeg,
  pictures: playPictures,
};

interface LiveViewProps {
  readonly camera: string;
  /** Empty: the camera has none. */
  readonly stream: string;
  /** What else there is to choose. */
  readonly children?: ComponentChildren;
}

/** Shows a camera by the best of the ways that work, while somebody looks. */
export function LiveView({ camera, stream, children }: LiveViewProps) {
  const isVisible = useVisible();
  const can = { mse: canPlayMse(), webrtc: canPlayWebRtc() };
  const [state, dispatch] = useReducer(nextState, modesFor(stream !== '', can), startPlayer);
  const [picture, setPicture] = useState(lastPicture(camera));
  const [isMuted, setMuted] = useState(true);
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const mode = modeOf(state);
  const isVideo = mode === 'mse' || mode === 'webrtc';
  const isPlaying = state.phase === 'playing';

  useEffect(() => {
    const element = video.current;
    if (!isVisible || state.phase !== 'connecting' || element === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFailed = () => {
      if (signal.aborted) return;
      controller.abort();
      dispatch('failed');
      // A WebSocket does not say why it was refused: whether the session is over, the gate says.
      if (isVideo) bodyOf(profileApi.index.$get()).catch(() => undefined);
    };
    const expect = () => {
      clearTimeout(timer);
      timer = setTimeout(onFailed, silence);
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
      onFailed,
      signal,
    });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
    // What plays goes on: a phase is no other connection.
  }, [state.run, isVisible]);

  useEffect(() => {
    if (!isVisible || state.phase !== 'waiting') return undefined;
    const again = () => dispatch('again');
    const timer = setTimeout(again, waitAfter(state.failures));
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [state.run, isVisible]);

  // Nothing plays any more, and whoever comes back to the page waits for nothing.
  useEffect(() => {
    if (!isVisible) dispatch('again');
  }, [isVisible]);

  const says = !isVisible
    ? text.live.paused
    : state.phase === 'connecting'
      ? text.live.connecting
      : state.phase === 'waiting'
        ? text.live.again
        : !isVideo && picture?.isOffline === true
          ? text.home.offline
          : text.live[mode];
  const name = text.home.picture(nameText(camera));
  return (
    <div class={isPlaying ? 'live playing' : 'live'}>
      <div class="live-frame" ref={frame} aria-busy={!isPlaying}>
        <video ref={video} muted={isMuted} playsInline hidden={!isVideo || !isPlaying} aria-label={name} />
        {(!isVideo || !isPlaying) && picture !== undefined && <img src={picture.url} alt={name} />}
        {state.phase === 'connecting' && <span class="turning" aria-hidden="true" />}
      </div>
      <div class="live-state">
        <p role="status">
          <span class={isPlaying ? 'on-air' : undefined}>{says}</span>
        </p>
        {state.phase === 'waiting' && (
          <button type="button" class="secondary" onClick={() => dispatch('again')}>
            {text.actions.tryAgain}
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
