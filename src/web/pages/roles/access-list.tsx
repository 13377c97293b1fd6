import { noPanes } from '../../ui/roles/role-access.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Panes } from '../../ui/roles/capabilities.tsx';
import { CameraPicture, type Cell, type HeaderPlace } from './access-matrix.tsx';
import type { MatrixEntry } from './access-rows.ts';
import { panesText } from './access-text.ts';

interface AccessListProps {
  readonly label: string;
  readonly rows: readonly MatrixEntry[];
  readonly cameras: readonly string[];
  readonly headerOf: (entry: MatrixEntry, place: HeaderPlace) => ComponentChildren;
  readonly whenOf: (entry: MatrixEntry) => string | undefined;
  readonly onOpen: (cell: Cell) => void;
}

/** In place of a matrix of few cameras, on a phone: one row is chosen, and its cameras are a list. */
export function AccessList({ label, rows, cameras, headerOf, whenOf, onOpen }: AccessListProps) {
  const [chosen, choose] = useState('');
  const row = rows.find(({ name }) => name === chosen) ?? rows[0];
  if (row === undefined) return null;
  const when = whenOf(row);
  return (
    <div class="access-list">
      <div class="chips access-groups" role="group" aria-label={label}>
        {rows.map(({ name }) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={name === row.name}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="access-of">
        {headerOf(row, { link: {}, isNarrow: false })}
        {when !== undefined && <span class="tag lamp">{when}</span>}
      </div>
      <ul>
        {cameras.map((camera) => (
          <li key={camera}>
            <button type="button" class="quiet" onClick={() => onOpen({ row: row.name, camera })}>
              <CameraPicture camera={camera} />
              <span>
                <strong dir="auto">{cameraText(camera)}</strong>
                <small>{panesText(row.panes.get(camera))}</small>
              </span>
              <Panes states={row.panes.get(camera) ?? noPanes} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
