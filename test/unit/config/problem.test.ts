import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemsOf, problemText, resolve } from './resolve-document.ts';
import { assertCases } from '../../support/assert-cases.ts';

const pathsOf = (document: unknown) => problemsOf(document).map(({ path }) => path);
const named = { header_map: { user: 'remote-user' } };

describe('refuses with path and type:', () => {
  test.each<[path: string, found: string, document: unknown]>([
    ['config.yml', 'a list', []],
    ['config.yml', 'text', 'auth'],
    ['config.yml', 'null', null],
    ['auth', 'a list', { auth: [] }],
    ['auth.enabled', '"yes"', { auth: { enabled: 'yes' } }],
    ['auth.enable', 'an unknown key', { auth: { enable: true } }],
    ['auth.reset_admin_password', 'a number', { auth: { reset_admin_password: 1 } }],
    ['auth.failed_login_rate_limit', 'text', { auth: { failed_login_rate_limit: '5/day' } }],
    ['auth.failed_login_rate_limit', 'text', { auth: { failed_login_rate_limit: '0/minute' } }],
    ['auth.failed_login_rate_limit', 'text', { auth: { failed_login_rate_limit: '5/minute;' } }],
    ['auth.trusted_proxies', 'text', { auth: { trusted_proxies: '10.0.0.0/8' } }],
    ['auth.trusted_proxies.1', 'text', { auth: { trusted_proxies: ['::1', '10.0.0.0/33'] } }],
    ['auth.trusted_proxies.0', 'text', { auth: { trusted_proxies: ['10.0.0/8'] } }],
    ['auth.trusted_proxies.0', 'text', { auth: { trusted_proxies: ['10.0.0.0/'] } }],
    ['auth.trusted_proxies.0', 'text', { auth: { trusted_proxies: ['proxy.test'] } }],
    ['auth.session_length', 'a number', { auth: { session_length: -1 } }],
    ['auth.session_length', 'a number', { auth: { session_length: 0.5 } }],
    ['auth.session_length', 'text', { auth: { session_length: '24h' } }],
    [
      'auth.refresh_time',
      'more than half of auth.session_length',
      { auth: { session_length: 60, refresh_time: 31 } },
    ],
    ['auth.refresh_time', 'more than half of auth.session_length', { auth: { refresh_time: 43_201 } }],
    ['auth.cookie_name', 'text', { auth: { cookie_name: 'a b' } }],
    ['auth.cookie_name', 'text', { auth: { cookie_name: '' } }],
    [
      'auth.second_factor.required_for.0',
      'a role that is not defined',
      { auth: { second_factor: { required_for: ['none'] } }, store: { url: 'postgres://db/gate' } },
    ],
    [
      'proxy.role_map.Family',
      'a role that is not defined',
      {
        auth: { roles: { family: ['front'] } },
        proxy: { role_map: { Family: ['a'] } },
        store: { url: 'postgres://db/gate' },
      },
    ],
    ['cameras', 'text', { cameras: 'front' }],
    ['cameras', 'a list', { cameras: [1] }],
    ['proxy.separator', 'text', { proxy: { separator: ', ' } }],
    ['proxy.separator', 'text', { proxy: { separator: '' } }],
    ['proxy.default_role', 'text', { proxy: { default_role: '' } }],
    ['proxy.role_map', 'a list', { proxy: { role_map: ['admins'] } }],
    ['proxy.role_map.admin', 'text', { proxy: { role_map: { admin: 'admins' } } }],
    ['proxy.role_map.admin.0', 'text', { proxy: { role_map: { admin: [''] } } }],
    ['proxy.role_map.nobody', 'a role that is not defined', { proxy: { role_map: { nobody: ['a'] } } }],
    [
      'proxy.role_map.Viewer',
      'a role that is not defined',
      { store: { url: 'postgres://host/db' }, proxy: { role_map: { Viewer: ['a'] } } },
    ],
    ['proxy.user_map', 'a map', { proxy: { ...named, user_map: { constructor: 'admin' } } }],
    ['proxy.user_map.anonymous', 'text', { proxy: { ...named, user_map: { anonymous: 'admin' } } }],
    ['proxy.user_map.Postern', 'text', { proxy: { ...named, user_map: { Postern: 'admin' } } }],
    ['proxy.user_map. ada', 'text', { proxy: { ...named, user_map: { ' ada': 'admin' } } }],
    ['proxy.user_map.', 'text', { proxy: { ...named, user_map: { '': 'admin' } } }],
    ['proxy.user_map.a\u200bda', 'text', { proxy: { ...named, user_map: { 'a\u200bda': 'admin' } } }],
    ['proxy.user_map', 'a list', { proxy: { ...named, user_map: ['ada'] } }],
    ['proxy.user_map.ada', 'a list', { proxy: { ...named, user_map: { ada: ['admin'] } } }],
    ['proxy.user_map.ada', 'text', { proxy: { ...named, user_map: { ada: '' } } }],
    ['proxy.user_map.ada', 'null', { proxy: { ...named, user_map: { ada: null } } }],
    [
      'proxy.user_map.ada@example.org',
      'a role that is not defined',
      { proxy: { ...named, user_map: { 'ada@example.org': 'stranger' } } },
    ],
    ['proxy.user_map.ada', 'a role that is not defined', { proxy: { ...named, user_map: { ada: 'Admin' } } }],
    [
      'proxy.user_map.ada',
      'a role that is not defined',
      { store: { url: 'postgres://host/db' }, proxy: { ...named, user_map: { ada: 'Viewer' } } },
    ],
    ['proxy.header_map.user', 'nothing', { proxy: { user_map: { ada: 'admin' } } }],
    [
      'proxy.header_map.user',
      'nothing',
      {
        auth: { enabled: true },
        proxy: { header_map: { role: 'remote-groups' }, user_map: { ada: 'admin' } },
      },
    ],
    [
      'proxy.header_map.role_map',
      'a second proxy.role_map',
      { proxy: { role_map: { viewer: ['a'] }, header_map: { role_map: { viewer: ['a'] } } } },
    ],
    ['proxy.header_map.users', 'an unknown key', { proxy: { header_map: { users: 'remote-user' } } }],
    ['proxy.header_map.user', 'text', { proxy: { header_map: { user: 'remote_user' } } }],
    [
      'proxy.header_map.user',
      'the header X-User, which is not trusted',
      { proxy: { header_map: { user: 'X-User' } } },
    ],
    [
      'proxy.header_map.role',
      'the header Remote-Role, which is not trusted',
      { proxy: { header_map: { role: 'Remote-Role' } } },
    ],
    ['proxy.logout_url', 'a second logout_url', { logout_url: '/a', proxy: { logout_url: '/a' } }],
    ['networking.listen.external_port', 'an unknown key', { networking: { listen: { external_port: 1 } } }],
    ['networking.listen.authenticated', 'text', { networking: { listen: { authenticated: 'http://x' } } }],
    ['networking.listen.authenticated', 'a number', { networking: { listen: { authenticated: 65_536 } } }],
    ['networking.forward_auth.internal', 'a number', { networking: { forward_auth: { internal: 5001 } } }],
    [
      'networking.forward_auth.internal',
      'a port without a host',
      { networking: { forward_auth: { internal: '5001' } } },
    ],
    [
      'networking.forward_auth.authenticated',
      'text',
      { networking: { forward_auth: { authenticated: 'unix:a' } } },
    ],
    [
      'networking.forward_auth.authenticated',
      'an address that other machines can reach',
      { networking: { forward_auth: { authenticated: '0.0.0.0:5001' } } },
    ],
    ['networking.relay.internal', 'a port without a host', { networking: { relay: { internal: '5002' } } }],
    [
      'networking.relay.authenticated',
      'an address that other machines can reach',
      { networking: { relay: { authenticated: '10.0.0.1:5002' } } },
    ],
    ['auth.return_domains.0', 'text', { auth: { return_domains: ['https://cameras.example'] } }],
    ['auth.return_domains.0', 'text', { auth: { return_domains: ['example'] } }],
    ['fronts.secret', 'a short secret', { fronts: { secret: 'short' } }],
    ['fronts.secret', 'a secret with a blank at an end', { fronts: { secret: 'a secret of all fronts ' } }],
    ['fronts.secret', '{SERVICE_NOTHING}', { fronts: { secret: '{SERVICE_NOTHING}' } }],
    ['fronts.trusted.0', 'text', { fronts: { trusted: ['traefik'] } }],
    ['events.listen', 'an address that other machines can reach', { events: { listen: '0.0.0.0:5001' } }],
    ['events.listen', 'a port without a host', { events: { listen: '5001' } }],
    ['events.database', 'text', { events: { database: '' } }],
    ['tls.key', 'nothing', { tls: { certificate: 'a.pem' } }],
    ['tls.certificate', 'nothing', { tls: { key: 'a.pem' } }],
    ['upstream', 'text', { upstream: 'recorder:5001' }],
    ['upstream', 'text', { upstream: 'ftp://recorder.test' }],
    ['upstream', 'text', { upstream: 'http://recorder.test/api' }],
    ['upstream', 'text', { upstream: 'http://recorder.test?a' }],
  ])('%s: %s %j', (path, found, document) => {
    expect(problemsOf(document)).toMatchObject([{ path, found, allowed: expect.stringMatching(/./) }]);
  });

  test.each<[url: string]>([
    ['javascript:alert(1)'],
    ['//evil.test'],
    ['/\\evil.test'],
    ['\\\\evil.test'],
    ['java\nscript:alert(1)'],
    ['/\t/evil.test'],
    ['https://idp.test/a b'],
    ['data:text/html,x'],
    ['logout'],
    [''],
  ])('the logout URL %j', (url) => {
    expect(pathsOf({ logout_url: url })).toEqual(['logout_url']);
    expect(pathsOf({ proxy: { logout_url: url } })).toEqual(['proxy.logout_url']);
  });

  test.each<[contact: unknown]>([
    ['javascript:alert(1)'],
    ['JavaScript: alert(1)'],
    [' javascript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['data:text/html,x'],
    ['http://home.example/'],
    ['https:/home.example'],
    ['https://olaf:secret@home.example/'],
    ['https://home.example/ onclick=x'],
    ['mailto:'],
    ['mailto:olaf@home.example <b>'],
    ['tel:+49171'],
    ['two\nlines'],
    ['\u202ereversed'],
    [''],
    [' '],
    ['x'.repeat(201)],
    [{ mail: 'olaf@home.example' }],
  ])('the contact %j', (contact) => {
    expect(pathsOf({ contact })).toEqual(['contact']);
  });
});

test('names the file and the missing line for an untrusted header', () => {
  const [problem] = problemsOf({ proxy: { header_map: { user: 'X-Auth-User' } } });
  expect(problem?.allowed).toContain('/etc/trusted.conf');
  expect(problem?.allowed).toContain('"proxy_set_header X-Auth-User $http_x_auth_user;"');
});

describe('reports all problems at once:', () => {
  const two = { auth: { enabled: 'yes' }, proxy: { separator: '||' } };
  const fitting = {
    cameras: ['front'],
    auth: { roles: { family: ['a', 'b'], admin: ['front'] } },
    proxy: { header_map: { user: 'X-User' }, role_map: { nobody: ['a'] } },
  };
  test.each<[what: string, document: object, paths: readonly string[]]>([
    ['of single values', two, ['auth.enabled', 'proxy.separator']],
    [
      'of values that do not fit together',
      fitting,
      [
        'auth.roles.family',
        'auth.roles.family',
        'auth.roles.admin',
        'proxy.header_map.user',
        'proxy.role_map.nobody',
      ],
    ],
    ['of unknown keys of one section', { auth: { enable: true, role: {} } }, ['auth.enable', 'auth.role']],
    [
      'of both kinds',
      { ...two, cameras: ['front'], events: { listen: '0.0.0.0:1' }, tls: { key: 'a' } },
      ['auth.enabled', 'proxy.separator', 'events.listen', 'tls.certificate'],
    ],
  ])('%s', (_, document, paths) => {
    expect(pathsOf(document).toSorted()).toEqual(paths.toSorted());
  });
});

test.each<[role: string]>([['constructor'], ['prototype'], ['__proto__'], ['toString']])(
  'the role %s is kept or refused, never dropped without a word',
  (name) => {
    const document = { auth: { roles: Object.fromEntries([[name, ['front']]]) } };
    if (problemsOf(document).length === 0)
      expect([...resolve(document).auth.roles.keys()]).toEqual(['admin', 'viewer', name]);
  },
);

test('no problem repeats a value, which may be a secret', () => {
  const secret = 'hunter2-hunter2';
  const anyWrong = fc.constantFrom<unknown>(secret, [secret], { [secret]: [secret] }, [[secret]], 773_355);
  const keys = ['auth_secret', 'separator', 'default_role', 'logout_url', 'header_map'];
  const values = fc.array(anyWrong, { minLength: keys.length, maxLength: keys.length });
  assertCases(
    fc.property(values, anyWrong, (wrong, listen) => {
      const proxy = Object.fromEntries(keys.map((key, i) => [key, wrong[i]]));
      const document = { proxy, upstream: secret, networking: { listen: { authenticated: listen } } };
      // A key is no value.
      const text = problemText(document).replaceAll(`header_map.${secret}`, '');
      expect(text).not.toContain(secret);
      expect(text).not.toMatch(/773.?355/);
    }),
  );
});
