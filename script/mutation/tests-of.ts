import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

/** How many imports away a test may be: from further away, it tests something else. */
const furthest = 3;

/** Finds the unit tests that run a source file. */
export class TestsOf {
  readonly #imports = new Map<string, readonly string[]>();
  /** For each test, how many imports away each file is. */
  readonly #distances: ReadonlyMap<string, ReadonlyMap<string, number>>;

  /** @param root of the project, where all names of files begin */
  constructor(root: string) {
    const tests = globSync('test/unit/**/*.test.ts', { cwd: root }).toSorted();
    this.#distances = new Map(tests.map((test) => [test, this.#distancesFrom(root, test)]));
  }

  /** @returns the tests that import the file themselves or have its name, and others that use it on their way */
  find(file: string): { readonly near: readonly string[]; readonly far: readonly string[] } {
    const near: string[] = [];
    const far: string[] = [];
    for (const [test, distances] of this.#distances) {
      const distance = distances.get(file) ?? Number.POSITIVE_INFINITY;
      // A test of a command runs all of Postern, which loads the command last.
      const isNear = distance === 1 || test === file.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts');
      if (isNear || distance <= furthest) (isNear ? near : far).push(test);
    }
    return { near, far };
  }

  #distancesFrom(root: string, test: string): ReadonlyMap<string, number> {
    const distances = new Map([[test, 0]]);
    // A Map continues with what is added to it meanwhile.
    for (const [file, distance] of distances)
      for (const imported of this.#importsOf(root, file))
        if (!distances.has(imported)) distances.set(imported, distance + 1);
    return distances;
  }

  #importsOf(root: string, file: string): readonly string[] {
    const known = this.#imports.get(file);
    if (known !== undefined) return known;
    const imports = /\.tsx?$/.test(file) ? importsIn(file, readFileSync(join(root, file), 'utf8')) : [];
    this.#imports.set(file, imports);
    return imports;
  }
}

/** Files of the project that are loaded with a file; types are not. */
function importsIn(file: string, source: string): readonly string[] {
  const { module } = parseSync(file, source);
  const isLoaded = (entries: readonly { readonly isType: boolean }[]) =>
    entries.length === 0 || entries.some(({ isType }) => !isType);
  return [
    ...module.staticImports
      .filter(({ entries }) => isLoaded(entries))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null || isType ? [] : [moduleRequest.value],
      ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ]
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file), name));
}
