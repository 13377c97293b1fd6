import { describe, expect, test } from 'vitest';
import { problemText, resolve } from './resolve-document.ts';

const oidc = { issuer: 'https://id.example', client_id: 'cameras', client_secret: 'secret' };
const file = (changes: object = {}, rest: object = {}) => ({
  public_url: 'https://cameras.example',
  auth: { roles: { family: ['front'] }, oidc: { ...oidc, ...changes } },
  ...rest,
});

test('a provider needs four keys, and has the defaults of the contract', () => {
  expect(resolve(file()).auth.oidc).toEqual({
    issuer: 'https://id.example',
    clientId: 'cameras',
    clientSecret: 'secret',
    label: 'single sign-on',
    scopes: 'openid profile email groups',
    userClaims: ['preferred_username'],
    groupsClaim: 'groups',
    groupsSeparator: undefined,
    roleMap: undefined,
    defaultRole: undefined,
    allowedEmails: undefined,
    automatic: false,
    localLogin: true,
  });
});

test('the client secret may be in the environment or in a secret file', () => {
  const inText = file({ client_secret: '{SERVICE_SECRET}' });
  expect(resolve(inText, { SERVICE_SECRET: 'x' }).auth.oidc?.clientSecret).toBe('x');
  const none = file({ client_secret: undefined });
  expect(resolve(none, { SERVICE_OIDC_SECRET: 'y' }).auth.oidc?.clientSecret).toBe('y');
});

test('commands on the accounts need only the secret of the store', () => {
  const load = (changes: object, rest: object = {}) =>
    resolve({ ...file(changes, { fronts: { secret: '{SERVICE_NONE}' } }), ...rest }, {}, 'ignored');
  for (const client_secret of [undefined, '{SERVICE_NONE}'])
    expect(load({ client_secret }).auth.oidc?.issuer).toBe('https://id.example');
  expect(() => load({}, { store: { url: 'postgres://gate:{SERVICE_NONE}@db/gate' } })).toThrow();
});

describe('problems are reported by path', () => {
  test.each<[what: string, document: object, problem: string]>([
    ['no issuer', file({ issuer: undefined }), 'auth.oidc.issuer'],
    ['http elsewhere', file({ issuer: 'http://id.example' }), 'auth.oidc.issuer'],
    ['a query in the issuer', file({ issuer: 'https://id.example/?a' }), 'auth.oidc.issuer'],
    ['no client', file({ client_id: undefined }), 'auth.oidc.client_id'],
    ['no secret', file({ client_secret: undefined }), 'auth.oidc.client_secret'],
    ['an unknown variable', file({ client_secret: '{SERVICE_NONE}' }), 'auth.oidc.client_secret'],
    ['no public_url', file({}, { public_url: undefined }), 'public_url'],
    ['scopes without openid', file({ scopes: 'profile' }), 'auth.oidc.scopes'],
    ['a role that there is not', file({ role_map: { gardener: ['a'] } }), 'auth.oidc.role_map.gardener'],
    [
      'a default role that there is not',
      file({ default_role: 'x', groups_claim: 'g' }),
      'auth.oidc.default_role',
    ],
    ['a default role for all users', file({ default_role: 'viewer' }), 'auth.oidc.default_role'],
    ['an address that is none', file({ allowed_emails: ['example.org'] }), 'auth.oidc.allowed_emails.0'],
    ['a misspelt key', file({ client: 'x' }), 'auth.oidc.client'],
    ['no claim of several', file({ user_claim: [] }), 'auth.oidc.user_claim'],
    ['a number for a claim', file({ user_claim: ['email', 7] }), 'auth.oidc.user_claim'],
    [
      'a factor for an unknown role',
      { auth: { second_factor: { required_for: ['x'] } } },
      'auth.second_factor.required_for.0',
    ],
  ])('%s', (_, document, path) => {
    expect(problemText(document)).toContain(`${path}:`);
  });

  test.each<[what: string, changes: object]>([
    ['http on loopback', { issuer: 'http://127.0.0.1:9000' }],
    ['a default role beside groups', { default_role: 'viewer', groups_claim: 'groups' }],
    ['a default role for some addresses', { default_role: 'viewer', allowed_emails: ['@example.org'] }],
  ])('%s is not', (_, changes) => {
    expect(resolve(file(changes)).auth.oidc).toBeDefined();
  });
});

test.each([
  ['upn', ['upn']],
  [
    ['preferred_username', 'email'],
    ['preferred_username', 'email'],
  ],
])('user_claim %j', (user_claim, userClaims) => {
  expect(resolve(file({ user_claim })).auth.oidc).toMatchObject({ userClaims });
});

test('has no effect without accounts, with a warning', () => {
  const { auth } = file();
  const second_factor = { required_for: ['admin'] };
  const { auth: found, warnings } = resolve({
    ...file(),
    auth: { ...auth, enabled: false, second_factor },
    proxy: { header_map: { user: 'Remote-User' } },
  });
  expect(found).toMatchObject({ oidc: undefined, secondFactor: { requiredFor: new Set() } });
  for (const path of ['auth.oidc', 'auth.second_factor'])
    expect(warnings.join('\n')).toContain(`${path} has no effect`);
});
