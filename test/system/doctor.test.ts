import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { doctorCommand, type Terminal } from '../../src/cli/doctor-command.ts';
import { frontChecks } from '../../src/api/doctor/examine.ts';
import { brokenFronts, healthySignOn, type GatewayKind, type Whereabouts } from '../support/broken-fronts.ts';
import { startFrigatePort, type FrigatePort } from '../support/frigate-ports.ts';
import { adminOf, goodPassword } from '../support/log-in.ts';
import { runCommand, type CommandEnd } from '../support/postern-command.ts';
import { runCommand as runHere } from '../support/postern-here.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { rolesAreVerified, rolesOf } from '../support/verified-roles.ts';
import { startNginxFor, type NginxOptions, type RunningNginx } from '../support/start-nginx.ts';

/** A store that several gates share has tests of its own, beside those of the command. */
const probesOfFiles = frontChecks.map(({ name }) => name).filter((name) => name !== 'store');

interface Row {
  readonly result: string;
  readonly probe: string;
}

const doctor = (args: readonly string[], input = '') => runCommand(['doctor', ...args], { input });

/** The same in this process: a new one takes longer than the examination. */
async function doctorHere(args: readonly string[]): Promise<CommandEnd> {
  const said = { status: null as number | null, output: '', errors: '' };
  const terminal: Terminal = {
    readSecret: () => Promise.resolve(goodPassword),
    print: (text) => void (said.output += text),
    complain: (text) => void (said.errors += text),
    end: (status) => void (said.status = status),
  };
  const command = doctorCommand({ environment: {}, root: projectRoot }, terminal);
  await command.parseAsync(args, { from: 'user' });
  return said;
}

/** Names of the probes that found a fault. */
function faultsIn({ output }: CommandEnd): readonly string[] {
  return [...new Set([...output.matchAll(/^FAULT +(\S+)/gm)].map(([, name = '']) => name))];
}

const asUser = (name: string) => ['--user', name, '--password-stdin', '--camera', 'garage'];

const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
const roles = { family: ['front_door', 'driveway'] };
const headerMap = { header_map: { user: 'Remote-User', role: 'Remote-Groups' } };
const withSecret = { ...headerMap, auth_secret: 'only-for-this-test' };
/** The embedded front, and no other that could ask. */
const alone = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
const configs: Readonly<Record<GatewayKind, Record<string, unknown>>> = {
  sessions: {},
  'short sessions': { auth: { roles, session_length: 16, refresh_time: 8 } },
  'proxy headers': { auth: { enabled: false, roles }, proxy: headerMap },
  'signed on': { auth: { enabled: false, roles }, proxy: { ...headerMap, default_role: 'viewer' } },
  // As docs/access.md has it: the recorder's own UI reads it.
  'open configuration': {},
  'no recorder': { upstream: 'http://127.0.0.1:1' },
  // To the recorder the role has one camera more.
  'another role': { auth: { roles: { family: ['front_door'] } } },
  'on TCP': {
    networking: {
      listen: { authenticated: 'off', internal: 'off' },
      forward_auth: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
      relay: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
    },
    events: { listen: '127.0.0.1:0' },
  },
};

let directory: string;
let upstream: RecordingUpstream;
let frigate: FrigatePort;
const gateways = new Map<GatewayKind, RunningGateway>();
const closing: Array<() => Promise<void>> = [];

/** A gateway with the user olaf, whose role is limited, the viewer vera, and the admin ada. */
async function start(config: Record<string, unknown>): Promise<RunningGateway> {
  const gateway = await startGateway({
    config: { cameras, auth: { roles }, upstream: `http://${upstream.address}`, ...config },
  });
  closing.push(gateway.close);
  const { auth = { roles } } = config as { readonly auth?: { readonly roles: unknown } };
  if (auth.roles === roles && !('upstream' in config)) await rolesAreVerified(gateway);
  const { authenticated } = gateway.addresses;
  if (authenticated === undefined || 'proxy' in config) return gateway;
  const admin = await adminOf(gateway);
  for (const [username, role] of [
    ['olaf', 'family'],
    ['vera', 'viewer'],
    ['ada', 'admin'],
  ]) {
    await admin.send('POST', '/api/users', { username, password: goodPassword, role });
  }
  return gateway;
}

/** Ends with the test, however that ends. */
async function nginxOf(
  gateway: RunningGateway,
  options: Partial<NginxOptions> = {},
): Promise<RunningNginx & AsyncDisposable> {
  const nginx = await startNginxFor(gateway, { recorder: upstream.address, ...options });
  return { ...nginx, [Symbol.asyncDispose]: nginx.close };
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'postern-doctor-'));
  upstream = await startRecordingUpstream(rolesOf({ cameras, auth: { roles } }));
  closing.push(upstream.close);
  frigate = await startFrigatePort('openFrigate', directory);
  closing.push(async () => await frigate[Symbol.asyncDispose]());
  for (const kind of Object.keys(configs) as GatewayKind[]) gateways.set(kind, await start(configs[kind]));
  // One events app for all: the roles are the same.
  upstream.passEventsTo(gatewayOf().addresses.events ?? '');
});
afterAll(async () => {
  for (const step of closing.toReversed()) await step();
  rmSync(directory, { recursive: true, force: true });
});

function gatewayOf(kind: GatewayKind = 'sessions'): RunningGateway {
  const gateway = gateways.get(kind);
  if (gateway === undefined) throw new Error(`${kind} is not started`);
  return gateway;
}

// Each waits for others most of the time; more at once would let sessions of seconds end too early.
vi.setConfig({ maxConcurrency: 3 });

describe.concurrent('no fault is found in', () => {
  const everything = ['--insecure', '--login-probe', '--gate', '127.0.0.1:1', '--events', '127.0.0.1:1'];
  const rest = ['--internal', '127.0.0.1:1', '--http', '127.0.0.1:1', ...asUser('olaf')];

  test.each(['nginx', 'the embedded front'])('%s', async (front) => {
    const gateway = await start(configs.sessions);
    await using nginx = await nginxOf(gateway);
    const { authenticated = '' } = gateway.addresses;
    const address = front === 'nginx' ? nginx.authenticated : authenticated;
    const config = join(gateway.directory, 'config.yml');
    // Postern's own ports are no port of Frigate.
    const own = [nginx.authenticated, authenticated].flatMap((each) => ['--recorder', each]);
    const args = ['--url', `https://${address}`, ...everything, ...rest, ...own, '--config', config];
    const { status, output, errors } = await doctor(args, `${goodPassword}\n`);
    expect({ status, errors, output }).toEqual({
      status: 0,
      errors: '',
      output: expect.stringContaining('no fault') as string,
    });
    // No proxy signs users on here; a test of its own has one.
    const probes = probesOfFiles.filter((name) => name !== 'proxy-headers');
    for (const name of probes) expect(output).toMatch(new RegExp(`^ok +${name} `, 'm'));
  });

  test('nginx with the pages of the UI', async () => {
    const events = `unix:${directory}/events.sock`;
    const gateway = await start({ upstream: events, events: { listen: events } });
    const recorder = gateway.addresses.events ?? '';
    await using nginx = await nginxOf(gateway, { sharedPages: true, recorder });
    const said = await doctorHere([
      '--url',
      `https://${nginx.authenticated}`,
      '--insecure',
      ...asUser('olaf'),
    ]);
    expect([said.status, faultsIn(said), said.errors], said.output).toEqual([0, [], '']);
  });

  test.each<[name: string, config: Record<string, unknown>, path: string, user: readonly string[]]>([
    [
      'below a path',
      { base_path: '/cameras', upstream: undefined, networking: alone },
      '/cameras/',
      asUser('vera'),
    ],
    ['behind a proxy that has a secret', { ...configs['proxy headers'], proxy: withSecret }, '', []],
  ])('the embedded front %s', async (_, config, path, user) => {
    const { addresses } = await start(config);
    const said = await doctorHere([
      '--url',
      `https://${addresses.authenticated}${path}`,
      '--insecure',
      ...user,
    ]);
    expect([said.status, faultsIn(said), said.errors], said.output).toEqual([0, [], '']);
  });

  test('nginx, where a rule of the operator opens /api/config', async () => {
    const gateway = gatewayOf('open configuration');
    await using nginx = await nginxOf(gateway);
    const said = await doctorHere([
      '--url',
      `https://${nginx.authenticated}`,
      '--insecure',
      ...asUser('olaf'),
    ]);
    expect([said.status, faultsIn(said), said.errors], said.output).toEqual([0, [], '']);
    expect(said.output).toMatch(/^ok +traversal +GET \/api\/config with the session .*masked$/m);
  });

  test('nginx, where a proxy signs users on and sets their role', async () => {
    await using nginx = await nginxOf(gatewayOf('signed on'), { changes: healthySignOn });
    const said = await doctorHere([
      '--url',
      `https://${nginx.authenticated}`,
      '--insecure',
      '--cookie',
      'sso=1',
    ]);
    expect([said.status, faultsIn(said), said.errors], said.output).toEqual([0, [], '']);
    expect(said.output).toMatch(/^ok +proxy-headers /m);
    expect(said.output).not.toContain('sso=1');
  });

  test('nginx, asked by a bearer token, which stays valid', async () => {
    const gateway = gatewayOf();
    await using nginx = await nginxOf(gateway);
    const { token = '', send } = await adminOf(gateway);
    const args = ['--url', `https://${nginx.authenticated}`, '--insecure', '--token', '-'];
    const { status, output, errors } = await doctor(args, token);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).not.toContain(token);
    expect((await send('GET', '/api/profile')).status).toBe(200);
  });
});

const found = new Set<string>();

describe.concurrent('a front', () => {
  test.each(brokenFronts)('$name', async (broken) => {
    const gateway = gatewayOf(broken.gateway);
    await using nginx = await nginxOf(gateway, {
      ...(broken.tls === undefined ? {} : { tls: broken.tls }),
      ...(broken.changes === undefined ? {} : { changes: broken.changes }),
    });
    const { forwardAuthAuthenticated = '', events } = gateway.addresses;
    const where: Whereabouts = {
      internal: nginx.internal,
      gate: forwardAuthAuthenticated,
      events,
      recorder: frigate.address,
      config: join(directory, 'config.yml'),
    };
    writeFileSync(where.config, 'cameras: [front_door]\nauth:\n  roles:\n    family: [garage]\n');
    const { user = 'olaf' } = broken;
    const args = [
      '--url',
      `http${broken.tls === undefined ? 's' : ''}://${nginx.authenticated}`,
      ...(broken.secure === undefined ? ['--insecure'] : []),
      ...(broken.options?.(where) ?? []),
      ...(user === null ? [] : asUser(user)),
    ];
    const said = await doctorHere(args);
    const { status, output, errors } = said;
    const faults = faultsIn(said);
    for (const name of faults) found.add(name);
    expect({ faults, errors, status }, output).toEqual({ faults: broken.faults, errors: '', status: 1 });
    if (broken.says !== undefined) expect(output).toContain(broken.says);
    expect(output).not.toMatch(new RegExp(`${goodPassword}|session_token|eyJ`));
  });

  test('that is embedded, and trusts the network of its clients', async () => {
    const gateway = await start({ auth: { trusted_proxies: ['127.0.0.0/8'] } });
    const { authenticated = '' } = gateway.addresses;
    const args = ['--url', `https://${authenticated}`, '--insecure', '--login-probe'];
    const said = await doctorHere(args);
    expect([said.status, faultsIn(said)]).toEqual([1, ['forwarded-for']]);
  });
});

test('every probe has found a fault in one of them', () => {
  expect(found).toEqual(new Set(probesOfFiles));
});

// One after the other: they share the streams of this process.
describe('exit status 2', () => {
  const nowhere = ['--url', 'https://127.0.0.1:1'];
  const publicFile = () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-doctor-'));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, 'config.yml');
    writeFileSync(file, 'public_url: https://127.0.0.1:1\nbase_path: /cameras\n');
    return file;
  };

  test.each<[what: string, args: readonly string[], said: RegExp]>([
    ['nothing listens', nowhere, /cannot be reached: ECONNREFUSED/],
    ['no URL', [], /give --url, or --config/],
    ['no URL, and a file that has public_url', ['--config', publicFile()], /cannot be reached: ECONNREFUSED/],
    ['another scheme', ['--url', 'ftp://127.0.0.1'], /no http or https URL/],
    ['a password in the URL', ['--url', `https://a:${goodPassword}@127.0.0.1:1`], /--url holds/],
    ['a gate without a port', [...nowhere, '--gate', 'here'], /host:port/],
    ['a user without a password', [...nowhere, '--user', 'olaf'], /belong together/],
    ['a user and a token', [...nowhere, ...asUser('olaf'), '--token', 'a.b.c'], /not both/],
    ['a password as argument', [...nowhere, `--password=${goodPassword}`], /no argument/],
    ['a token with a line break', [...nowhere, '--token', 'a\r\nb'], /no token/],
    ['no such file', [...nowhere, '--config', '/nowhere.yml'], /there is no/],
    ['an argument too many', [...nowhere, goodPassword], /too many arguments/],
  ])('%s', async (_, args, said) => {
    const { status, output, errors } = await runHere(['doctor', ...args], { input: `${goodPassword}\n` });
    expect({ status, output }).toEqual({ status: 2, output: '' });
    expect(errors).toMatch(said);
    expect(errors).not.toContain(goodPassword);
  });

  test('a file with mistakes is looked at first when nothing listens, or when it names no site', async () => {
    const file = join(directory, 'broken.yml');
    writeFileSync(file, 'cameras: [front_door]\nauth:\n  roles:\n    family: [garage]\n');
    for (const args of [nowhere, []]) {
      const { status, output, errors } = await runHere(['doctor', ...args, '--config', file]);
      expect({ status, errors }).toEqual({ status: 1, errors: '' });
      expect(output).toMatch(/^First: auth\.roles\.family: one of front_door/);
      expect(output).toMatch(args.length > 0 ? /^skipped +tls .*ECONNREFUSED/m : /^skipped +store /m);
    }
  });

  test('a file without mistakes is told when nothing listens', async () => {
    const { status, errors } = await runHere(['doctor', '--config', publicFile()]);
    expect(status).toBe(2);
    expect(errors).toMatch(/ECONNREFUSED; .*config\.yml and its store have no fault: start Postern/);
  });

  test('a password that is not taken', async () => {
    const { authenticated = '' } = gatewayOf().addresses;
    const args = ['--url', `https://${authenticated}`, '--insecure', ...asUser('olaf')];
    const { status, output, errors } = await doctor(args, 'another-password\n');
    expect({ status, output, errors }).toEqual({
      status: 2,
      output: '',
      errors: 'postern: the login is not taken: 401\n',
    });
  });
});

test('--json has the same rows', async () => {
  const { authenticated = '' } = gatewayOf().addresses;
  const { status, output } = await doctor(['--url', `https://${authenticated}`, '--json']);
  const report = JSON.parse(output) as { readonly faults: number; readonly rows: readonly Row[] };
  expect({ status, faults: report.faults }).toEqual({ status: 1, faults: 1 });
  expect(new Set(report.rows.map(({ probe }) => probe))).toEqual(
    new Set(frontChecks.map(({ name }) => name)),
  );
  expect(report.rows[0]).toMatchObject({ result: 'FAULT', probe: 'tls' });
});
