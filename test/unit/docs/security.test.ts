import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../support/start-gateway.ts';

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** What shows a promise: a file, and titles of its tests or names of its tables of rows. */
interface Evidence {
  readonly path: string;
  readonly titles: readonly string[];
  readonly tables: readonly string[];
}

/** `` `test/attack/login.test.ts` "a title", "another one" ``, or `` `test/attack/token-rows.ts` `tokenRows` `` */
const evidence = /`(?<path>test\/[\w./-]+)`(?<shown>(?:,? (?:"[^"]+"|`\w+`(?![/.])))*)/g;

/** @returns the cells of each row of the tables, without their head */
function rowsOf(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    .filter((cells, i, all) => !isRule(cells) && !isRule(all[i + 1]));
}

function isRule(cells: readonly string[] | undefined): boolean {
  return cells?.every((cell) => /^[-:]+$/.test(cell)) ?? false;
}

function evidenceIn(cell: string): Evidence[] {
  return [...cell.matchAll(evidence)].map(({ groups: { path = '', shown = '' } = {} }) => ({
    path,
    titles: [...shown.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    tables: [...shown.matchAll(/`(\w+)`/g)].map(([, table = '']) => table),
  }));
}

/** @returns what is wrong with the evidence in a cell */
function faultsOf(cell: string): string[] {
  const unread = cell.replaceAll(evidence, '');
  const faults = /"|`test\//.test(unread) ? [`a title without its file: ${cell}`] : [];
  for (const { path, titles, tables } of evidenceIn(cell)) {
    if (!existsSync(join(projectRoot, path))) {
      faults.push(`${path} does not exist`);
      continue;
    }
    const source = textOf(path);
    if (titles.length + tables.length === 0) faults.push(`${path}: no title`);
    const isIn = (title: string) =>
      [`'${title}'`, `"${title}"`, `\`${title}\``].some((text) => source.includes(text));
    faults.push(
      ...titles.filter((title) => !isIn(title)).map((title) => `${path}: no test is called "${title}"`),
      ...tables
        .filter((table) => !source.includes(`export const ${table}:`))
        .map((table) => `${path}: no table is called ${table}`),
    );
  }
  return faults;
}

const security = textOf('SECURITY.md');
const promises = rowsOf(security.slice(security.indexOf('\n## What is promised'))).filter(
  ({ length }) => length === 2,
);
const [answered = '', others = ''] = textOf('docs/asvs.md').split('\n## What does not apply\n');
const asvs = rowsOf(answered).filter(([id = '']) => /^\d+\.\d+\.\d+$/.test(id));
/** Ids of what does not apply, and why. */
const absent = rowsOf(others);

/** @returns the ids of `6.3.6, 10.3.1 to 10.3.5` */
function idsIn(cell: string): string[] {
  return cell.split(', ').flatMap((range) => {
    const [, section = '', first = '', last = first] =
      /^(\d+\.\d+)\.(\d+)(?: to \1\.(\d+))?$/.exec(range) ?? [];
    return Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, i) => `${section}.${Number(first) + i}`,
    );
  });
}

describe('SECURITY.md', () => {
  test.each(promises)('%s', (_, heldBy = '') => {
    expect(evidenceIn(heldBy)).not.toEqual([]);
    expect(faultsOf(heldBy)).toEqual([]);
  });

  test('has its promises in tables', () => {
    expect(promises.length).toBeGreaterThan(40);
  });

  test('stays short', () => {
    expect(security.split(/\s+/).length).toBeLessThan(2_100);
  });
});

describe('docs/asvs.md', () => {
  test.each(asvs)('%s, level %s: %s', (_id, level = '', _words, shownBy = '') => {
    expect(level).toMatch(/^[123]$/);
    expect(faultsOf(shownBy)).toEqual([]);
    // A row without a test or a page names what is missing.
    if (evidenceIn(shownBy).length === 0 && !shownBy.includes('](')) {
      expect(shownBy).toMatch(/^\*\*(?:Not met|Met in part)\*\*: ./);
    }
  });

  test('has each requirement of its chapters once', () => {
    /** How many requirements ASVS 5.0.0 has in each section. */
    const sections: ReadonlyArray<readonly [chapter: number, counts: readonly number[]]> = [
      [6, [3, 12, 8, 6, 8, 4, 2, 4]],
      [7, [3, 4, 2, 5, 3, 2]],
      [8, [4, 4, 3, 2]],
      [9, [3, 4]],
      [10, [2, 3, 5, 16, 5, 2, 3]],
    ];
    const ids = sections.flatMap(([chapter, counts]) =>
      counts.flatMap((count, section) =>
        Array.from({ length: count }, (_, i) => `${chapter}.${section + 1}.${i + 1}`),
      ),
    );
    const apply = asvs.map(([id]) => id);
    const absentIds = absent.flatMap(([cell = '']) => idsIn(cell));
    expect(apply).toEqual(ids.filter((id) => !absentIds.includes(id)));
    expect(absentIds.toSorted()).toEqual(ids.filter((id) => !apply.includes(id)).toSorted());
    for (const [, why = ''] of absent) expect(why).toMatch(/\S \S/);
  });

  test('counts its answers', () => {
    const [open = 0, partly = 0] = ['Not met', 'Met in part'].map(
      (answer) => asvs.filter(([, , , shownBy = '']) => shownBy.startsWith(`**${answer}**`)).length,
    );
    const absentIds = absent.flatMap(([cell = '']) => idsIn(cell));
    const met = asvs.length - open - partly;
    expect(textOf('docs/asvs.md')).toContain(
      `Of ${asvs.length + absentIds.length} requirements, ${met} are met, ${partly} in part, ${open} are not, and ${absentIds.length} do not apply.`,
    );
  });
});

test('a renamed test, a file that is gone and a title without a file are noticed', () => {
  const file = '`test/attack/login.test.ts`';
  expect(faultsOf(`${file} "guessing", "enumeration"`)).toEqual([]);
  expect(faultsOf('`test/attack/token-rows.ts` `tokenRows`')).toEqual([]);
  expect(faultsOf(`${file} "guessin"`)).toHaveLength(1);
  expect(faultsOf('`test/attack/gone.test.ts` "x"')).toHaveLength(1);
  expect(faultsOf('`test/attack/token-rows.ts` `rows`')).toHaveLength(1);
  expect(faultsOf(file)).toHaveLength(1);
  expect(faultsOf('"the limit can be turned off"')).toHaveLength(1);
});
