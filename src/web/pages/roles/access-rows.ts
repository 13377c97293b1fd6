import {
  accessApi,
  bodyOf,
  recorderRolesApi,
  rolesApi,
  type AccessRow,
  type User,
} from '../../api-client.ts';
import { capabilities, type PaneStates } from '../../ui/roles/role-access.ts';
import { inOrder } from '../../ui/cameras/camera-names.ts';
import { readGroups } from '../../ui/roles/roles-api.ts';

/** A role or a user, with the panes of each camera. */
export interface MatrixEntry {
  readonly name: string;
  readonly role: string;
  /** Number of users who have the role. Absent when the row is a user. */
  readonly users?: number;
  readonly isBlocked: boolean;
  readonly schedule: AccessRow['schedule'];
  /** Cameras without an entry have none. */
  readonly panes: ReadonlyMap<string, PaneStates>;
}

export function rowOfRole({ role, users, schedule, access }: AccessRow): MatrixEntry {
  const panes = access.flatMap((entry) => {
    // One object for all cameras of an entry.
    const same = Object.fromEntries(capabilities.map((word) => [word, entry[word].state])) as PaneStates;
    return isNothing(same) ? [] : entry.cameras.map((camera) => [camera, same] as const);
  });
  return { name: role, role, users, isBlocked: false, schedule, panes: new Map(panes) };
}

/** @param roles rows by role. A role that is not defined anymore counts as viewer. */
export function rowOfUser(
  { username, role, blocked }: Pick<User, 'username' | 'role' | 'blocked'>,
  roles: ReadonlyMap<string, MatrixEntry>,
): MatrixEntry {
  const isBlocked = blocked !== null;
  const found = roles.get(role) ?? roles.get('viewer');
  const panes = isBlocked || found === undefined ? new Map<string, PaneStates>() : found.panes;
  return { name: username, role, isBlocked, schedule: found?.schedule ?? null, panes };
}

function isNothing(panes: PaneStates): boolean {
  return capabilities.every((word) => panes[word] === 'no');
}

/** Empty for the order of precedence. */
export type Sort = '' | 'name' | 'cameras';

/** @returns a new array; rows with the same number of cameras stay in their order */
export function sorted(rows: readonly MatrixEntry[], sort: Sort, locale: string): readonly MatrixEntry[] {
  if (sort === 'name') return [...rows].sort((one, other) => one.name.localeCompare(other.name, locale));
  if (sort === 'cameras') return [...rows].sort((one, other) => other.panes.size - one.panes.size);
  return rows;
}

interface Filter {
  readonly search: string;
  /** Cameras of the chosen group. Omit for all. */
  readonly group: readonly string[] | undefined;
  /** @returns the name of a camera on pages */
  readonly nameOf: (camera: string) => string;
}

/**
 * A search for a camera's name keeps its column, and one for a row's name its row. When it finds only columns, all rows stay,
 * and the other way round.
 * @returns no rows and no columns if it finds neither
 */
export function filtered(
  rows: readonly MatrixEntry[],
  cameras: readonly string[],
  { search, group, nameOf }: Filter,
): { readonly rows: readonly MatrixEntry[]; readonly cameras: readonly string[] } {
  const inGroup = group === undefined ? cameras : cameras.filter((camera) => group.includes(camera));
  const word = search.trim().toLowerCase();
  if (word === '') return { rows, cameras: inGroup };
  const has = (text: string) => text.toLowerCase().includes(word);
  const foundRows = rows.filter(({ name }) => has(name));
  const foundCameras = inGroup.filter((camera) => has(camera) || has(nameOf(camera)));
  if (foundRows.length === 0 && foundCameras.length === 0) return { rows: [], cameras: [] };
  return {
    rows: foundRows.length === 0 ? rows : foundRows,
    cameras: foundCameras.length === 0 ? inGroup : foundCameras,
  };
}

/** @returns each camera whose group differs from that of the camera before it. A camera's group is the first that has it */
export function groupBreaks(
  cameras: readonly string[],
  groups: ReadonlyArray<{ readonly name: string; readonly cameras: readonly string[] }>,
): ReadonlySet<string> {
  const groupOf = (camera: string) => groups.find(({ cameras: own }) => own.includes(camera))?.name;
  return new Set(
    cameras.filter((camera, index) => index > 0 && groupOf(camera) !== groupOf(cameras[index - 1] ?? '')),
  );
}

/** @returns where a key moves the focus in a grid, or `undefined` if it does not. Column 0 is the header of the row */
export function moved(
  [row, column]: readonly [row: number, column: number],
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): readonly [row: number, column: number] | undefined {
  const lastRow = rows - 1;
  const to: Readonly<Record<string, readonly [number, number]>> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [ctrlKey ? 0 : row, 0],
    End: [ctrlKey ? lastRow : row, columns],
    PageUp: [Math.max(0, row - 10), column],
    PageDown: [Math.min(lastRow, row + 10), column],
  };
  const target = to[key];
  if (target === undefined) return undefined;
  return [Math.min(Math.max(target[0], 0), lastRow), Math.min(Math.max(target[1], 0), columns)];
}

/** @throws ApiFailure */
export async function loadAccess() {
  const [found, roles, viewer, groups, recorder] = await Promise.all([
    bodyOf(accessApi.index.$get({ query: { personal: 'true' } })),
    bodyOf(rolesApi.index.$get()),
    bodyOf(rolesApi[':name'].$get({ param: { name: 'viewer' } })),
    readGroups(),
    bodyOf(recorderRolesApi.index.$get()),
  ]);
  const cameras = inOrder(found.cameras);
  return {
    access: { ...found, cameras },
    entries: found.rows.filter(({ personal }) => !personal).map(rowOfRole),
    roles,
    viewer,
    ...groups,
    recorder,
  };
}

/** The data that the page has loaded. */
export type LoadedAccess = Awaited<ReturnType<typeof loadAccess>>;
