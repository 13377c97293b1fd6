import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../support/start-gateway.ts';

/** A project with the setup of this one, whose one package for development brings a program. */
function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'postern-setup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  };
  const builder = { name: 'builder', version: '1.0.0', bin: { builder: 'builder.js' } };
  write('builder/package.json', JSON.stringify(builder));
  write('builder/builder.js', '#!/usr/bin/env node\n');
  const devDependencies = { builder: 'file:builder' };
  write('package.json', JSON.stringify({ name: 'project', version: '1.0.0', devDependencies }));
  write(
    'package-lock.json',
    JSON.stringify({
      name: 'project',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'project', version: '1.0.0', devDependencies },
        builder: { version: '1.0.0', dev: true, bin: { builder: 'builder.js' } },
        'node_modules/builder': { resolved: 'builder', link: true },
      },
    }),
  );
  for (const file of ['src/main.ts', 'vite.config.ts']) write(file, '');
  write(
    'script/build.ts',
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('dist/built', 'again');\n",
  );
  write('dist/built', 'before');
  cpSync(join(projectRoot, 'script', 'setup'), join(root, 'script', 'setup'));
  return root;
}

test.each([
  ['without any word in the environment', {}],
  ['as services have it', { NODE_ENV: 'production' }],
  ['where npm is told to leave them out', { npm_config_omit: 'dev' }],
  ['likewise, in the words of older releases of npm', { npm_config_production: 'true' }],
])('script/setup installs what the start needs, packages for development too, %s', (_, environment) => {
  const root = project();
  const run = spawnSync('bash', ['-c', 'source script/setup; command -v builder'], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: root, ...environment },
    encoding: 'utf8',
  });
  const found = run.stdout.trim().split('\n').at(-1);
  expect([run.status, found], run.stderr).toEqual([0, join(root, 'node_modules/.bin/builder')]);
});

test.each<[what: string, change: (root: string) => void, built: string]>([
  ['nothing is newer than the last build', () => undefined, 'before'],
  ['a source is', (root) => utimesSync(join(root, 'src/main.ts'), 20, 20), 'again'],
  ['the lock file is', (root) => utimesSync(join(root, 'package-lock.json'), 20, 20), 'again'],
  ['nothing was built', (root) => rmSync(join(root, 'dist/built')), 'again'],
])('script/setup when %s', (_, change, built) => {
  const root = project();
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  cpSync(join(root, 'package-lock.json'), join(root, 'node_modules/.installed-lock'));
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  for (const file of globSync(['src/*', 'script/*', 'dist/*', '*.*'], { cwd: root }))
    utimesSync(join(root, file), 10, 10);
  for (const directory of ['src', 'script']) utimesSync(join(root, directory), 10, 10);
  change(root);
  const run = spawnSync('bash', ['-c', 'source script/setup; cat dist/built'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([run.status, run.stdout], run.stderr).toEqual([0, built]);
});
