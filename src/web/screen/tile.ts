import { text, make, clockTime } from './page.ts';
import type { WallCamera } from './wall-answer.ts';
import { pathTo } from '../path-prefix.ts';
import { limited } from './ask.ts';

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
    /** When its newest picture arrived, in milliseconds since the epoch. `undefined` if it has none. */
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

/** A decoded picture. The caller revokes its `url`. */
interface Shot {
  readonly url: string;
  /** The recorder returned an old one: the camera does not answer. */
  readonly isOffline: boolean;
}

/** The recorder renders each height separately. */
const step = 90;

/**
 * @param height the least height in pixels
 * @throws when there is no picture, and when the signal aborts
 */
async function readShot(camera: string, height: number, signal: AbortSignal): Promise<Shot> {
  const lines = Math.min(1080, Math.max(step, Math.ceil(height / step) * step));
  const limit = limited(signal);
  try {
    const path = `/api/${encodeURIComponent(camera)}/latest.jpg?height=${lines}`;
    const response = await fetch(pathTo(path), {
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      signal: limit.signal,
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const isOffline = response.headers.get('x-frigate-offline') === 'true';
    return { url: await decoded(await response.blob()), isOffline };
  } finally {
    limit.end();
  }
}

/** An `img` shows what was decoded without flickering. */
async function decoded(blob: Blob): Promise<string> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return url;
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}
