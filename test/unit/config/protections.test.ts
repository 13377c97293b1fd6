import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../../src/clock.ts';
import { gateChecks } from '../../../src/api/doctor/gate-checks.ts';
import { config as doctorConfig } from '../../../src/api/doctor/front/configuration-checks.ts';
import { loadConfiguration } from '../../../src/config/load.ts';
import { areWideTogether, isWide, type protections } from '../../../src/config/protections.ts';
import { createReloadRecord } from '../../../src/config/reload-report.ts';
import { createReloading } from '../../../src/gate/reload.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { environmentOf } from '../../support/postern-command.ts';
import { runCommand } from '../../support/postern-here.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';
import { resolve } from './resolve-document.ts';

type Key = keyof typeof protections;

const oidc = (rest: object) => ({
  public_url: 'https://cameras.example',
  auth: {
    oidc: { issuer: 'https://id.example', client_id: 'postern', client_secret: 'the secret of it', ...rest },
  },
});
const byProxy = (proxy: object, rest: object = {}) => ({
  auth: { enabled: false },
  proxy: {
    header_map: { user: 'Remote-User', role: 'Remote-Groups' },
    auth_secret: 'a long secret',
    ...proxy,
  },
  ...rest,
});
const loopback = { networking: { listen: { authenticated: '127.0.0.1:8971' } } };
const years = 2 * 366 * 86_400;

interface Example {
  readonly off: object;
  readonly warning: RegExp;
  /** Values beside it that leave the protection on. */
  readonly on: readonly object[];
}

const examples: Readonly<Record<Key, Example>> = {
  'auth.enabled': {
    off: { auth: { enabled: false }, proxy: { default_role: 'viewer' } },
    warning: /everyone who reaches networking\.listen\.authenticated is viewer/,
    on: [
      { auth: { enabled: false }, proxy: { default_role: 'none' } },
      { auth: { enabled: false }, proxy: { default_role: 'viewer', auth_secret: 'a long secret' } },
      { auth: { enabled: false }, proxy: { default_role: 'viewer' }, ...loopback },
    ],
  },
  'auth.failed_login_rate_limit': {
    off: { auth: { failed_login_rate_limit: '10/second;2000/minute' } },
    warning: /allows 36000 guesses of a password an hour/,
    on: [{ auth: { failed_login_rate_limit: '100/second;16/minute' } }],
  },
  'auth.trusted_proxies': {
    off: { auth: { trusted_proxies: ['10.0.0.0/8', '0.0.0.0/0'] } },
    warning: /trusts 0\.0\.0\.0\/0: every client there gets past/,
    on: [{ auth: { trusted_proxies: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'] } }],
  },
  'auth.session_length': {
    off: { auth: { session_length: years } },
    warning: /more than a year/,
    on: [{ auth: { session_length: 365 * 86_400 } }],
  },
  'auth.reset_admin_password': {
    off: { auth: { reset_admin_password: true } },
    warning: /each start writes a password of admin/,
    on: [byProxy({})],
  },
  'auth.return_domains': {
    off: { auth: { return_domains: ['home.example', 'DuckDNS.org'] } },
    warning: /has duckdns\.org, below which anyone/,
    on: [{ auth: { return_domains: ['our.duckdns.org'] } }],
  },
  'auth.oidc.default_role': {
    off: oidc({ default_role: 'admin', groups_claim: 'groups' }),
    warning: /default_role is admin/,
    on: [oidc({ default_role: 'viewer', groups_claim: 'groups' })],
  },
  'auth.oidc.role_map': {
    off: oidc({ role_map: { admin: ['cameras', 'Everyone'] } }),
    warning: /has Everyone, a group/,
    on: [oidc({ role_map: { admin: ['cameras'], viewer: ['everyone'] } })],
  },
  'auth.oidc.allowed_emails': {
    off: oidc({ allowed_emails: ['@gmail.com'], default_role: 'viewer' }),
    warning: /has @gmail\.com, where anyone/,
    on: [
      oidc({ allowed_emails: ['@gmail.com'] }),
      oidc({ allowed_emails: ['@example.org', 'olaf@gmail.com'], default_role: 'viewer' }),
    ],
  },
  'proxy.auth_secret': {
    off: byProxy({ auth_secret: undefined }),
    warning: /anyone who reaches networking\.listen\.authenticated past the proxy is any user/,
    on: [byProxy({}), byProxy({ auth_secret: undefined }, loopback)],
  },
  'proxy.default_role': {
    off: byProxy({ default_role: 'admin' }),
    warning: /everyone whom the proxy lets pass/,
    on: [byProxy({ default_role: 'viewer' }), { proxy: { default_role: 'admin' } }],
  },
  'proxy.role_map': {
    off: byProxy({ role_map: { admin: ['Domain Users'] } }),
    warning: /has Domain Users, a group/,
    on: [byProxy({ role_map: { admin: ['domain admins'] } })],
  },
  'networking.listen.internal': {
    off: { networking: { listen: { internal: '0.0.0.0:5000' } } },
    warning: /everyone who reaches it is admin/,
    on: [
      { networking: { listen: { internal: '[::1]:5000' } } },
      { networking: { listen: { internal: 'off' } } },
    ],
  },
  'fronts.trusted': {
    off: { fronts: { trusted: ['128.0.0.0/1'] } },
    warning: /every machine there may act as a front/,
    on: [{ fronts: { trusted: ['172.16.0.0/12'] } }],
  },
  'tls.enabled': {
    off: { tls: { enabled: false } },
    warning: /cross the network in plain HTTP/,
    on: [{ tls: { enabled: false }, ...loopback }],
  },
  'access.rules': {
    off: { access: { rules: [{ path: '/api/**', require: 'any' }] } },
    warning: /has \/api\/\*\* with require: any/,
    on: [
      { access: { rules: [{ path: '/api/**', require: 'admin-only' }] } },
      { access: { rules: [{ path: '/api/porch/**', require: 'any' }] } },
    ],
  },
  'limits.connections_per_client': {
    off: { limits: { connections_per_client: 65_536 } },
    warning: /is 65536: one client/,
    on: [{ limits: { connections_per_client: 4_096 } }],
  },
  'limits.header_timeout': {
    off: { limits: { header_timeout: 86_400 } },
    warning: /header_timeout is more than an hour/,
    on: [{ limits: { header_timeout: 3_600 } }],
  },
  'limits.body_timeout': {
    off: { limits: { body_timeout: 86_400 } },
    warning: /body_timeout is more than an hour/,
    on: [{ limits: { body_timeout: 3_600 } }],
  },
  'limits.write_timeout': {
    off: { limits: { write_timeout: 86_400 } },
    warning: /write_timeout is more than an hour/,
    on: [{ limits: { write_timeout: 3_600 } }],
  },
  'shares.longest': {
    off: { shares: { longest: '3650d' } },
    warning: /whoever finds the link/,
    on: [{ shares: { longest: '365d' } }],
  },
  'audit.keep_days': {
    off: { audit: { keep_days: 0 } },
    warning: /only the log tells/,
    on: [{ audit: { keep_days: 1 } }],
  },
};

const rows = Object.entries(examples) as ReadonlyArray<[Key, Example]>;

describe.each(rows)('%s', (key, { off, warning, on }) => {
  const one = [expect.stringMatching(warning)];

  test('is named when it is off, and only then', () => {
    const { exposures, warnings } = resolve(structuredClone(off));
    expect(exposures).toEqual(one);
    expect(exposures[0]).toContain(key);
    expect(warnings).toContain(exposures[0]);
    for (const document of on) expect(resolve(structuredClone(document)).exposures).toEqual([]);
  });

  test('shows in config check, the log, Home and the doctor', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'config.yml'), stringify(off));
    const environment = { ...environmentOf(directory), SERVICE_ADMIN_PASSWORD: 'correct horse battery' };
    const { configuration } = loadConfiguration(environment, projectRoot);

    const { output } = await runCommand(['config', 'check'], { environment });
    expect(output).toMatch(new RegExp(`^warning: .*${warning.source}`, 'm'));

    const log: string[] = [];
    const reloads = createReloadRecord(configuration, systemClock);
    await createReloading({
      running: configuration,
      read: () => configuration,
      app: {
        configuration: () => configuration,
        reload: async () => [],
        reloads,
        recordReload: async () => undefined,
      },
      logger: createLogger('warn', {
        write: (line) => void log.push((JSON.parse(line) as { msg: string }).msg),
      }),
    }).reload('test');
    expect(log).toContainEqual(expect.stringMatching(warning));

    const about = { reloads: reloads.read, recorder: () => undefined };
    const home = gateChecks.exposures({ about } as never);
    expect(home).toMatchObject({ result: 'hint', seen: one, detail: { count: 1, first: one[0] } });
    expect(gateChecks.configuration({ about } as never).seen).toEqual(expect.arrayContaining(one));

    const file = join(directory, 'config.yml');
    const found = await doctorConfig.run({
      options: { config: file },
      context: { problems: [], configuration },
    } as never);
    expect(found).toContainEqual(expect.objectContaining({ result: 'info', seen: one[0] }));
  });
});

test.each([{ auth: { failed_login_rate_limit: '' } }, { auth: { failed_login_rate_limit: null } }])(
  'the other way to switch one off: %j',
  (document) => {
    expect(resolve(document).exposures).toHaveLength(1);
  },
);

test('a configuration without keys, and one with the usual ones, switch nothing off', () => {
  expect(resolve({}).exposures).toEqual([]);
  expect(resolve(byProxy({ role_map: { admin: ['admins'] } })).exposures).toEqual([]);
});

test.each([
  ['0.0.0.0/0', true],
  ['0.0.0.0/1', true],
  ['8.0.0.0/7', true],
  ['10.0.0.0/8', false],
  ['10.1.2.3', false],
  ['::/0', true],
  ['2000::/3', true],
  ['2001:db8::/31', true],
  ['2001:db8::/32', false],
  ['::ffff:0.0.0.0/96', true],
  ['::ffff:10.0.0.0/104', false],
  ['::ffff:0:0/95', true],
  ['::/80', true],
  ['1::/80', false],
  ['::ffff:192.168.0.0/112', false],
  ['::1', false],
])('%s is wide: %s', (network, wide) => {
  expect(isWide(network)).toBe(wide);
});

const eights = (count: number) => Array.from({ length: count }, (_, at) => `${at}.0.0.0/8`);

test.each<[what: string, networks: readonly string[], wide: boolean]>([
  ['every private network', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'], false],
  ['two networks of /8', eights(2), false],
  ['three networks of /8', eights(3), true],
  ['the whole Internet in parts', eights(256), true],
  ['the same network again and again', Array.from({ length: 9 }, () => '10.0.0.0/8'), false],
])('%s', (_, networks, wide) => {
  expect(areWideTogether(networks)).toBe(wide);
});
