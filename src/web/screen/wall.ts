import { fill } from '../../language/fill.ts';
import { text, keepAwake, make, put, clockTime, opensText, browserClock } from './page.ts';
import { gatePath, pathTo } from '../path-prefix.ts';
import { ask, isFramed } from './ask.ts';
import { showFull } from './full.ts';
import { boxesIn, layoutFor, neighbour, placesIn, type Direction } from './layout.ts';
import { createStills } from './stills.ts';
import { createTile, type Tile } from './tile.ts';
import { nextAsk, stateOf, type WallCamera, type WallState } from './wall-answer.ts';

/** Milliseconds between two stills of the large picture, and of the others. */
const everyLarge = 1_000;
const everySmall = 4_000;
/** Milliseconds: a failed still makes the screen ask Postern for the reason, at most this often. */
const doubtAfter = 5_000;

/** Keys that lead back from one camera to all of them, as remote controls name them too. */
const leaveKeys = ['Escape', 'Backspace', 'GoBack', 'BrowserBack', 'Enter'];
/** Keys that lead to another camera in full size: the next or the one before. */
const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Shows the cameras of this screen while Postern allows it. */
export function showWall(root: HTMLElement): void {
  const clock = browserClock;
  const stills = createStills(clock);
  const main = make('main', { class: 'wall' }, make('p', { class: 'first' }, text.wall.opening));
  const strip = make('p', { role: 'status', class: 'strip' });
  put(root, make('h1', { class: 'hidden' }, text.wall.title), main, strip);

  let tiles: readonly Tile[] = [];
  let cameras: readonly WallCamera[] = [];
  let shown = '';
  let failures = 0;
  let askedAt = -Infinity;
  let cancelAsk = () => {};
  let cancelClock = () => {};
  let leaveFull: (() => void) | undefined;

  const question = async () => {
    cancelAsk();
    askedAt = clock.now();
    const state = stateOf(await ask('/api/wall', { framed: isFramed() }));
    failures = state.kind === 'away' || state.kind === 'over' ? failures + 1 : 0;
    apply(state);
    // Two questions may have been under way.
    cancelAsk();
    cancelAsk = clock.after(nextAsk(state, clock.now(), failures - 1), () => void question());
  };
  const doubt = () => {
    const wait = askedAt + doubtAfter - clock.now();
    cancelAsk();
    cancelAsk = clock.after(Math.max(0, wait), () => void question());
  };

  const apply = (state: WallState) => {
    if (state.kind === 'away') return tellAway(true);
    const key = JSON.stringify(state);
    tellAway(false);
    if (key === shown) return;
    shown = key;
    clear();
    if (state.kind === 'open' && state.cameras.length > 0) return open(state.cameras);
    if (state.kind === 'closed') return showClock(state.opens);
    if (state.kind === 'over') return signedOut();
    const words = {
      open: [text.wall.none, text.wall.noneHint],
      'not-live': [text.wall.notLive, text.wall.notLiveHint],
      refused: [text.wall.refused, text.wall.refusedHint],
    }[state.kind];
    put(main, message(words));
  };

  /** No picture stays behind when access ends. */
  const clear = () => {
    cancelClock();
    stills.stop();
    leaveFull?.();
    for (const tile of tiles) tile.remove();
    tiles = [];
    main.className = 'wall';
    tellAway(false);
  };

  const open = (granted: readonly WallCamera[]) => {
    cameras = granted;
    remember();
    tiles = cameras.map((camera, index) => createTile(camera, () => enlarge(index)));
    put(main, ...tiles.map(({ element }) => element));
    arrange();
    load();
  };
  const load = () =>
    stills.show(
      tiles.map((tile, index) => ({
        every: index === 0 && tiles.length <= 5 ? everyLarge : everySmall,
        priority: tile.element === document.activeElement || index === 0 ? 0 : 1,
        load: async (signal: AbortSignal) => {
          try {
            await tile.refresh(signal);
          } catch (error) {
            if (!signal.aborted) doubt();
            throw error;
          } finally {
            tellAway(false);
          }
        },
      })),
    );
  const arrange = () => {
    if (tiles.length === 0) return;
    const layout = layoutFor(tiles.length, main.clientWidth / Math.max(1, main.clientHeight));
    main.classList.add('grid');
    main.classList.toggle('many', tiles.length > 16);
    const places = placesIn(layout, tiles.length);
    main.style.gridTemplateColumns = `repeat(${places.columns}, 1fr)`;
    main.style.gridTemplateRows = `repeat(${layout.rows}, 1fr)`;
    places.tiles.forEach(({ column, row }, index) => {
      const style = tiles[index]?.element.style;
      if (style === undefined) return;
      style.gridColumn = column;
      style.gridRow = row;
    });
  };

  const enlarge = (index: number) => {
    if (leaveFull !== undefined) return;
    history.pushState({ full: true }, '');
    showOne(index);
  };
  const showOne = (index: number) => {
    const camera = cameras[index];
    if (camera === undefined) return;
    stills.stop();
    leaveFull?.();
    const leave = showFull(root, camera, { stills, onDoubt: doubt });
    main.hidden = true;
    large = index;
    leaveFull = () => {
      leaveFull = undefined;
      leave();
      main.hidden = false;
      arrange();
    };
  };
  /** Back from one camera to all of them. */
  const shrink = () => {
    leaveFull?.();
    if (tiles.length === 0) return;
    load();
    (tiles[large] ?? tiles[0])?.element.focus();
  };
  let large = 0;

  const tellAway = (isAway: boolean) => {
    const isLost = tiles.length > 0 && tiles.every((tile) => tile.isFailing());
    if (isAway) for (const tile of tiles) tile.dim();
    const seen = Math.max(...tiles.map((tile) => tile.seenAt() ?? 0), 0);
    const words =
      seen === 0 ? text.wall.connectingFirst : fill(text.wall.connecting, { time: clockTime(seen) });
    const next = isAway || isLost ? words : '';
    // A status is read aloud each time it is written.
    if (strip.textContent !== next) strip.textContent = next;
  };

  const showClock = (opens: number | undefined) => {
    const time = make('time', {}, clockTime(clock.now()));
    put(main, make('div', { class: 'clock' }, time, make('p', {}, opensText(opens, clock.now()))));
    const tick = () => {
      time.textContent = clockTime(clock.now());
      cancelClock = clock.after(60_000 - (clock.now() % 60_000), tick);
    };
    tick();
  };
  const signedOut = () => {
    // A screen that has shown nothing yet has nothing to be signed out of.
    if (!hasShown()) return location.replace(gatePath('/pair'));
    const pair = make('a', { class: 'button', href: gatePath('/pair') }, text.wall.pair);
    const links = make('p', { class: 'links' }, pair);
    // Browsers send no session cookie from a frame of another site.
    if (!isFramed()) {
      const href = pathTo(`/login?next=${encodeURIComponent(location.pathname)}`);
      links.append(make('a', { class: 'button', href }, text.wall.signIn));
    }
    put(main, message([text.wall.over, text.wall.overHint], links));
    pair.focus();
  };

  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (leaveFull !== undefined) {
      const step = steps[event.key];
      if (step === undefined && leaveKeys.indexOf(event.key) < 0) return;
      event.preventDefault();
      return step === undefined ? history.back() : showOne((large + step + cameras.length) % cameras.length);
    }
    if (!event.key.startsWith('Arrow') || tiles.length === 0) return;
    event.preventDefault();
    const at = tiles.findIndex(({ element }) => element === document.activeElement);
    const layout = layoutFor(tiles.length, main.clientWidth / Math.max(1, main.clientHeight));
    const next = at < 0 ? 0 : neighbour(boxesIn(layout, tiles.length), at, event.key as Direction);
    tiles[next]?.element.focus();
  });
  window.addEventListener('popstate', () => {
    if (leaveFull !== undefined) shrink();
  });
  window.addEventListener('resize', arrange);
  window.addEventListener('online', () => {
    void question();
    stills.retry();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void question();
  });
  keepAwake();
  void question();
}

function message([title, hint]: readonly string[], ...more: readonly Node[]): HTMLElement {
  return make(
    'div',
    { class: 'message', role: 'status' },
    make('h2', {}, title ?? ''),
    make('p', {}, hint ?? ''),
    ...more,
  );
}

const key = 'postern-wall';

/** Without storage, a screen that is over leads to the login. */
function remember(): void {
  try {
    localStorage.setItem(key, '1');
  } catch {
    // It only decides which sentence is shown.
  }
}

function hasShown(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
