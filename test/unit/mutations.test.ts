import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { equivalents } from '../../script/mutation/equivalents.ts';
import { mutate, mutationsOf } from '../../script/mutation/mutations.ts';
import { TestsOf } from '../../script/mutation/tests-of.ts';
import { projectRoot } from '../support/start-gateway.ts';

test.each<[source: string, mutants: readonly string[]]>([
  ['x = a < b;', [';', 'x = a <= b;', 'x = a >= b;']],
  [
    'if (a === 1) f();',
    ['if (true) f();', 'if (false) f();', 'if (a !== 1) f();', 'if (a === 2) f();', 'if (a === 1) ;'],
  ],
  ['const x = a && b;', ['const x = a;', 'const x = b;']],
  ['const x = a ?? b;', ['const x = b;']],
  ['const x = !(a || b);', ['const x = (a || b);', 'const x = !(a);', 'const x = !(b);']],
  ['const x = a ? b : c;', ['const x = b;', 'const x = c;']],
  ['const x = Math.max(a, b);', ['const x = Math.min(a, b);']],
  ['const x = all.some(f);', ['const x = all.every(f);']],
  ['const x = all.filter(f);', ['const x = all;']],
  ['const x = () => f(a);', ['const x = () => (undefined);']],
  ['const f = () => { return g(); };', ['const f = () => { return undefined; };']],
  ['const f = () => { throw e; };', ['const f = () => { ; };']],
  ["const x = ['a', 'b'];", ["const x = ['b'];", "const x = ['a'];"]],
  ['const x = [-1];', ['const x = [];', 'const x = [-2];']],
  ['const x = { ...a, b };', ['const x = { ...{}, b };']],
  ['const x = [...a, b];', ['const x = [...[], b];']],
  ['const x = /^a$/u.test(b);', ['const x = /a$/u.test(b);', 'const x = /^a/u.test(b);']],
  ['const x: 1 | true = a;', []],
  ["const x = 'a' + b + `c`;", []],
  ['const x = 300;', []],
  ['const x = toString();', []],
  ['const x = a.toString();', []],
  ['const x = a.toSorted((one, other) => one - other);', ['const x = a;']],
])('%s', (source, mutants) => {
  const found = mutationsOf('a.ts', source).map((mutation) => mutate(source, mutation));
  expect(found.toSorted()).toEqual(mutants.toSorted());
});

test('a mutation has its place, and the changed line', () => {
  const source = 'const a = 1;\nconst b =\n  x &&\n  y;\nconst c = 2;\n';
  expect(mutationsOf('a.ts', source).map(({ line, was, becomes }) => [line, was, becomes])).toContainEqual([
    3,
    'x &&',
    'y;',
  ]);
});

test('each mutation of our own is TypeScript', () => {
  const files = globSync('src/{policy,sign-on}/*.ts', { cwd: projectRoot }).slice(0, 12);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const source = readFileSync(join(projectRoot, file), 'utf8');
    for (const mutation of mutationsOf(file, source)) {
      const { errors } = parseSync(file, mutate(source, mutation));
      expect(errors, `${file}:${mutation.line} ${mutation.becomes}`).toEqual([]);
    }
  }
});

test('the tests of a file are those that import it, and those that use it on their way', () => {
  const testsOf = new TestsOf(projectRoot);
  const { near, far } = testsOf.find('src/access/creator.ts');
  expect(near).toContain('test/unit/access/creator.test.ts');
  expect(far).toContain('test/unit/features/shares/strategy.test.ts');
  expect(far).not.toContain('test/unit/access/creator.test.ts');
  expect(testsOf.find('src/web/site.tsx')).toEqual({ near: [], far: [] });
  expect(testsOf.find('src/features/shares/command.ts').near).toEqual([
    'test/unit/features/shares/command.test.ts',
  ]);
});

test('each listed equivalent is a mutation of its file, and has a reason', () => {
  for (const { file, was, becomes, because } of equivalents) {
    const mutations = mutationsOf(file, readFileSync(join(projectRoot, file), 'utf8'));
    expect(mutations.map((one) => `${one.was} -> ${one.becomes}`)).toContain(`${was} -> ${becomes}`);
    expect(because.length).toBeGreaterThan(20);
  }
});

test('every folder that is mutated exists', () => {
  const listed = /const deciding = \[([^\]]*)\]/.exec(
    readFileSync(join(projectRoot, 'script/mutate.ts'), 'utf8'),
  );
  const names = [...(listed?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, name]) => join('src', name ?? ''));
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => globSync(name, { cwd: projectRoot }).length === 0)).toEqual([]);
});
