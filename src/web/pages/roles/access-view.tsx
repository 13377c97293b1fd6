import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { manyCameras, cameraText } from '../../ui/cameras/camera-names.ts';
import { ListSearch, useIsLong } from '../../ui/lists/list-search.tsx';
import { Message } from '../../ui/notices.tsx';
import { nameText, numberText } from '../../ui/words.ts';
import { Panes } from '../../ui/roles/capabilities.tsx';
import { capabilities, noPanes, type PaneStates } from '../../ui/roles/role-access.ts';
import { locale, text } from '../../text.ts';
import { AccessMatrix, CameraPicture, type Cell, type HeaderPlace } from './access-matrix.tsx';
import {
  filtered,
  groupBreaks,
  sorted,
  type LoadedAccess,
  type MatrixEntry,
  type Sort,
} from './access-rows.ts';
import { whenText, panesText } from './access-text.ts';

const words = text.access;

export interface AccessViewProps {
  readonly loaded: LoadedAccess;
  readonly filters: Readonly<Record<'view' | 'search' | 'group' | 'sort', string>>;
  readonly setFilters: (changes: Partial<Record<'view' | 'search' | 'group' | 'sort', string>>) => void;
  readonly marked: string | undefined;
}

interface ViewProps extends AccessViewProps {
  readonly label: string;
  readonly title: string;
  readonly searchHint: string;
  readonly entries: readonly MatrixEntry[];
  readonly open: Cell | undefined;
  readonly draft: PaneStates | undefined;
  readonly headerOf: (entry: MatrixEntry, place: HeaderPlace) => ComponentChildren;
  readonly onOpen: (cell: Cell) => void;
  /** Below the rows. */
  readonly more?: ComponentChildren;
  /** Beside the matrix. */
  readonly panel: ComponentChildren;
}

/** Search, groups and order above; the matrix, with a panel beside it; the legend below. */
export function AccessView(props: ViewProps) {
  const { loaded, filters, setFilters, marked, entries, open, draft, headerOf, onOpen, panel } = props;
  const { access, groups, offered } = loaded;
  const chips = [...groups, ...offered];
  const group = chips.find(({ name }) => name === filters.group)?.cameras;
  // The matrix draws its cells again for another array of cameras, or another row.
  const { rows, cameras, breaks } = useMemo(() => {
    const found = filtered(entries, access.cameras, { search: filters.search, group, nameOf: cameraText });
    return { ...found, breaks: groupBreaks(found.cameras, chips) };
  }, [entries, loaded, filters.search, filters.group]);
  const shown = sorted(rows, filters.sort as Sort, locale);
  const whenOf = ({ schedule }: MatrixEntry) => whenText(schedule, access);
  const isSearched = filters.search !== '';
  const count = Math.max(access.cameras.length, entries.length);
  const hasGroups = useIsLong(count, isSearched || filters.group !== '');
  const isEmpty = shown.length === 0 || cameras.length === 0;
  const parts = { rows: shown, cameras, whenOf, headerOf, onOpen };
  return (
    <>
      <ListSearch
        hint={props.searchHint}
        search={filters.search}
        onSearch={(search) => setFilters({ search })}
        isFiltered={isSearched}
        found={undefined}
        count={count}
      />
      {chips.length > 0 && hasGroups && (
        <div class="chips access-groups" role="group" aria-label={words.cameras}>
          <GroupChip
            name={words.allCameras}
            count={access.cameras.length}
            isOn={group === undefined}
            onPress={() => setFilters({ group: '' })}
          />
          {chips.map(({ name, cameras: own }) => (
            <GroupChip
              key={name}
              name={nameText(name)}
              count={own.length}
              isOn={filters.group === name}
              onPress={() => setFilters({ group: name })}
            />
          ))}
        </div>
      )}
      {access.cameras.length === 0 ? (
        <p class="placeholder">{words.noCameras}</p>
      ) : isEmpty ? (
        <Message title={text.lists.nothingFound}>
          <button type="button" onClick={() => setFilters({ search: '', group: '' })}>
            {text.lists.showAll}
          </button>
        </Message>
      ) : (
        <div class={panel === undefined ? 'access-view' : 'access-view with-panel'}>
          <div>
            <AccessMatrix
              key={cameras.join()}
              {...parts}
              label={props.label}
              title={props.title}
              breaks={breaks}
              open={open}
              draft={draft}
              sort={filters.sort as Sort}
              onSort={(sort) => setFilters({ sort })}
              marked={marked}
            />
            {cameras.length < manyCameras && <AccessList {...parts} label={props.label} />}
            {props.more}
            <Legend />
          </div>
          {panel}
        </div>
      )}
    </>
  );
}

function GroupChip(props: {
  readonly name: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onPress: () => void;
}) {
  return (
    <button type="button" class="chip" aria-pressed={props.isOn} onClick={props.onPress}>
      {props.name} <small>{numberText(props.count)}</small>
    </button>
  );
}

function Legend() {
  const only = (word: string, state: 'may' | 'closed') =>
    Object.fromEntries(
      capabilities.map((other) => [other, other === word || word === 'all' ? state : 'no'] as const),
    ) as PaneStates;
  const entries = [
    ...capabilities.map((word) => [text.capabilities.names[word], only(word, 'may')] as const),
    [words.closed, only('all', 'closed')] as const,
    [words.none, only('', 'may')] as const,
  ];
  return (
    <ul class="access-legend" aria-label={words.legend}>
      {entries.map(([name, states]) => (
        <li key={name}>
          <Panes states={states} />
          {name}
        </li>
      ))}
    </ul>
  );
}

interface AccessListProps {
  readonly label: string;
  readonly rows: readonly MatrixEntry[];
  readonly cameras: readonly string[];
  readonly headerOf: (entry: MatrixEntry, place: HeaderPlace) => ComponentChildren;
  readonly whenOf: (entry: MatrixEntry) => string | undefined;
  readonly onOpen: (cell: Cell) => void;
}

/** Replaces a matrix of few cameras on a phone: the user chooses a row, and its cameras are a list. */
function AccessList({ label, rows, cameras, headerOf, whenOf, onOpen }: AccessListProps) {
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
