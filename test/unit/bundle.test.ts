import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const dist = join(import.meta.dirname, '..', '..', 'dist');

const programs = globSync('*.js', { cwd: dist });

test('the bundle has programs, and files that they share', () => {
  for (const file of ['main-program.js', 'postern-program.js', 'shared-start.js'])
    expect(programs).toContain(file);
});

/** The files that a program reads when it starts. */
function filesAtStart(file: string, found = new Set<string>()): Set<string> {
  found.add(file);
  for (const [, next = ''] of readFileSync(join(dist, file), 'utf8').matchAll(/^import .*"\.\/(.+)";$/gm))
    if (!found.has(next)) filesAtStart(next, found);
  return found;
}

test('a start reads few files, and no package for what it may not need', () => {
  const files = [...filesAtStart('main-program.js')];
  expect(files.toSorted()).toEqual(['main-program.js', 'shared-rolldown-runtime.js', 'shared-start.js']);
  const sources = ['main-program.js', 'shared-start.js'].flatMap(
    (file) =>
      (JSON.parse(readFileSync(join(dist, `${file}.map`), 'utf8')) as { readonly sources: string[] }).sources,
  );
  expect(sources.some((source) => source.includes('/node_modules/hono/'))).toBe(true);
  const lazy =
    /\/node_modules\/(?:undici|ws|pg|nodemailer|openid-client|prom-client|web-push|otpauth|selfsigned|@simplewebauthn)\//;
  expect(sources.filter((source) => lazy.test(source))).toEqual([]);
});

test('the check of a container reads nothing of the gate', () => {
  expect([...filesAtStart('health-program.js')]).toEqual(['health-program.js']);
});

describe.each(programs)('%s', (file) => {
  const code = readFileSync(join(dist, file), 'utf8');

  test('is ASCII, of which V8 keeps one byte for each character', () => {
    expect(code.search(/[^\x00-\x7f]/)).toBe(-1);
  });

  test('does not read every name of node:http', () => {
    expect(code).not.toMatch(/from ["']node:http["']/);
  });

  test("loads Node's fetch with the first request", () => {
    expect(code).not.toContain('// node_modules/@hono/node-server');
  });

  test('has no comments of its sources', () => {
    expect(code).not.toMatch(/^ *\/\*\*/m);
  });
});
