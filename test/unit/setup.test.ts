import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../support/start-gateway.ts';

type Write = (path: string, text: string) => void;

/** A project with the setup of this one, and one package for development. Its directory has a space in its name. */
function project(): { root: string; write: Write } {
  const root = mkdtempSync(join(tmpdir(), 'postern setup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write: Write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  };
  // npm installs a package that is a directory as a link to it.
  const brings = (place: string, kind: string, name: string) => {
    const its = { [kind]: { [name]: `file:${name}` } };
    write(`${place}package.json`, JSON.stringify({ name: 'project', version: '1.0.0', ...its }));
    const packages = {
      '': { name: 'project', version: '1.0.0', ...its },
      [name]: { version: '1.0.0', dev: kind === 'devDependencies' },
      [`node_modules/${name}`]: { resolved: name, link: true },
    };
    write(
      `${place}package-lock.json`,
      JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, packages }),
    );
  };
  brings('', 'devDependencies', 'builder');
  write('builder/package.json', JSON.stringify({ name: 'builder', version: '1.0.0' }));
  brings('script/node/', 'dependencies', 'node-here');
  write('script/node/node-here/package.json', JSON.stringify({ name: 'node-here', version: '1.0.0' }));
  mkdirSync(join(root, 'script/node/node-here/bin'));
  symlinkSync(process.execPath, join(root, 'script/node/node-here/bin/node'));
  for (const file of ['src/main.ts', 'vite.config.ts']) write(file, '');
  write(
    'script/build.ts',
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('dist/built', 'again');\n",
  );
  write('dist/built', 'before');
  for (const file of ['setup', 'missing-packages.ts'])
    cpSync(join(projectRoot, 'script', file), join(root, 'script', file));
  return { root, write };
}

/** The programs of a machine with Node 18, whose npm writes down where it runs and under which Node. */
function oldMachine({ root, write }: { root: string; write: Write }) {
  write('machine/node', '#!/bin/sh\necho v18.20.4\n');
  write(
    'machine/npm',
    `#!/bin/sh
case $* in
  'config get cache') echo "\${CACHE:-$ROOT/cache}" ;;
  'config get globalconfig') echo /machine/npmrc ;;
  ci*)
    echo "\${PWD#"$ROOT"} $(node --version 2>&1 | sed 's/.*cannot open.*/does not start/') $npm_config_globalconfig" >>"$ROOT/log"
    mkdir -p node_modules/.bin
    case $PWD in */script/node) ln -sfn ../node-here node_modules/node-here ;; esac ;;
esac
`,
  );
  write('machine/sudo', '#!/bin/sh\nexec "$@"\n');
  const run = (environment: Record<string, string> = {}, command = 'node --version') =>
    spawnSync('bash', ['-c', `source '${root}/script/setup'; ${command}`], {
      cwd: '/',
      env: { PATH: `${root}/machine:/usr/bin:/bin`, ROOT: root, HOME: root, ...environment },
      encoding: 'utf8',
    });
  return { run, log: () => readFileSync(join(root, 'log'), 'utf8').trimEnd().split('\n') };
}

test.each([
  ['without any word in the environment', {}],
  ['as services have it', { NODE_ENV: 'production' }],
  ['where npm is told to leave them out', { npm_config_omit: 'dev' }],
  ['likewise, in the words of older releases of npm', { npm_config_production: 'true' }],
  ['where `cd` has a path of its own', { CDPATH: projectRoot }],
])('script/setup installs what the start needs, packages for development too, %s', (_, environment) => {
  const { root } = project();
  const run = spawnSync('bash', ['-c', 'source script/setup; ls -d node_modules/builder; command -v node'], {
    cwd: root,
    // npm 9 would pack the directory, and leave out the link to Node.
    env: { PATH: process.env['PATH'], HOME: root, npm_config_install_links: 'false', ...environment },
    encoding: 'utf8',
  });
  const found = run.stdout.trim().split('\n').slice(-2);
  expect([run.status, ...found], run.stderr).toEqual([
    0,
    'node_modules/builder',
    join(root, 'node_modules/.bin/node'),
  ]);
});

test('an older npm installs the pinned Node only, and everything else is installed under that', () => {
  const made = project();
  const { run, log } = oldMachine(made);
  const { status, stdout, stderr } = run();
  expect([status, stdout.trim().split('\n').at(-1)], stderr).toEqual([0, process.version]);
  expect(log()).toEqual([`/script/node v18.20.4 /machine/npmrc`, ` ${process.version} /machine/npmrc`]);
  // As the units of docs/systemd start it.
  const found = spawnSync(join(made.root, 'node_modules/node/bin/node'), ['--version'], { encoding: 'utf8' });
  expect(found.stdout.trim()).toBe(process.version);
});

test('what is installed already is not installed again, and what was interrupted is', () => {
  const made = project();
  const { run, log } = oldMachine(made);
  expect([run().status, run().status, log().length]).toEqual([0, 0, 2]);
  rmSync(join(made.root, 'node_modules/.installed-lock'));
  expect([run().status, log().length]).toEqual([0, 4]);
});

test('of two scripts that are started at once, one installs', () => {
  const { run, log } = oldMachine(project());
  const again = '(source script/setup) &';
  const both = run({}, `rm node_modules/.installed-lock; ${again} ${again} wait -n && wait -n`);
  expect([both.status, log().length], both.stderr).toEqual([0, 4]);
});

/** A Node that does not start before Debian's package is there. */
const withoutLibrary = `#!/bin/sh
[ -e "$ROOT/libatomic1" ] && exec '${process.execPath}' "$@"
echo 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file' >&2
exit 127
`;

test('the library that a small Debian lacks is installed', () => {
  const made = project();
  const { run, log } = oldMachine(made);
  rmSync(join(made.root, 'script/node/node-here/bin/node'));
  made.write('script/node/node-here/bin/node', withoutLibrary);
  made.write(
    'machine/apt-get',
    '#!/bin/sh\nfor last; do :; done; [ "$1" != install ] || touch "$ROOT/$last"\n',
  );
  const { status, stdout, stderr } = run();
  expect([status, stdout.trim().split('\n').at(-1)], stderr).toEqual([0, process.version]);
  expect(log()[1]).toBe(` ${process.version} /machine/npmrc`);
});

test.each([
  ['without root', "#!/bin/sh\necho 'sudo: a password is required' >&2; exit 1\n", '#!/bin/sh\n'],
  ['where the package cannot be had', '#!/bin/sh\nexec "$@"\n', '#!/bin/sh\n[ "$1" != install ]\n'],
])('the library is named with its command %s', (_, sudo, aptGet) => {
  const made = project();
  const { run } = oldMachine(made);
  rmSync(join(made.root, 'script/node/node-here/bin/node'));
  made.write('script/node/node-here/bin/node', withoutLibrary);
  made.write('machine/sudo', sudo);
  made.write('machine/apt-get', aptGet);
  made.write('machine/id', '#!/bin/sh\necho 1000\n');
  const { status, stderr } = run();
  expect([status, stderr]).toEqual([1, expect.stringContaining('as root: apt-get install libatomic1')]);
  expect(existsSync(join(made.root, 'node_modules/.installed-lock'))).toBe(false);
});

test('a machine that no pinned Node is made for uses its own, when that is new enough', () => {
  const made = project();
  const { run, log } = oldMachine(made);
  rmSync(join(made.root, 'script/node/node-here/bin/node'));
  const older = run();
  expect([older.status, older.stderr]).toEqual([
    1,
    expect.stringContaining('Postern needs Node 26 or newer, and'),
  ]);
  expect(older.stderr).toContain('says: v18.20.4');
  made.write('machine/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  const { status, stderr } = run();
  expect([status, log().at(-1)], stderr).toEqual([0, ` ${process.version} /machine/npmrc`]);
});

test('a package for this machine that npm left out is named, and the next start installs again', () => {
  const made = project();
  const { run, log } = oldMachine(made);
  const lock = JSON.parse(readFileSync(join(made.root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  const { platform, arch } = process;
  lock.packages['node_modules/@native/ours'] = { optional: true, os: [platform], cpu: [arch] };
  lock.packages['node_modules/@native/foreign'] = { optional: true, os: ['aix'], cpu: [arch] };
  lock.packages['node_modules/@native/wasm'] = { optional: true, cpu: ['wasm32'] };
  lock.packages['node_modules/@native/needed-by-wasm'] = { optional: true };
  made.write('package-lock.json', JSON.stringify(lock));
  const { status, stderr } = run();
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm did not install @native/ours.\n')]);
  run();
  expect(log()).toHaveLength(4);
});

test('npm gets a cache of its own where its usual one cannot be written', () => {
  const made = project();
  const { run } = oldMachine(made);
  made.write(
    'machine/npm',
    `${readFileSync(join(made.root, 'machine/npm'), 'utf8')}\necho "$npm_config_cache" >>"$ROOT/caches"\n`,
  );
  expect(run({ CACHE: '/dev/null/cache' }).status).toBe(0);
  const caches = readFileSync(join(made.root, 'caches'), 'utf8').trim().split('\n');
  expect(caches).toEqual([expect.stringMatching(/^\/tmp\//), caches[0]]);
  expect(existsSync(caches[0] ?? '')).toBe(false);
});

test('the packages of script/node are the Node that package.json pins', () => {
  const read = (path: string) =>
    JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as Record<string, Record<string, string>>;
  const versions = Object.values(read('script/node/package.json')['optionalDependencies'] ?? {});
  expect(new Set(versions)).toEqual(new Set([read('package.json')['devDependencies']?.['node']]));
});

test.each<[what: string, change: (root: string) => void, built: string]>([
  ['nothing is newer than the last build', () => undefined, 'before'],
  ['a source is', (root) => utimesSync(join(root, 'src/main.ts'), 20, 20), 'again'],
  ['the lock file is', (root) => utimesSync(join(root, 'package-lock.json'), 20, 20), 'again'],
  ['nothing was built', (root) => rmSync(join(root, 'dist/built')), 'again'],
])('script/setup when %s', (_, change, built) => {
  const { root } = project();
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  cpSync(join(root, 'package-lock.json'), join(root, 'node_modules/.installed-lock'));
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' });
  for (const file of all) lutimesSync(join(root, file), 10, 10);
  change(root);
  const run = spawnSync('bash', ['-c', 'source script/setup; cat dist/built'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([run.status, run.stdout], run.stderr).toEqual([0, built]);
});
