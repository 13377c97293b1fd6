import { useState } from 'preact/hooks';
import type { AccessOfRole } from '../../api-client.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { hasPictures } from '../../ui/page-marks.ts';
import { densityOf, wallClass } from '../../ui/wall/arrange.ts';
import { pathTo } from '../../path-prefix.ts';
import { otherReason } from './cell-text.ts';
import { fill, text } from '../../text.ts';

const words = text.viewAs;

interface SeenCamerasProps {
  readonly name: string;
  readonly row: AccessOfRole;
  readonly turn: string | undefined;
}

/** The tiles of someone's Home. They are no links: nothing is done here as someone else. */
export function SeenCameras({ name, row, turn }: SeenCamerasProps) {
  const { granted, access } = row;
  const seen = access.filter(({ live }) => live.state !== 'no');
  if (granted.length === 0) return <p class="notice">{fill(words.noCameras, { who: name })}</p>;
  if (seen.length === 0) {
    const reason = access.find(({ cameras }) => cameras.some((camera) => granted.includes(camera)))?.live
      .reason;
    const isMissing = reason === undefined || reason === 'role_may_not';
    return (
      <p class="notice">
        {isMissing ? fill(words.notLive, { who: name }) : blockedText(name, otherReason(reason))}
      </p>
    );
  }
  const closed = new Set(seen.flatMap(({ live, cameras }) => (live.state === 'closed' ? cameras : [])));
  const shown = inOrder(seen.flatMap(({ cameras }) => cameras));
  const until = turn === undefined ? words.over : fill(words.opens, { moment: turn });
  return (
    <>
      {closed.size > 0 && <p class="notice">{`${fill(words.closed, { who: name })}. ${until}.`}</p>}
      <ul
        class={wallClass(shown.length, densityOf(shown.length, undefined))}
        aria-label={fill(words.cameras, { who: name })}
      >
        {shown.map((camera) => (
          <SeenCamera key={camera} camera={camera} isClosed={closed.has(camera)} />
        ))}
      </ul>
    </>
  );
}

function blockedText(who: string, why: string | undefined): string {
  return why === undefined ? fill(words.blocked, { who }) : fill(words.blockedBecause, { who, why });
}

interface SeenCameraProps {
  readonly camera: string;
  readonly isClosed: boolean;
}

/** When it opens stands above all tiles: a small one has no room for it. */
function SeenCamera({ camera, isClosed }: SeenCameraProps) {
  const [isMissing, setMissing] = useState(!hasPictures);
  const isDark = isClosed || isMissing;
  return (
    <li class={isDark ? 'tile off' : 'tile'}>
      {!isDark && (
        <img
          src={pathTo(`/api/${encodeURIComponent(camera)}/latest.jpg?height=360`)}
          alt=""
          loading="lazy"
          onError={() => setMissing(true)}
        />
      )}
      <span class="cap">
        <span dir="auto">{cameraText(camera)}</span>
      </span>
      <small class={isDark ? 'on off' : 'on'}>
        {isClosed ? words.closedTile : isMissing ? words.noPicture : words.live}
      </small>
    </li>
  );
}
