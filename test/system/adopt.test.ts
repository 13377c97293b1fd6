import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { postern, type CommandEnd } from '../support/postern-command.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { guideCameras, startRecorder, type Recorder } from '../support/start-recorder.ts';
import { sendRaw } from '../support/raw-http.ts';
import { rolesAreVerified } from '../support/verified-roles.ts';

const roles = { operator: ['garage', 'driveway'] };
const original = `version: 0.17-0
mqtt: { host: mqtt.test, password: hunter2 } # of the broker
cameras:
${guideCameras.map((camera) => `  ${camera}: { ffmpeg: { inputs: [{ path: 'rtsp://u:topsecret@10.0.0.5/${camera}' }] } }`).join('\n')}
auth:
  roles: ${JSON.stringify(roles)}
`;

let root: string;
let frigate: string;
let own: string;
let recorder: Recorder;
let gateway: RunningGateway;
let first: CommandEnd;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'postern-adopt-'));
  [frigate, own] = [join(root, 'frigate'), join(root, 'postern')];
  mkdirSync(frigate);
  writeFileSync(join(frigate, 'config.yml'), original);
  copyFileSync(join(projectRoot, 'test', 'support', 'recorder.db'), join(frigate, 'frigate.db'));
  recorder = await startRecorder(guideCameras, roles);
  first = await adopt('--yes', '--write-frigate', '--upstream', `http://${recorder.address}`);
  appendFileSync(
    join(own, 'config.yml'),
    stringify({
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: 'off' },
        forward_auth: { internal: `unix:${own}/internal.sock` },
      },
    }),
  );
  gateway = await startGateway({ directory: own, keepConfig: true });
  await rolesAreVerified(gateway);
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
  rmSync(root, { recursive: true });
});

const adopt = (...args: readonly string[]) => postern(own, ['adopt', frigate, ...args]);
const textOf = (path: string) => readFileSync(path, 'utf8');
const filesIn = (directory: string) =>
  readdirSync(directory).map((name) => [name, name.endsWith('.yml') ? textOf(join(directory, name)) : '']);

test('says in words what it found and did, without a secret', () => {
  expect(first).toMatchObject({ status: 0, errors: '' });
  for (const words of [
    'Frigate 0.17 in ',
    `cameras  ${guideCameras.join(', ')}`,
    'users    admin (admin), alice (viewer), ghost.user (no_such_role), olaf (operator)',
    'imported olaf as operator',
    'not import ghost.user: the role no_such_role is not defined here',
    '+   auth_secret: ***',
    ':/usr/local/nginx/conf/proxy_trusted_headers.conf:ro',
    'adopt --check https://localhost:8971',
  ])
    expect(first.output).toContain(words);
  const secret = /auth_secret: (\S+)/.exec(textOf(join(own, 'config.yml')))?.[1] ?? '';
  expect(secret).toMatch(/^[\w-]{43}$/);
  for (const hidden of [secret, 'hunter2', 'topsecret', 'pbkdf2']) expect(first.output).not.toContain(hidden);
});

test('editors check the new configuration by the schema beside it', () => {
  expect(textOf(join(own, 'config.yml'))).toMatch(/^# yaml-language-server: \$schema=config\.schema\.json\n/);
  expect(textOf(join(own, 'config.schema.json'))).toBe(textOf(join(projectRoot, 'docs/config.schema.json')));
});

test('an imported user signs in with the old password, sees the cameras of the role, and Frigate gets the secret', async () => {
  const address = gateway.addresses.authenticated ?? '';
  const signedIn = await sendRaw(
    address,
    {
      method: 'POST',
      uri: '/api/login',
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ user: 'olaf', password: 'olaf-opens-garage' }),
    },
    true,
  );
  expect(JSON.parse(signedIn.body)).toEqual({
    username: 'olaf',
    role: 'operator',
    allowed_cameras: ['driveway', 'garage'],
  });
  const [cookie = ''] =
    /frigate_token=[^;]+/.exec(signedIn.headers.get('set-cookie')?.join('\n') ?? '') ?? [];
  recorder.takeReached();
  const page = await sendRaw(address, { uri: '/', headers: [['Cookie', cookie]] }, true);
  expect(page.status).toBe(200);
  const secret = /auth_secret: (\S+)/.exec(textOf(join(frigate, 'config.yml')))?.[1];
  const reached = recorder.takeReached().find(({ uri }) => uri === '/');
  const sent = new Map(reached?.rawHeaders.map((name, at, all) => [name.toLowerCase(), all[at + 1]]));
  expect(['remote-user', 'remote-role', 'x-proxy-secret'].map((name) => sent.get(name))).toEqual([
    'olaf',
    'operator',
    secret,
  ]);
});

test('the check from outside finds the cameras of each role', async () => {
  const port = gateway.addresses.authenticated?.split(':').at(-1);
  const { status, output, errors } = await postern(own, ['adopt', '--check', `https://localhost:${port}`]);
  expect({ status, errors, lines: output.trim().split('\n').toSorted() }).toEqual({
    status: 0,
    errors: '',
    lines: [
      `ok     admin (admin): Frigate's page, with ${guideCameras.join(', ')}`,
      `ok     alice (viewer): Frigate's page, with ${guideCameras.join(', ')}`,
      "ok     olaf (operator): Frigate's page, with garage, driveway",
    ],
  });
  const none = await postern(own, ['adopt', '--check', 'https://localhost:1']);
  expect(none).toMatchObject({
    status: 1,
    output: expect.stringContaining('cannot be asked (ECONNREFUSED)'),
  });
});

type Answer = Parameters<typeof createServer>[1] & {};
const refuses: Answer = (_, response) => response.writeHead(401).end();
/** As with Frigate's own list of headers, which has no role. */
const readsNoRole: Answer = ({ url, headers }, response) =>
  response.end(
    JSON.stringify(
      url === '/api/profile'
        ? { username: headers['remote-user'], role: 'closed', allowed_cameras: [] }
        : { cameras: { garage: {} } },
    ),
  );

test.each<[mistake: string, answer: Answer, isTls: boolean, edit: [from: string, to: string], says: string]>([
  ['Frigate was not restarted', refuses, true, ['', ''], 'restart Frigate'],
  ['Frigate was not restarted, and has no TLS', refuses, false, ['', ''], 'restart Frigate'],
  [
    'another secret',
    refuses,
    false,
    ['auth_secret: ', 'auth_secret: x'],
    'Frigate has another secret than Postern',
  ],
  ['TLS still on', refuses, true, ['enabled: false # TLS', 'enabled: true'], 'set tls.enabled: false in '],
  [
    'the list of headers is not mounted',
    readsNoRole,
    false,
    ['', ''],
    'postern_trusted_headers.conf at /usr/local',
  ],
])('the check blames the right one once: %s', async (_, answer, isTls, [from, to], says) => {
  const certificate = isTls ? await selfSignedCertificate(root, Date.now()) : undefined;
  const server = certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const place = mkdtempSync(join(root, 'mistake-'));
  cpSync(own, place, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const file = join(place, 'config.yml');
  writeFileSync(file, textOf(file).replace(/^upstream: .*$/m, `upstream: http://127.0.0.1:${port}`));
  const ofFrigate = join(frigate, 'config.yml');
  const text = textOf(ofFrigate);
  const marked = text.replace(/(tls:\s+enabled: false)/, '$1 # TLS');
  expect(marked).toContain(from);
  writeFileSync(ofFrigate, marked.replace(from, to));
  try {
    const outside = gateway.addresses.authenticated?.split(':').at(-1);
    const { status, output } = await postern(place, ['adopt', '--check', `https://localhost:${outside}`]);
    expect({ status, lines: output.trim().split('\n') }).toEqual({
      status: 1,
      lines: [expect.stringMatching(/^FAULT  Frigate /) as string],
    });
    expect(output).toContain(says);
  } finally {
    writeFileSync(ofFrigate, text);
    server.close();
    server.closeAllConnections();
  }
});

test('a second run changes nothing, and says so', async () => {
  const before = [filesIn(frigate), filesIn(own)];
  const second = await adopt('--yes', '--write-frigate');
  expect(second).toMatchObject({ status: 0, errors: '' });
  for (const words of ['8971 lets in only Postern;', 'Nothing to do']) expect(second.output).toContain(words);
  expect([filesIn(frigate), filesIn(own)]).toEqual(before);
});

test('a run looks from outside by itself, unless Frigate and Postern have to start again first', async () => {
  const file = join(own, 'config.yml');
  const before = textOf(file);
  const port = gateway.addresses.authenticated?.split(':').at(-1);
  writeFileSync(file, before.replace('127.0.0.1:0', `127.0.0.1:${port}`));
  const unchanged = await adopt('--yes', '--write-frigate');
  expect(unchanged.output).toMatch(/Nothing to do[^]*From outside[^]*ok     olaf/);
  rmSync(join(frigate, 'postern_trusted_headers.conf'));
  const changed = await adopt('--yes', '--write-frigate');
  expect(changed).toMatchObject({ status: 0, errors: '' });
  expect(changed.output).toContain('stop and start Postern');
  expect(changed.output).not.toContain('From outside');
  writeFileSync(file, before);
});

test('without --yes or a terminal it only says what it would do', async () => {
  const place = join(root, 'other');
  const { status, output, errors } = await postern(place, ['adopt', frigate]);
  expect(status).toBe(1);
  expect(output).toContain('import olaf as operator');
  expect(errors).toContain('add --yes');
  expect(readdirSync(root)).not.toContain('other');
});

test('an undo deletes the list of changes that a killed run had only begun to write', async () => {
  const place = join(root, 'killed');
  mkdirSync(place);
  writeFileSync(join(place, '.adopted.json.new'), '{"frig');
  const { status, output } = await postern(place, ['adopt', '--undo']);
  expect({ status, output, left: readdirSync(place) }).toMatchObject({
    status: 0,
    output: expect.stringContaining('Nothing to undo'),
    left: [],
  });
});

test("Postern's own directory is not Frigate's", async () => {
  const { status, errors } = await postern(own, ['adopt', own]);
  expect(status).toBe(1);
  expect(errors).toContain("is Postern's own configuration directory");
});

test('puts everything back', async () => {
  const { status, output } = await postern(own, ['adopt', '--undo']);
  expect(status).toBe(0);
  expect(output).toContain('removed olaf, as imported');
  expect(textOf(join(frigate, 'config.yml'))).toBe(original);
  expect(readdirSync(frigate)).toEqual(['config.yml', 'frigate.db']);
  expect(await postern(own, ['users', 'list'])).toMatchObject({ status: 0, output: '' });
});
