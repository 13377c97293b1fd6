import { hasWords } from '../words.ts';

/** Sizes of pictures, by how many stand beside each other. */
export const densities = ['large', 'medium', 'small'] as const;
export type Density = (typeof densities)[number];

/** With so many cameras pictures begin small. */
const smallFrom = 9;

/** @param kept the user's choice on this device. Omit when there is none yet */
export function densityOf(cameras: number, kept: string | undefined): Density {
  return densities.find((density) => density === kept) ?? (cameras < smallFrom ? 'medium' : 'small');
}

/** Whether one picture is large, with the others beside it. Only a few cameras leave room for that. */
export function hasLargeFirst(cameras: number, density: Density): boolean {
  return density === 'medium' && cameras >= 3 && cameras <= 5;
}

/** @returns the classes of the list of tiles: `style/wall.css` */
export function wallClass(cameras: number, density: Density): string {
  return hasLargeFirst(cameras, density) ? `wall ${density} first-of-${cameras}` : `wall ${density}`;
}

/** Which of the cameras are wanted. */
export interface WallChoice {
  /** The name of a group, or `offlineGroup`. Absent for all cameras. */
  readonly group: string | undefined;
  readonly search: string;
  /** Cameras that were offline when the wall was last arranged: none moves while someone looks at it. */
  readonly first: ReadonlySet<string>;
}

/** Not a name that a group can have. */
export const offlineGroup = ' offline';

interface Group {
  readonly name: string;
  readonly cameras: readonly string[];
}

interface Arranged {
  readonly cameras: readonly string[];
  readonly groups: readonly Group[];
  readonly offline: ReadonlySet<string>;
  readonly nameOf: (camera: string) => string;
}

/** @returns what can be chosen, if anything: all cameras, those that are offline, and the groups */
export function groupsToChoose({ cameras, groups, offline }: Omit<Arranged, 'nameOf'>): readonly Group[] {
  const down = cameras.filter((camera) => offline.has(camera));
  return [...(down.length === 0 ? [] : [{ name: offlineGroup, cameras: down }]), ...groups];
}

/** @returns the cameras to show; a group that is gone counts as all */
export function arranged(all: Arranged, { group, search, first }: WallChoice): readonly string[] {
  const { cameras, nameOf } = all;
  const chosen = groupsToChoose(all).find(({ name }) => name === group);
  const members = new Set(chosen?.cameras ?? cameras);
  const found = cameras.filter((camera) => members.has(camera) && hasWords(search, [camera, nameOf(camera)]));
  const place = (camera: string) => (first.has(camera) ? 0 : 1);
  return found.toSorted((a, b) => place(a) - place(b));
}
