import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure } from '../../api-client.ts';
import { cameraText, manyCameras } from '../cameras/camera-names.ts';
import { lastPicture } from '../cameras/pictures.ts';
import { useProfile } from '../../profile.ts';
import { watchVisible } from '../page-hooks.ts';
import { text, fill } from '../../text.ts';
import { arranged, densityOf, densities, groupsToChoose, offlineGroup, type Density } from './arrange.ts';
import { Wall, useRefresher, type Seen } from './camera-tile.tsx';
import { nameText } from '../words.ts';
import { Icon } from '../drawings.tsx';
import { clockText, momentText } from '../time-text.ts';

/** Whether Postern or the recorder did not answer, rather than this one camera. */
function isOfRecorder(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 0 || error.status >= 502);
}

interface CameraWallProps {
  readonly cameras: readonly string[];
  /**
   * When Postern last reached the recorder, in seconds since the epoch. Null when it never has, and `undefined` while it
   * reaches it.
   */
  readonly awaySince: number | null | undefined;
}

/** Home's cameras, with what chooses among them. */
export function CameraWall({ cameras, awaySince }: CameraWallProps) {
  const { camera_groups: groups = [] } = useProfile();
  const refresher = useRefresher();
  const box = useRef<HTMLElement>(null);
  const [kept, setKept] = useState(keptDensity);
  const [choice, choose] = useState<{ group?: string | undefined; search: string }>({ search: '' });
  const [offline, setOffline] = useState<ReadonlySet<string>>(
    () => new Set(cameras.filter((camera) => lastPicture(camera)?.isOffline === true)),
  );
  const [first, setFirst] = useState(offline);
  const latest = useRef(offline);
  latest.current = offline;
  useEffect(() => watchVisible((isVisible) => isVisible && setFirst(latest.current)), []);
  const [isLost, setLost] = useState<boolean>();
  // Not a state: each picture would render the whole wall again.
  const seenAt = useRef(0);

  const see = (camera: string, seen: Seen) => {
    if ('error' in seen) {
      if (isOfRecorder(seen.error)) setLost(true);
      return;
    }
    seenAt.current = seen.at;
    setLost(false);
    setOffline((known) => {
      if (known.has(camera) === seen.isOffline) return known;
      const others = [...known].filter((other) => other !== camera);
      return new Set(seen.isOffline ? [...others, camera] : others);
    });
  };

  const isAway = isLost ?? awaySince !== undefined;
  const since = Math.max(seenAt.current, awaySince ?? 0);
  const density = densityOf(cameras.length, kept);
  const all = { cameras, groups, offline, nameOf: cameraText };
  const shown = arranged(all, { ...choice, group: choice.group, first });
  const chooseAnew = (change: Partial<typeof choice>) => {
    choose({ ...choice, ...change });
    setFirst(offline);
  };
  return (
    <section class="camera-wall" ref={box}>
      {awaySince !== undefined && <RecorderAway since={since} isBack={!isAway} onCheck={refresher.retry} />}
      <WallTools
        all={all}
        group={choice.group}
        hasSearch={cameras.length >= manyCameras}
        density={density}
        onGroup={(group) => chooseAnew({ group })}
        onSearch={(search) => chooseAnew({ search })}
        onDensity={(chosen) => {
          keepDensity(chosen);
          setKept(chosen);
        }}
        onFullScreen={() =>
          void (document.fullscreenElement ? document.exitFullscreen() : box.current?.requestFullscreen())
        }
      />
      {isAway && awaySince === undefined && (
        <div class="noticed-later">
          <RecorderAway since={since} onCheck={refresher.retry} />
        </div>
      )}
      {shown.length === 0 ? (
        <p class="placeholder">{text.home.noSuchCamera}</p>
      ) : (
        <Wall cameras={shown} refresher={refresher} density={density} onSeen={see} />
      )}
    </section>
  );
}

interface WallToolsProps {
  readonly all: Parameters<typeof groupsToChoose>[0];
  readonly group: string | undefined;
  readonly hasSearch: boolean;
  readonly density: Density;
  readonly onGroup: (group: string | undefined) => void;
  readonly onSearch: (search: string) => void;
  readonly onDensity: (density: Density) => void;
  readonly onFullScreen: () => void;
}

/** Groups, the search, the size of the pictures, and the full screen. */
function WallTools(props: WallToolsProps) {
  const { all, density, hasSearch } = props;
  const words = text.home;
  const groups = groupsToChoose(all);
  const group = groups.some(({ name }) => name === props.group) ? props.group : undefined;
  const chip = (name: string | undefined, shown: string, count: number) => (
    <button
      key={shown}
      type="button"
      class="chip"
      aria-pressed={group === name}
      onClick={() => props.onGroup(name)}
    >
      <span dir="auto">{shown}</span> <small>{count}</small>
    </button>
  );
  return (
    <div class="wall-tools">
      <div class="chips" role="group" aria-label={words.groups}>
        {(groups.length > 0 || hasSearch) && chip(undefined, words.all, all.cameras.length)}
        {groups.map(({ name, cameras }) =>
          chip(name, name === offlineGroup ? words.offline : nameText(name), cameras.length),
        )}
      </div>
      {hasSearch && (
        <label class="wall-search">
          <span class="hidden-text">{words.find}</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder={words.find}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => props.onSearch(event.currentTarget.value.trim())}
          />
        </label>
      )}
      <div class="seg" role="group" aria-label={words.size}>
        {densities.map((each) => (
          <button
            key={each}
            type="button"
            aria-label={words.sizes[each]}
            title={words.sizes[each]}
            aria-pressed={each === density}
            onClick={() => props.onDensity(each)}
          >
            <Icon name={each} />
          </button>
        ))}
      </div>
      {document.fullscreenEnabled && (
        <button
          type="button"
          class="quiet icon full-screen"
          aria-label={words.fullScreen}
          title={words.fullScreen}
          onClick={props.onFullScreen}
        >
          <Icon name="full" />
        </button>
      )}
    </div>
  );
}

const key = 'postern.density';

/** @returns the size chosen on this device, or `undefined` if there is none, or the browser keeps nothing */
function keptDensity(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepDensity(density: Density): void {
  try {
    localStorage.setItem(key, density);
  } catch {
    // It holds until the page is left.
  }
}

interface RecorderAwayProps {
  /** Seconds since the epoch. 0 when unknown. */
  readonly since: number;
  /** It answers again; the notice keeps its place, so that nothing below moves. */
  readonly isBack?: boolean;
  readonly onCheck: () => void;
}

/** Why there are no new pictures. */
export function RecorderAway({ since, isBack = false, onCheck }: RecorderAwayProps) {
  const words = text.home.away;
  const isToday = new Date(since * 1000).toDateString() === new Date().toDateString();
  const time = isToday ? clockText(since) : momentText(since, true);
  return (
    <div class={isBack ? 'notice recorder-away' : 'notice failure recorder-away'} role="status">
      <p>
        <span class={isBack ? 'over' : undefined}>
          <strong>{since === 0 ? words.now : fill(words.since, { time })}</strong> {words.meaning}
        </span>
        {isBack && <span>{words.back}</span>}
      </p>
      <button type="button" class="outline" onClick={onCheck} disabled={isBack}>
        {words.check}
      </button>
    </div>
  );
}
