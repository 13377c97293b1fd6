import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { patience } from '../support/patience.ts';
import { freePort } from '../support/ports.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { projectRoot } from '../support/start-gateway.ts';

/* What the Supervisor does, without one: options, the add-on's folder, and requests of ingress. */

const prefix = '/api/hassio_ingress/kQ3nqkQ0d1VQxSqg5v0bPw8K7cJqv3m2Tn5hJt9xLw0';

/** The folder from which Home Assistant builds the image: the user of the image may read it, wherever the project is. */
const made = join(tmpdir(), `postern-add-on-folder-${process.pid}`);
const program = join(made, 'postern', 'program');
beforeAll(() => void execFileSync(join(projectRoot, 'script', 'add-on'), [made], { stdio: 'ignore' }));
afterAll(() => rmSync(made, { recursive: true }));

async function start(options: Record<string, unknown>, supervisor = '127.0.0.1', awaited = '"ready"') {
  const directory = mkdtempSync(join(tmpdir(), 'postern-add-on-'));
  const recorder = await startRecordingUpstream();
  const [ingressPort, gatePort, internalPort] = [await freePort(), await freePort(), await freePort()];
  writeFileSync(
    join(directory, 'options.json'),
    JSON.stringify({ upstream: `http://${recorder.address}`, database: '', users: [], ...options }),
    { mode: 0o600 },
  );
  // The machine of the tests has other programs at the add-on's ports.
  const listen = `networking:\n  listen:\n    authenticated: 127.0.0.1:${gatePort}\n    internal: 127.0.0.1:${internalPort}\n`;
  mkdirSync(join(directory, 'ingress'));
  for (const path of ['config.yml', 'ingress/config.yml'])
    writeFileSync(join(directory, path), `${listen}cameras: [yard]\n`);
  const child = spawn(process.execPath, [join(program, 'dist', 'add-on.js')], {
    cwd: program,
    env: {
      ...programEnvironment(),
      SERVICE_CONFIG_DIR: directory,
      SERVICE_OPTIONS_FILE: join(directory, 'options.json'),
      ADDON_SUPERVISOR: supervisor,
      ADDON_INGRESS_HOST: '127.0.0.1',
      ADDON_INGRESS_PORT: String(ingressPort),
      ADDON_GATE_PORT: String(gatePort),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
    await recorder.close();
    rmSync(directory, { recursive: true });
  });
  await vi.waitFor(() => expect(output).toContain(awaited), { timeout: patience, interval: 50 });
  return {
    directory,
    recorder,
    ingress: `127.0.0.1:${ingressPort}`,
    gate: `127.0.0.1:${gatePort}`,
    output: () => output,
    child,
  };
}

test('by default, Postern has accounts, and ingress says where', async () => {
  const { directory, ingress, output } = await start({
    ingress: false,
    admin_password: 'correct-horse-battery',
  });
  expect(readFileSync(join(directory, 'config.yml'), 'utf8')).toMatch(
    /cameras: \[ ?yard ?\]\nupstream: http:/,
  );
  expect(existsSync(join(directory, 'postern.db'))).toBe(true);
  expect(output()).not.toContain('correct-horse-battery');
  const page = await sendRaw(ingress, { uri: '/' });
  expect(page.status).toBe(200);
  expect(page.body).toContain(':8971/');
  // Files that root made are given to the user of the image.
  if (process.getuid?.() === 0) expect(statSync(join(directory, 'postern.db')).uid).toBe(1000);
});

/** Prints what a program of dist imports and as which user, and ends it at its second file. */
const importsShown = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (!context.parentURL?.includes('/dist/')) return next(specifier, context);
    console.log(specifier, process.getuid());
    return specifier === './add-on-program.js' ? next(specifier, context) : process.exit();
  },
});`)}`;

describe('what runs as root', () => {
  const isRoot = process.getuid?.() === 0;
  function begin() {
    const directory = mkdtempSync(join(tmpdir(), 'postern-add-on-root-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const [config, other, options] = ['config', 'other', 'options.json'].map((name) =>
      join(directory, name),
    ) as [string, string, string];
    mkdirSync(join(config, 'ingress'), { recursive: true });
    mkdirSync(other);
    for (const file of [options, join(config, 'ingress', 'config.yml'), join(other, 'file')])
      writeFileSync(file, '');
    symlinkSync(other, join(config, 'link'));
    const { stdout } = spawnSync(
      process.execPath,
      ['--import', importsShown, join(program, 'dist', 'add-on.js')],
      { env: { SERVICE_CONFIG_DIR: config, SERVICE_OPTIONS_FILE: options }, encoding: 'utf8' },
    );
    const ownerOf = (path: string) => statSync(join(directory, path)).uid;
    return { imported: stdout.trim().split('\n'), ownerOf };
  }

  test('is one file, and none of the gate', () => {
    const user = process.getuid?.();
    expect(begin().imported).toEqual([
      `./add-on-program.js ${user}`,
      `./add-on-gate.js ${isRoot ? 1000 : user}`,
    ]);
  });

  test.runIf(isRoot)('gives away the add-on’s files, and none to which a link leads', () => {
    const { ownerOf } = begin();
    const paths = ['options.json', 'config', 'config/ingress/config.yml', 'other', 'other/file'];
    expect(paths.map(ownerOf)).toEqual([1000, 1000, 1000, 0, 0]);
  });
});

test('with ingress, Home Assistant names the user, and Frigate learns its path', async () => {
  const users = [{ user: 'vera', role: 'viewer' }];
  const { directory, recorder, ingress } = await start({ ingress: true, users });
  const ask = (user: string, uri = '/') =>
    sendRaw(ingress, {
      uri,
      headers: [
        ['Host', 'home.example:8123'],
        ['X-Remote-User-Name', user],
        ['X-Ingress-Path', prefix],
        ['X-Forwarded-For', '192.168.1.7, 172.30.32.1'],
      ],
    });
  expect((await ask('vera')).status).toBe(200);
  const request = recorder.takeReached().find(({ uri }) => uri === '/');
  const said = (name: string) => headerValues(request?.rawHeaders ?? [], name);
  expect([said('remote-user'), said('remote-role'), said('x-ingress-path')]).toEqual([
    ['vera'],
    ['viewer'],
    [prefix],
  ]);
  expect((await ask('mallory')).status).toBe(403);
  expect(existsSync(join(directory, 'postern.db'))).toBe(false);
});

test('with ingress, no other add-on gets in', async () => {
  const { ingress, recorder } = await start(
    { ingress: true, users: [{ user: 'ada', role: 'admin' }] },
    '172.30.32.2',
  );
  const { status } = await sendRaw(ingress, { uri: '/', headers: [['X-Remote-User-Name', 'ada']] });
  expect(status, 'the connection is closed').toBe(0);
  expect(recorder.takeReached().filter(({ uri }) => uri === '/')).toEqual([]);
});

test('a configuration that is faulty ends the add-on', async () => {
  const users = [{ user: 'vera', role: 'gardener' }];
  const { child } = await start({ ingress: true, users }, '127.0.0.1', 'nothing was started');
  await vi.waitFor(() => expect(child.exitCode).toBe(78), { timeout: patience, interval: 50 });
});

test('the folder that the Supervisor builds has everything that the program reads', () => {
  const needed = [
    'dist/add-on.js',
    'dist/add-on-gate.js',
    'dist/health.js',
    'dist/web/page-scripts.json',
    'docs/openapi.json',
    'package.json',
  ];
  for (const file of needed) expect(existsSync(join(program, file)), file).toBe(true);
  const web = (root: string) =>
    readdirSync(join(root, 'dist', 'web'), { recursive: true, encoding: 'utf8' }).toSorted();
  expect(web(program)).toEqual(web(projectRoot).filter((name) => !name.endsWith('.map')));
});

test('the folder of a release names an image in place of what it would be built of', () => {
  const made = mkdtempSync(join(tmpdir(), 'postern-add-on-release-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  const image = 'ghcr.io/someone/postern-add-on';
  execFileSync(join(projectRoot, 'script', 'add-on'), ['--image', image, made], { stdio: 'ignore' });
  const config = parse(readFileSync(join(made, 'postern', 'config.yaml'), 'utf8')) as unknown;
  const own = parse(readFileSync(join(projectRoot, 'home-assistant/postern/config.yaml'), 'utf8')) as object;
  expect(config).toEqual({ ...own, image });
  expect(readdirSync(made)).toEqual(['postern', 'repository.yaml']);
  expect(readdirSync(join(made, 'postern'))).toEqual(['DOCS.md', 'README.md', 'config.yaml', 'translations']);
});
