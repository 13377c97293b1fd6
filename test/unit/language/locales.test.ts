import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../src/errors.ts';
import { languages } from '../../../src/language/language.ts';
import { texts } from '../../../src/language/texts.ts';
import { reasons } from '../../../src/policy/reasons.ts';
import { textUses, usesIn, type Path } from './text-uses.ts';

type Tree = { readonly [key: string]: string | Tree };

const rules: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);
const isCounted = (value: string | Tree): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  typeof value['other'] === 'string' &&
  Object.keys(value).every((key) => rules.has(key));

/** Each text, and each that depends on a count, by its place. */
function entriesOf(tree: Tree, path: Path = []): ReadonlyArray<readonly [Path, string | Tree]> {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' || isCounted(value)
      ? [[[...path, key], value] as const]
      : entriesOf(value, [...path, key]),
  );
}

/** Names of the values that go into a text. Every text that depends on a count has that: `n`. */
function valuesOf(entry: string | Tree): readonly string[] {
  const all = typeof entry === 'string' ? [entry] : Object.values(entry).map(String);
  const names = all.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(typeof entry === 'string' ? names : [...names, 'n'])].sort();
}

const english = entriesOf(texts.en);
const at = new Map(english.map(([path, entry]) => [path.join('.'), entry]));
const uses = textUses();
const matches = (use: Path, path: Path) =>
  use.length <= path.length && use.every((name, index) => name === '*' || name === path[index]);
const isUsed = (path: Path) => uses.some((use) => matches(use.path, path));
const entriesAt = (use: Path) => english.filter(([path]) => path.length === use.length && matches(use, path));

describe.each(languages)('the texts in %s', (language) => {
  const entries = entriesOf(texts[language]);

  test('have the same keys as in English', () => {
    expect(entries.map(([path]) => path.join('.')).sort()).toEqual([...at.keys()].sort());
  });

  test('take the same values as in English', () => {
    const values = ([path, entry]: readonly [Path, string | Tree]) =>
      [path.join('.'), valuesOf(entry)] as const;
    expect(Object.fromEntries(entries.map(values))).toEqual(Object.fromEntries(english.map(values)));
  });

  test('have each form of a count that the language tells apart', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [path, entry] of entries)
      if (typeof entry === 'object')
        expect(Object.keys(entry).sort(), path.join('.')).toEqual(pluralCategories.toSorted());
  });

  test('use the words of people: Postern and its screens, with curly apostrophes', () => {
    const written = entries.flatMap(([path, entry]) =>
      (typeof entry === 'string' ? [entry] : Object.values(entry).map(String)).map(
        (text) => `${path.join('.')}: ${text.replaceAll(/`[^`]*`/g, '')}`,
      ),
    );
    expect(written.filter((line) => /: .*(\bgates?\b|\bdisplays?\b|\banzeige\b|')/i.test(line))).toEqual([]);
  });

  test('have no brace besides those of values', () => {
    for (const [path, entry] of entries)
      for (const text of typeof entry === 'string' ? [entry] : Object.values(entry).map(String))
        expect(text.replaceAll(/\{[a-z]\w*\}/gi, ''), path.join('.')).not.toMatch(/[{}]/);
  });
});

test('no text is unused', () => {
  expect(
    english
      .map(([path]) => path)
      .filter((path) => !isUsed(path))
      .map((path) => path.join('.')),
  ).toEqual([]);
});

// `tsc` finds a key that is missing.
test('every error and every reason has its texts', () => {
  expect(Object.keys(texts.en.errors)).toEqual(errorCodes);
  expect(Object.keys(texts.en.reasons.meanings)).toEqual(reasons);
  expect(Object.keys(texts.en.reasons.advices).sort()).toEqual(reasons.toSorted());
});

/** A key that is only known at run time gets what all texts there take. */
const valuesAt = (use: Path) => {
  const [first = [], ...others] = entriesAt(use).map(([, entry]) => valuesOf(entry));
  return first.filter((name) => name !== 'n' && others.every((names) => names.includes(name)));
};

test('every text gets all of its values', () => {
  const lacking = uses
    .filter(({ values, isShown }) => values !== undefined || isShown)
    .flatMap(({ file, path, values = [] }) =>
      valuesAt(path)
        .filter((name) => !values.includes(name))
        .map((name) => `${file}: ${path.join('.')} lacks ${name}`),
    );
  expect(lacking).toEqual([]);
});

test.each<[source: string, uses: readonly string[]]>([
  ['<p>{text.home.title}</p>', ['home.title shown']],
  ['fill(text.a.b, { user, n: 1 })', ['a.b', 'a.b user n']],
  ['plural(text.a.b, 3, { user })', ['a.b', 'a.b user']],
  ['const words = text.a; fill(is ? words.b : words.c, { d })', ['a.b', 'a.c', 'a.b d', 'a.c d']],
  ['const { b, c: { d } } = text.a; f(b, d)', ['a.b', 'a.c.d']],
  ['f(text.a[kind].says)', ['a.*.says']],
  ["f(text.a['b'])", ['a.b']],
  ['const t = texts[language].a; f(t.b, texts.en.c)', ['a.b', 'c']],
  ['f(context.text, { text: 1 })', []],
])('%s takes %j', (source, expected) => {
  const found = usesIn(
    'a.tsx',
    `import { text } from './text.ts'; import { texts } from './texts.ts'; ${source}`,
  );
  expect(
    found.map(({ path, values, isShown }) =>
      [path.join('.'), ...(values ?? []), ...(isShown ? ['shown'] : [])].join(' '),
    ),
  ).toEqual(expected);
});
