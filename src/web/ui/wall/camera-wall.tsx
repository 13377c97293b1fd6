import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure } from '../../api-client.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { lastPicture } from '../cameras/pictures.ts';
import { useProfile } from '../../profile.ts';
import { watchVisible } from '../use-visible.ts';
import { text } from '../../text.ts';
import { arranged, densityOf, searchFrom } from './arrange.ts';
import type { Seen } from './camera-tile.tsx';
import { keepDensity, keptDensity } from './kept-density.ts';
import { RecorderAway } from './recorder-away.tsx';
import { Wall, useRefresher } from './wall.tsx';
import { WallTools } from './wall-tools.tsx';

/** Whether the gate or the recorder did not answer, rather than this one camera. */
function isOfRecorder(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 0 || error.status >= 502);
}

interface CameraWallProps {
  readonly cameras: readonly string[];
  /** The gate cannot reach the recorder; seconds since the epoch, null: it never has. Undefined: it can. */
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
        hasSearch={cameras.length >= searchFrom}
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
