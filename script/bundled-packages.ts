import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the list that a build writes, in the bundler's form. */
export const packagesFile = 'packages.json';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX. */
  readonly identifier?: string;
  /** The licence's text; some packages come without. */
  readonly text?: string;
}

/** Every package that programs and UI contain, by name and version. */
export function bundledPackages(root: string): readonly BundledPackage[] {
  const lists = globSync('dist/packages/*.json', { cwd: root }).map(
    (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as readonly BundledPackage[],
  );
  const byKey = new Map(lists.flat().map((found) => [`${found.name}@${found.version}`, found]));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
}
