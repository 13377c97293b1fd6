import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import { describe, expect, test } from 'vitest';
import { readUiFiles } from '../../src/api/ui/ui-files.ts';
import { languages } from '../../src/language/language.ts';
import { projectRoot } from '../support/start-gateway.ts';

const files = readUiFiles(join(projectRoot, 'dist', 'web'));
const of = (ending: string) =>
  [...(files?.assets ?? [])].filter(([path]) => path.includes('/screen-') && path.endsWith(ending));
const codeOf = ({ plain }: { readonly plain: Uint8Array }) => Buffer.from(plain).toString();

/** The oldest browsers of tablets and televisions that show a wall. */
const oldest = ['chrome80', 'safari13.1'];

/** @returns whether a script has syntax that these browsers cannot read: then lowering it changes it */
async function isTooNew(script: string): Promise<boolean> {
  const [lowered, same] = await Promise.all(
    [oldest, 'esnext'].map((target) => transformWithOxc(script, 'script.js', { target })),
  );
  return lowered?.code !== same?.code || /^await\b|;await /m.test(script);
}

/** What they do not have, by name. */
const newFunctions =
  /\.(?:at|replaceAll|findLast|findLastIndex|toSorted|toReversed|toSpliced|with)\(|Object\.(?:hasOwn|groupBy)\b|structuredClone|AbortSignal\.(?:timeout|any)|Promise\.(?:any|withResolvers)|URL\.(?:parse|canParse)|WeakRef|crypto\.randomUUID|\.replaceChildren\(/;
const newStyles =
  /light-dark\(|aspect-ratio|[;{]inset|[;{](?:row-|column-)?gap:|:(?:is|where|has|focus-visible)\b|\d(?:d|s|l)v[hw]\b|@(?:layer|container|property|starting-style)|oklch|color-mix|accent-color|text-wrap|\{[^{}@]*&|(?:margin|padding)-(?:inline|block)/;

describe('the wall', () => {
  test.each(of('.js').map(([path, asset]) => [path, codeOf(asset)] as const))(
    'run in old browsers: %s',
    async (_, code) => {
      expect(await isTooNew(code)).toBe(false);
      expect(code.match(newFunctions)?.[0]).toBeUndefined();
    },
  );

  test.each(of('.css').map(([path, asset]) => [path, codeOf(asset)] as const))(
    'look right in old browsers: %s',
    (_, style) => expect(style.match(newStyles)?.[0]).toBeUndefined(),
  );

  test('are noticed when they are too new', async () => {
    for (const script of ['a ??= b', 'class A { #b = 1 }', 'class A { static {} }', 'await a'])
      expect(await isTooNew(script), script).toBe(true);
    expect(await isTooNew('const a = b ? c : d;')).toBe(false);
    expect('a.at(-1)').toMatch(newFunctions);
    for (const style of [
      'a{inset:0}',
      'a{gap:1px}',
      'a:is(b){}',
      'a{height:100dvh}',
      'a{color:red;&:hover{}}',
    ])
      expect(style).toMatch(newStyles);
  });

  test.each(languages)('are at most 20 KB in %s, as browsers get them', (language) => {
    const page = files?.screens[language] ?? '';
    const asked = [...page.matchAll(/(?:src|href)="\.(\/postern\/assets\/screen-[^"]+)"/g)].map(
      ([, path]) => files?.assets.get(path ?? '')?.br?.length ?? Infinity,
    );
    expect(asked).toHaveLength(2);
    expect(asked.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(20_000);
    expect(page).toContain(`<html lang="${language}"`);
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });
});
