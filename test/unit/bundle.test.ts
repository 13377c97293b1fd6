import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const dist = join(import.meta.dirname, '..', '..', 'dist');

const programs = globSync('*.js', { cwd: dist });

test('the bundle has programs, and files that they share', () => {
  for (const file of ['main-program.js', 'postern-program.js', 'shared-load.js'])
    expect(programs).toContain(file);
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
