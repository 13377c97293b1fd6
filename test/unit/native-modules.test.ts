import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledPackages } from '../../script/bundled-packages.ts';
import { projectRoot } from '../support/start-gateway.ts';

/* One archive runs on every processor: what runs has no native module. */

const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
const shipped = [...new Set(bundledPackages(projectRoot).map(({ name }) => name))];

test('the packages that run are known', () => expect(shipped.length).toBeGreaterThan(30));

test.each(shipped)('%s has no native module, and builds none when it is installed', (name) => {
  const cwd = join(projectRoot, 'node_modules', name);
  expect(globSync(['**/*.{node,wasm}', '**/binding.gyp'], { cwd, exclude: ['**/node_modules/**'] })).toEqual(
    [],
  );
  const { scripts = {} } = read(join('node_modules', name, 'package.json')) as {
    readonly scripts?: Readonly<Record<string, string>>;
  };
  expect(Object.keys(scripts).filter((script) => /^(?:pre|post)?install$/.test(script))).toEqual([]);
});

test('the bundle loads none', () => {
  expect(globSync('dist/**/*.{node,so,wasm}', { cwd: projectRoot })).toEqual([]);
  for (const file of globSync('dist/*.js', { cwd: projectRoot })) {
    const code = readFileSync(join(projectRoot, file), 'utf8');
    expect(code, file).not.toMatch(
      /process\.dlopen|node-gyp-build|require\(["']bindings["']\)|\.node["'`]\)/,
    );
  }
});
