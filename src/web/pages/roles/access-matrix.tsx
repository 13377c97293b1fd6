import { manyCameras, cameraText } from '../../ui/cameras/camera-names.ts';
import { noPanes, type PaneStates } from '../../ui/roles/role-access.ts';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Panes } from '../../ui/roles/capabilities.tsx';
import { Icon } from '../../ui/drawings.tsx';
import { hasPictures } from '../../ui/page-marks.ts';
import { pathTo } from '../../path-prefix.ts';
import { moved, type MatrixEntry, type Sort } from './access-rows.ts';
import { cellText } from './access-text.ts';
import { text } from '../../text.ts';

const words = text.access;

// Cells that are drawn at once, and in each step that follows: pages stay quick on slow machines.
const atFirst = 400;
const more = 160;

export interface Cell {
  readonly row: string;
  readonly camera: string;
}

/** Props of the link of a row. */
export interface HeaderPlace {
  readonly link: { readonly tabIndex?: number; readonly 'data-column'?: number };
  readonly isNarrow: boolean;
}

interface MatrixProps {
  readonly label: string;
  /** Title of the first column. */
  readonly title: string;
  readonly rows: readonly MatrixEntry[];
  readonly cameras: readonly string[];
  /** The first camera of each group but the first. */
  readonly breaks: ReadonlySet<string>;
  /** The cell whose panel is open. */
  readonly open: Cell | undefined;
  /** Panes that the open cell would show. */
  readonly draft: PaneStates | undefined;
  readonly marked: string | undefined;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly headerOf: (row: MatrixEntry, place: HeaderPlace) => ComponentChildren;
  readonly whenOf: (row: MatrixEntry) => string | undefined;
  readonly onOpen: (cell: Cell) => void;
}

/** A grid of rows and cameras: the arrow keys walk through its cells, of which one is in the tab order. */
export function AccessMatrix(props: MatrixProps) {
  const { label, title, rows, cameras, breaks, open, draft, marked, sort, onSort, headerOf, whenOf, onOpen } =
    props;
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<readonly [row: number, column: number]>([0, 1]);
  const [drawn, setDrawn] = useState({ sort, rows: 0 });
  const least = Math.ceil(atFirst / cameras.length);
  // Rows in another order are drawn step by step, too.
  const count = drawn.sort === sort ? Math.max(least, drawn.rows) : least;
  useEffect(() => {
    if (count >= rows.length) return undefined;
    const timer = setTimeout(() => setDrawn({ sort, rows: count + Math.ceil(more / cameras.length) }));
    return () => clearTimeout(timer);
  }, [count, rows.length, sort]);
  // The panel takes room beside the cell that opened it.
  useEffect(() => {
    if (open === undefined) return;
    const cell = grid.current?.querySelector('[aria-expanded=true]');
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open]);
  const isMany = cameras.length >= manyCameras;
  const row = Math.min(at[0], rows.length - 1);
  const column = Math.min(at[1], cameras.length);
  const focus = (next: readonly [number, number]) => {
    setAt(next);
    setDrawn({ sort, rows: Math.max(count, next[0] + 1) });
    const target = () =>
      grid.current?.querySelector<HTMLElement>(
        `[data-index="${String(next[0])}"] [data-column="${String(next[1])}"]`,
      );
    const found = target();
    if (found) found.focus();
    // A row that is yet to be drawn.
    else requestAnimationFrame(() => target()?.focus());
  };
  const cellAt = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
    const index = element?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    return index === undefined ? undefined : ([Number(index), Number(element?.dataset['column'])] as const);
  };
  const press = (target: EventTarget | null) => {
    const place = cellAt(target);
    const [found, camera] = place === undefined ? [] : [rows[place[0]], cameras[place[1] - 1]];
    if (place === undefined || found === undefined || camera === undefined) return false;
    setAt(place);
    onOpen({ row: found.name, camera });
    return true;
  };
  return (
    <div
      class={isMany ? 'matrix-frame many' : 'matrix-frame'}
      style={{ '--cameras': String(cameras.length) }}
    >
      <div
        ref={grid}
        class="matrix"
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        onClick={(event) => press(event.target)}
        onKeyDown={(event) => {
          const place = cellAt(event.target);
          if (place === undefined) return;
          const next = moved(place, event, { rows: rows.length, columns: cameras.length });
          const isPress = event.key === 'Enter' || event.key === ' ';
          if (next !== undefined) focus(next);
          if (next !== undefined || (isPress && press(event.target))) event.preventDefault();
        }}
      >
        <div role="row" class="matrix-head">
          <div
            role="columnheader"
            aria-sort={sort === '' ? 'none' : sort === 'name' ? 'ascending' : 'descending'}
          >
            {(['name', 'cameras'] as const).map((by) => (
              <button
                key={by}
                type="button"
                aria-pressed={sort === by}
                onClick={() => onSort(sort === by ? '' : by)}
              >
                {by === 'name' ? title : words.cameras}
                <Icon name={by === 'name' ? 'up' : 'down'} />
              </button>
            ))}
          </div>
          {cameras.map((camera) => (
            <div key={camera} role="columnheader" class={breaks.has(camera) ? 'begins' : undefined}>
              {!isMany && <CameraPicture camera={camera} />}
              <span dir="auto">{cameraText(camera)}</span>
            </div>
          ))}
          {!isMany && <div role="columnheader">{words.when}</div>}
        </div>
        {rows.slice(0, count).map((shown, index) => (
          <MatrixRow
            key={shown.name}
            row={shown}
            index={index}
            cameras={cameras}
            breaks={breaks}
            focused={index === row ? column : undefined}
            open={open?.row === shown.name ? open.camera : undefined}
            draft={open?.row === shown.name ? draft : undefined}
            isMarked={marked === shown.name}
            header={headerOf(shown, {
              link: { tabIndex: index === row && column === 0 ? 0 : -1, 'data-column': 0 },
              isNarrow: isMany,
            })}
            when={whenOf(shown)}
            showsWhen={!isMany}
          />
        ))}
      </div>
    </div>
  );
}

interface MatrixRowProps {
  readonly row: MatrixEntry;
  readonly index: number;
  readonly cameras: readonly string[];
  readonly breaks: ReadonlySet<string>;
  /** The column in the tab order. */
  readonly focused: number | undefined;
  readonly open: string | undefined;
  readonly draft: PaneStates | undefined;
  readonly isMarked: boolean;
  readonly header: ComponentChildren;
  readonly when: string | undefined;
  readonly showsWhen: boolean;
}

function MatrixRow(props: MatrixRowProps) {
  const { row, index, cameras, breaks, focused, open, draft, isMarked, header, when, showsWhen } = props;
  // A row that stays as it is costs nothing when another one changes.
  const cells = useMemo(
    () =>
      cameras.map((camera, column) => (
        <div
          key={camera}
          role="gridcell"
          class={breaks.has(camera) ? 'cell begins' : 'cell'}
          data-column={column + 1}
          tabIndex={focused === column + 1 ? 0 : -1}
          aria-haspopup="dialog"
          aria-expanded={open === camera}
          aria-label={cellText(row, camera, when)}
        >
          <Panes states={(open === camera ? draft : undefined) ?? row.panes.get(camera) ?? noPanes} />
        </div>
      )),
    [row, cameras, breaks, focused, open, draft, when],
  );
  return (
    <div role="row" class={isMarked ? 'marked' : undefined} data-row={row.name} data-index={index}>
      <div role="rowheader">{header}</div>
      {cells}
      {showsWhen && (
        <div role="gridcell" class="when">
          {when === undefined ? (
            <span class="muted">{words.always}</span>
          ) : (
            <span class="tag lamp">{when}</span>
          )}
        </div>
      )}
    </div>
  );
}

/** The newest picture, loaded once. Empty without one, or while the camera is away. */
export function CameraPicture({ camera }: { readonly camera: string }) {
  const [failed, setFailed] = useState(!hasPictures);
  const source = pathTo(`/api/${encodeURIComponent(camera)}/latest.jpg?height=90`);
  return (
    <span class="matrix-picture">
      {!failed && <img src={source} alt="" loading="lazy" onError={() => setFailed(true)} />}
    </span>
  );
}
