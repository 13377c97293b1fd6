import { describe, expect, test } from 'vitest';
import type { Configuration } from '../../../src/config/configuration.ts';
import { prepareRoleResolution, resolveParts } from '../../../src/policy/role-map.ts';
import { lookAlikesOfNone, spellingsOfNone } from '../../support/spellings-of-none.ts';
import { problemsOf, resolve } from './resolve-document.ts';

const client = { issuer: 'https://id.example', client_id: 'cameras', client_secret: 'secret' };
const withOidc = (oidc: object) => ({
  public_url: 'https://cameras.example',
  auth: { oidc: { ...client, ...oidc } },
});
const withProxy = (proxy: object) => ({
  auth: { enabled: false },
  proxy: { header_map: { user: 'Remote-User' }, ...proxy },
});

type Road = [path: (name: string) => string, document: (name: string) => object];

/** Where a role is defined, or something is given to one. */
const definitions: Record<string, Road> = {
  'auth.roles': [(name) => `auth.roles.${name}`, (name) => ({ auth: { roles: { [name]: ['front'] } } })],
  'auth.roles, without cameras': [
    (name) => `auth.roles.${name}`,
    (name) => ({ auth: { roles: { [name]: [] } } }),
  ],
  'auth.roles, as the default role': [
    (name) => `auth.roles.${name}`,
    (name) => ({ auth: { enabled: false, roles: { [name]: ['front'] } }, proxy: { default_role: name } }),
  ],
  'auth.role_access': [
    (name) => `auth.role_access.${name}`,
    (name) => ({
      auth: { camera_groups: { outside: ['front'] }, role_access: { [name]: { groups: ['outside'] } } },
    }),
  ],
  'auth.second_factor.required_for': [
    () => 'auth.second_factor.required_for.0',
    (name) => ({ auth: { second_factor: { required_for: [name] } } }),
  ],
};

/** Where groups are mapped to a role. */
const maps: Record<string, Road> = {
  'proxy.role_map': [
    (name) => `proxy.role_map.${name}`,
    (name) => withProxy({ role_map: { [name]: ['leavers'] } }),
  ],
  'proxy.header_map.role_map': [
    (name) => `proxy.role_map.${name}`,
    (name) => withProxy({ header_map: { user: 'Remote-User', role_map: { [name]: ['leavers'] } } }),
  ],
  'auth.oidc.role_map': [
    (name) => `auth.oidc.role_map.${name}`,
    (name) => withOidc({ role_map: { [name]: ['leavers'] } }),
  ],
};

const defaults: Record<string, Road> = {
  'proxy.default_role': [() => 'proxy.default_role', (name) => withProxy({ default_role: name })],
  'auth.oidc.default_role': [
    () => 'auth.oidc.default_role',
    (name) => withOidc({ groups_claim: 'groups', default_role: name }),
  ],
};

const stores = [{}, { store: { url: 'postgres://db/gate' } }];

/** The role that a configuration gives a user of these groups. */
const roleOf = ({ auth, proxy }: Configuration, groups: readonly string[], byDefault?: string) => {
  const { roleMap, defaultRole } = auth.oidc ?? proxy;
  return resolveParts(
    groups,
    prepareRoleResolution({
      separator: ',',
      roleMap,
      defaultRole: byDefault ?? defaultRole,
      roles: auth.roles,
    }),
  );
};

describe.each(Object.entries(definitions))('%s', (_, [path, document]) => {
  test.each([...spellingsOfNone, ...lookAlikesOfNone])('does not take %j', (name) => {
    for (const store of stores) {
      const problems = problemsOf({ ...document(name), ...store });
      expect(problems.map((problem) => problem.path)).toContain(path(name));
    }
  });
});

test.each(spellingsOfNone)('the problem of a role %s says what the word means', (name) => {
  expect(problemsOf({ auth: { roles: { [name]: ['front'] } } })).toEqual([
    { path: `auth.roles.${name}`, found: 'the word for no access', allowed: 'another name' },
  ]);
});

describe.each(Object.entries(maps))('%s', (_, [path, document]) => {
  test.each(spellingsOfNone)('refuses the groups of %s, whatever the default role', (name) => {
    for (const store of stores) {
      const configuration = resolve({ ...document(name), ...store });
      expect(roleOf(configuration, ['leavers'], 'viewer')).toBeUndefined();
      expect(roleOf(configuration, ['others'], 'viewer')?.role).toBe('viewer');
      expect(configuration.warnings.filter((line) => line.includes(name))).toEqual([]);
    }
  });

  test.each(lookAlikesOfNone)('does not take %j', (name) => {
    for (const store of stores)
      expect(problemsOf({ ...document(name), ...store })).toMatchObject([
        { path: path(name), found: 'a role that is not defined' },
      ]);
  });
});

describe.each(Object.entries(defaults))('%s', (road, [path, document]) => {
  test.each(spellingsOfNone)('%s gives no role', (name) => {
    for (const store of stores) {
      const configuration = resolve({ ...document(name), ...store });
      for (const groups of [[], ['strangers']]) expect(roleOf(configuration, groups)).toBeUndefined();
      expect(configuration.warnings.filter((line) => line.includes('default_role'))).toEqual([]);
    }
  });

  test.each(lookAlikesOfNone)('%j gives none either, and is found', (name) => {
    for (const store of stores) {
      const file = { ...document(name), ...store };
      if (road === 'proxy.default_role') {
        const configuration = resolve(file);
        expect(roleOf(configuration, ['strangers'])).toBeUndefined();
        expect(configuration.warnings.join('\n')).toContain('proxy.default_role names no role');
      } else expect(problemsOf(file).map((problem) => problem.path)).toEqual([path(name)]);
    }
  });
});

test.each(spellingsOfNone)('the default role %s lets no one in, so it needs no groups', (name) => {
  expect(resolve(withOidc({ default_role: name })).auth.oidc?.defaultRole).toBe(name);
});
