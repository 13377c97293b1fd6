import { describe, expect, test, vi } from 'vitest';
import type { Configuration, OidcConfiguration } from '../../../../src/config/configuration.ts';
import { createSignOn } from '../../../../src/features/oidc/sign-on.ts';
import { rolesOf } from '../../../support/roles.ts';

const secrets = 'a value that no log may have';

function signOnWith(changes: Partial<OidcConfiguration> = {}) {
  const oidc = {
    issuer: 'https://id.example',
    userClaims: ['preferred_username'],
    groupsClaim: 'groups',
    groupsSeparator: undefined,
    allowedEmails: undefined,
    roleMap: new Map([
      ['admin', new Set(['nvr-admins', 'Größe + Küche', '22222222-2222-2222-2222-222222222222'])],
      ['viewer', new Set(['family', 'home/family', '/home/family', 'CN=Cameras,OU=Groups,DC=home'])],
    ]),
    defaultRole: undefined,
    ...changes,
  };
  const warn = vi.fn();
  const configuration = {
    auth: { oidc, roles: rolesOf([]) },
    publicUrl: 'https://nvr.example',
    basePath: '',
  };
  const signOn = createSignOn(configuration as unknown as Configuration, {
    clock: { now: () => 0 },
    logger: { info: vi.fn(), warn },
  });
  if (signOn === undefined) throw new Error('no provider');
  return { ...signOn, warn };
}

type Row = readonly [
  provider: string,
  settings: Partial<OidcConfiguration>,
  claims: Readonly<Record<string, unknown>>,
  user: { readonly name: string; readonly role: string } | { readonly refused: string },
];

const admin = { name: 'rosa', role: 'admin' };
const viewer = { name: 'rosa', role: 'viewer' };

/* Claims as the providers' documents and real tokens have them. */
const rows: readonly Row[] = [
  [
    'Keycloak, realm roles',
    { groupsClaim: 'realm_access.roles' },
    { realm_access: { roles: ['offline_access', 'nvr-admins'] } },
    admin,
  ],
  [
    'Keycloak, client roles',
    { groupsClaim: 'resource_access.postern.roles' },
    { resource_access: { account: { roles: ['nvr-admins'] }, postern: { roles: ['family'] } } },
    viewer,
  ],
  [
    'Keycloak, a client with dots',
    { groupsClaim: String.raw`resource_access.nvr\.home\.example.roles` },
    { resource_access: { 'nvr.home.example': { roles: ['family'] } } },
    viewer,
  ],
  [
    'the same with two backslashes',
    { groupsClaim: String.raw`resource_access.nvr\\.home\\.example.roles` },
    { resource_access: { 'nvr.home.example': { roles: ['family'] } } },
    viewer,
  ],
  ['Keycloak, full group paths', {}, { groups: ['/home/family'] }, viewer],
  [
    'Keycloak, a mapper that is not multivalued',
    { groupsSeparator: ',' },
    { groups: '[nvr-admins, family]' },
    admin,
  ],
  ['authentik', {}, { groups: ['authentik Admins', 'family'] }, viewer],
  ['Authelia', {}, { groups: ['nvr-admins'], name: 'Rosa M.' }, admin],
  ['Authelia, without groups', {}, { groups: null }, { refused: 'oidc_no_role' }],
  [
    'Zitadel',
    { groupsClaim: 'urn:zitadel:iam:org:project:roles' },
    { 'urn:zitadel:iam:org:project:roles': { family: { '2423': 'home.zitadel.cloud' } } },
    viewer,
  ],
  [
    'Zitadel, of one project',
    { groupsClaim: 'urn:zitadel:iam:org:project:42:roles' },
    { 'urn:zitadel:iam:org:project:42:roles': { 'nvr-admins': { '2423': 'h' }, family: {} } },
    admin,
  ],
  [
    'Auth0, a claim that is an address',
    { groupsClaim: 'https://nvr.example/roles' },
    { 'https://nvr.example/roles': ['family'] },
    viewer,
  ],
  ['Entra, ids of groups', {}, { groups: ['22222222-2222-2222-2222-222222222222'] }, admin],
  ['Entra, roles of the application', { groupsClaim: 'roles' }, { roles: ['nvr-admins'] }, admin],
  [
    'Entra, too many groups',
    {},
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: secrets } } },
    { refused: 'oidc_no_role' },
  ],
  [
    'Entra, a guest',
    {},
    { preferred_username: 'rosa_home.example#EXT#@house.onmicrosoft.com', groups: ['family'] },
    { name: 'rosa_home.example#EXT#@house.onmicrosoft.com', role: 'viewer' },
  ],
  [
    'Google',
    {
      userClaims: ['preferred_username', 'email'],
      allowedEmails: ['rosa+nvr@gmail.com'],
      defaultRole: 'viewer',
    },
    { preferred_username: undefined, email: 'rosa+nvr@gmail.com', email_verified: true },
    { name: 'rosa+nvr@gmail.com', role: 'viewer' },
  ],
  [
    'Cognito',
    { groupsClaim: 'cognito:groups', userClaims: ['cognito:username'] },
    { 'cognito:groups': ['family'], 'cognito:username': 'rosa' },
    viewer,
  ],
  [
    'Cognito, of another provider',
    { groupsClaim: 'custom:groups', groupsSeparator: ',' },
    { 'custom:groups': '[others, family]' },
    viewer,
  ],
  ['Okta', {}, { groups: ['Everyone', 'nvr-admins'] }, admin],
  ['Okta, groups of a directory', {}, { groups: ['CN=Cameras,OU=Groups,DC=home'] }, viewer],
  ['one group of a directory', {}, { groups: 'CN=Cameras,OU=Groups,DC=home' }, viewer],
  ['Casdoor, groups', {}, { groups: ['home/family'] }, viewer],
  [
    'Casdoor, roles',
    { groupsClaim: 'roles.name' },
    {
      roles: [
        { owner: 'home', name: 'nvr-admins' },
        { owner: 'home', name: 'x' },
      ],
    },
    admin,
  ],
  [
    'Casdoor, roles without the path',
    { groupsClaim: 'roles' },
    { roles: [{ owner: 'home', name: 'nvr-admins' }] },
    { refused: 'oidc_no_role' },
  ],
  ['a text of JSON, a list', { groupsSeparator: ',' }, { groups: ' ["others", "nvr-admins"] ' }, admin],
  [
    'a text of JSON, an object',
    { groupsSeparator: ',' },
    { groups: '{"family": true, "nvr-admins": false}' },
    viewer,
  ],
  ['a text of JSON, a text', { groupsSeparator: ',' }, { groups: '"others, family"' }, viewer],
  ['a text of half a JSON', { groupsSeparator: ',' }, { groups: '["family"' }, { refused: 'oidc_no_role' }],
  ['a text with commas is one group', {}, { groups: 'family,nvr-admins' }, { refused: 'oidc_no_role' }],
  ['a text with commas and spaces', { groupsSeparator: ',' }, { groups: 'others ,  family,' }, viewer],
  [
    'a text with spaces alone is one group',
    { groupsSeparator: ',' },
    { groups: 'not family' },
    { refused: 'oidc_no_role' },
  ],
  ['a group with spaces, a plus and umlauts', {}, { groups: 'Größe + Küche' }, admin],
  [
    'a name with spaces, a plus and umlauts',
    {},
    { preferred_username: 'Rosa + Jörg Müller', groups: ['family'] },
    { name: 'Rosa + Jörg Müller', role: 'viewer' },
  ],
  [
    'a name in another script',
    {},
    { preferred_username: '山田 太郎', groups: ['family'] },
    { name: '山田 太郎', role: 'viewer' },
  ],
  [
    'a path that ends early',
    { groupsClaim: 'realm_access.roles' },
    { realm_access: 'roles' },
    { refused: 'oidc_no_role' },
  ],
  [
    'a path through what every object has',
    { groupsClaim: 'constructor.name' },
    {},
    { refused: 'oidc_no_role' },
  ],
];

describe('claims as providers send them', () => {
  test.each(rows)('%s', (_, settings, claims, user) => {
    const { federatedUserOf } = signOnWith(settings);
    expect(federatedUserOf({ sub: '2', preferred_username: 'rosa', ...claims })).toMatchObject(user);
  });
});

describe('the operator reads names and types of claims', () => {
  test('without anything of their values, and where the gate looked', () => {
    const { explain } = signOnWith({ groupsClaim: 'realm_access.roles', userClaims: ['upn', 'email'] });
    const report = explain({
      sub: secrets,
      email: secrets,
      groups: [secrets],
      realm_access: { [secrets]: secrets },
      amr: [],
      age: 7,
      admin: true,
      empty: '',
      mixed: [secrets, { [secrets]: 1 }, [secrets], null],
    });
    expect(report).toEqual({
      claims: [
        'sub (text)',
        'email (text)',
        'groups (list of text)',
        'realm_access (object)',
        'amr (empty list)',
        'age (number)',
        'admin (boolean)',
        'empty (empty text)',
        'mixed (list of text and object and list and null)',
      ],
      looked_for: [
        'auth.oidc.user_claim: upn (missing)',
        'auth.oidc.user_claim: email (text)',
        'auth.oidc.groups_claim: realm_access.roles (missing)',
      ],
      unreadable: undefined,
    });
    expect(JSON.stringify(report)).not.toContain(secrets);
  });

  test.each<[claims: Readonly<Record<string, unknown>>, unreadable: string]>([
    [{ groups: 7 }, 'groups (number)'],
    [{ groups: true }, 'groups (boolean)'],
    [{ groups: null }, 'groups (null)'],
    [{ groups: [{ name: secrets }, 'family'] }, 'groups (list of object and text)'],
    [{ groups: '[[1]]' }, 'groups (list of list)'],
    [{ preferred_username: ['rosa'], groups: 7 }, 'preferred_username (list of text), groups (number)'],
    [{ _claim_names: { groups: secrets } }, 'groups (left out by the provider: too many)'],
    [{ hasgroups: true }, 'groups (left out by the provider: too many)'],
  ])('%j is unreadable, which the log has once', (claims, unreadable) => {
    const { federatedUserOf, explain, warn } = signOnWith({ defaultRole: 'viewer', groupsSeparator: ',' });
    const all = { sub: '2', preferred_username: 'rosa', ...claims };
    expect(explain(all).unreadable).toBe(unreadable);
    federatedUserOf(all);
    federatedUserOf(all);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatchObject({ unreadable });
    expect(JSON.stringify(warn.mock.calls)).not.toContain(secrets);
  });
});
