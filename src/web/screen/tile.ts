import { text } from './screen-text.ts';
import { make } from './dom.ts';
import { readShot } from './still-picture.ts';
import { clockTime } from './time.ts';
import type { WallCamera } from './wall-answer.ts';

/** The picture of one camera, with its name. It holds one object URL at most. */
export function createTile(camera: WallCamera, onPress: () => void) {
  const picture = make('img', { alt: '' });
  const state = make('span', { class: 'state' });
  const element = make(
    'button',
    { type: 'button', class: 'tile', onclick: onPress },
    picture,
    make('span', { class: 'caption' }, make('span', {}, camera.title), state),
  );
  element.classList.add('waits');
  let url: string | undefined;
  let seenAt: number | undefined;
  let isFailing = false;

  /** The picture is old: it is dimmed, with its time. */
  const dim = () => {
    element.classList.add('gone');
    state.textContent = seenAt === undefined ? text.wall.offline : clockTime(seenAt);
  };
  const release = () => {
    if (url !== undefined) URL.revokeObjectURL(url);
    url = undefined;
  };

  return {
    element,
    /** When its newest picture arrived, in milliseconds since the epoch; undefined: none. */
    seenAt: () => seenAt,
    isFailing: () => isFailing,
    /** Shows the newest picture. @throws when no picture comes */
    refresh: async (signal: AbortSignal) => {
      try {
        const height = element.clientHeight * Math.min(2, window.devicePixelRatio);
        const shot = await readShot(camera.name, height, signal);
        if (signal.aborted) return URL.revokeObjectURL(shot.url);
        const former = url;
        picture.src = url = shot.url;
        if (former !== undefined) URL.revokeObjectURL(former);
        element.classList.remove('waits');
        isFailing = false;
        if (shot.isOffline) return dim();
        seenAt = Date.now();
        element.classList.remove('gone');
        state.textContent = '';
      } catch (error) {
        if (!signal.aborted) {
          isFailing = true;
          dim();
        }
        throw error;
      }
    },
    dim,
    remove: () => {
      release();
      picture.removeAttribute('src');
      element.remove();
    },
  };
}

export type Tile = ReturnType<typeof createTile>;
