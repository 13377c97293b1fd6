import { text, make } from './page.ts';
import type { Stills } from './stills.ts';
import { createTile } from './tile.ts';
import type { WallCamera } from './wall-answer.ts';

/** Milliseconds between two stills where there is no video. */
const every = 1_000;
/** Milliseconds until a stream that stopped is tried again. */
const again = 10_000;

interface Around {
  readonly stills: Stills;
  /** Called after a failure, of which Postern may know the reason. */
  readonly onDoubt: () => void;
}

/**
 * One camera on the whole screen: live where the browser and the recorder can, and stills until then.
 * @returns stops it
 */
export function showFull(root: HTMLElement, camera: WallCamera, { stills, onDoubt }: Around): () => void {
  const tile = createTile(camera, () => history.back());
  const video = make('video', { muted: true, playsinline: true });
  const mode = make('span', { class: 'mode' }, text.wall.stills);
  const element = make('div', { class: 'full' }, tile.element, mode);
  // The attribute does not mute an element that a script made.
  video.muted = true;
  tile.element.setAttribute('aria-label', `${camera.title}. ${text.wall.back}`);
  root.append(element);
  tile.element.focus();

  let stop: AbortController | undefined;
  let timer = 0;
  let isOver = false;

  const showStills = () => {
    video.remove();
    mode.textContent = text.wall.stills;
    const load = (signal: AbortSignal) =>
      tile.refresh(signal).catch((error: unknown) => {
        if (!signal.aborted) onDoubt();
        throw error;
      });
    stills.show([{ every, priority: 0, load }]);
  };
  const showVideo = () => {
    if (video.parentNode !== null) return;
    stills.stop();
    tile.element.insertBefore(video, tile.element.lastChild);
    mode.textContent = text.wall.live;
  };
  const play = async (stream: string) => {
    // Loaded on demand: most screens never play video, and old ones could not read the code.
    const { canPlayMse, playMse } = await import('../pages/live/play-mse.ts');
    if (isOver || !canPlayMse()) return;
    const controller = new AbortController();
    stop = controller;
    const failed = () => {
      controller.abort();
      if (isOver) return;
      if (video.parentNode !== null) showStills();
      onDoubt();
      timer = window.setTimeout(() => void play(stream), again);
    };
    playMse({
      camera: camera.name,
      stream,
      video,
      onPicture: () => {},
      onPlaying: () => {
        if (!controller.signal.aborted) showVideo();
      },
      onFailed: failed,
      onDoubt,
      signal: controller.signal,
    });
  };

  showStills();
  // A file that does not load is no reason to have no picture.
  if (camera.stream !== undefined) play(camera.stream).catch(() => {});
  return () => {
    isOver = true;
    clearTimeout(timer);
    if (stop !== undefined) stop.abort();
    stills.stop();
    tile.remove();
    element.remove();
  };
}
