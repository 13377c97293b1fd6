import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ReportRow, examineProvider, tableOf } from '../../../../src/api/doctor/examine.ts';
import { signIns as checkSignIns } from '../../../../src/api/doctor/provider/sign-in-checks.ts';
import { discovery } from '../../../../src/api/doctor/provider/discovery.ts';
import type {
  ProviderExamination,
  SignInRecord,
} from '../../../../src/api/doctor/provider/provider-examination.ts';
import type { Configuration, OidcConfiguration } from '../../../../src/config/configuration.ts';
import { errorAnswer, htmlAnswer } from '../../../support/provider-answers.ts';
import { startProvider, type RunningProvider } from '../../../support/start-provider.ts';

const publicUrl = 'https://cameras.example';
let provider: RunningProvider;

beforeAll(async () => {
  provider = await startProvider({ publicUrl: `${publicUrl}/cameras`, people: {} });
});
beforeEach(() => {
  for (const endpoint of ['discovery', 'jwks', 'authorize', 'token'] as const)
    provider.answer(endpoint, undefined);
});
afterAll(() => provider.close());

interface Changes extends Partial<OidcConfiguration> {
  readonly basePath?: string;
  /** Milliseconds by which the clock here is behind. */
  readonly behind?: number;
}

async function examine({ basePath = '/cameras', behind = 0, ...changes }: Changes = {}) {
  const { issuer, client_id: clientId, client_secret: clientSecret } = provider.settings;
  const oidc: OidcConfiguration = {
    issuer,
    clientId,
    clientSecret,
    label: 'Home',
    scopes: 'openid profile email groups offline_access',
    userClaims: ['preferred_username'],
    groupsClaim: 'groups',
    groupsSeparator: undefined,
    roleMap: new Map([['admin', new Set(['nvr-admins'])]]),
    defaultRole: undefined,
    allowedEmails: undefined,
    automatic: false,
    localLogin: true,
    ...changes,
  };
  const auth = { oidc, sessionLength: 3_600_000, refreshTime: 900_000 };
  const configuration = { auth, publicUrl, basePath } as Configuration;
  const rows = await examineProvider(configuration, { now: () => Date.now() - behind });
  return { rows, faults: rows.filter(({ result }) => result === 'FAULT') };
}

const of = (rows: readonly ReportRow[], probe: string) => rows.filter((row) => row.probe === probe);

describe('a provider with the right registration', () => {
  test('has no fault, and a line of every probe', async () => {
    const { rows, faults } = await examine();
    expect(faults).toEqual([]);
    expect(rows.some(({ result }) => result === 'skipped')).toBe(false);
    expect(of(rows, 'oidc-redirect-uri').at(-1)?.seen).toBe('back to Postern: login_required');
    expect(of(rows, 'oidc-client-secret')[0]?.seen).toMatch(/^invalid_grant/);
    expect(of(rows, 'oidc-sessions').map(({ seen }) => seen)).toEqual([
      'offered',
      '45 to 60 minutes: a refresh token must last as long',
      'offered',
      'offered',
    ]);
  });

  test('is listed with the three addresses to register there', async () => {
    const { rows } = await examine();
    const said = of(rows, 'oidc-redirect-uri').map(({ seen }) => seen);
    expect(said.slice(0, 3)).toEqual([
      'https://cameras.example/cameras/postern/oidc/callback',
      'https://cameras.example/cameras/postern/oidc/logged-out',
      'https://cameras.example/cameras/postern/oidc/backchannel-logout',
    ]);
  });

  test('never prints the client secret, even where the provider repeats it', async () => {
    const clientSecret = 'a-secret-that-is-wrong';
    provider.answer('token', (response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_client', error_description: `no ${clientSecret}` }));
    });
    const { rows } = await examine({ clientSecret });
    expect(tableOf(rows)).toContain('invalid_client: no …');
    expect(tableOf(rows)).not.toContain(clientSecret);
  });
});

describe('a fault comes with what mends it', () => {
  const rows: ReadonlyArray<readonly [string, Changes, string, RegExp]> = [
    [
      'another redirect URI',
      { basePath: '' },
      'oidc-redirect-uri',
      /\/\/cameras\.example\/postern\/oidc\/callback/,
    ],
    ['an unknown client', { clientId: 'nobody' }, 'oidc-redirect-uri', /auth\.oidc\.client_id/],
    ['another secret', { clientSecret: 'wrong' }, 'oidc-client-secret', /auth\.oidc\.client_secret/],
    ['a clock that is a minute behind', { behind: 60_000 }, 'oidc-clock', /time service/],
  ];
  test.each(rows)('%s', async (_, changes, probe, change) => {
    const { faults } = await examine(changes);
    expect(of(faults, probe)).toHaveLength(1);
    expect(of(faults, probe)[0]?.change).toMatch(change);
  });

  test('a client that has to authenticate by another method', async () => {
    provider.answer('token', (response) => {
      const isByHeader = response.req.headers.authorization !== undefined;
      errorAnswer(isByHeader ? 'invalid_client' : 'invalid_grant', 400)(response);
    });
    const { faults } = await examine();
    expect(faults.map(({ change }) => change)).toEqual([
      expect.stringMatching(/proves itself by client_secret_post: .* to client_secret_basic/),
    ]);
  });

  test.each([
    ['Invalid authorization code', 400, 'ok'],
    ['Invalid client secret', 400, 'FAULT'],
    ['No', 401, 'FAULT'],
    ['Something went wrong', 400, 'info'],
  ])('a provider with error codes of its own: %s', async (error, status, result) => {
    provider.answer('token', errorAnswer(error, status));
    const { rows: all } = await examine();
    expect(of(all, 'oidc-client-secret').map((row) => row.result)).toEqual([result]);
  });

  test('a provider that answers something else at the issuer: no further requests', async () => {
    provider.answer('discovery', htmlAnswer());
    const { faults, rows: all } = await examine();
    expect(faults.map(({ probe, seen }) => [probe, seen])).toEqual([['oidc-discovery', '200']]);
    expect(new Set(all.slice(1).map(({ result }) => result))).toEqual(new Set(['skipped']));
  });

  test('keys that verify nothing', async () => {
    provider.answer('jwks', (response) => {
      const keys = [
        { kty: 'oct', k: 'AAAA' },
        { kty: 'RSA', use: 'enc', n: 'AQAB', e: 'AQAB' },
        { kty: 'RSA' },
      ];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
    });
    const { faults } = await examine();
    expect(faults.map(({ probe, seen }) => [probe, seen])).toEqual([['oidc-keys', '0 of 3']]);
  });

  test('a scope that the client may not have', async () => {
    const location = `${publicUrl}/cameras/postern/oidc/callback?error=invalid_scope`;
    provider.answer('authorize', (response) => void response.writeHead(302, { location }).end());
    const { faults } = await examine();
    expect(faults.map(({ change }) => change)).toEqual([expect.stringMatching(/^auth\.oidc\.scopes/)]);
  });

  test('an error that the provider shows on a page of its own', async () => {
    provider.answer('authorize', (response) => {
      response.writeHead(302, { location: '/consent?error=invalid_request&error_hint=redirect_uri' }).end();
    });
    const { faults } = await examine();
    expect(faults.map(({ seen }) => seen)).toEqual(['a page of the provider: invalid_request: redirect_uri']);
  });

  test('a page without a known error proves nothing', async () => {
    provider.answer('authorize', htmlAnswer());
    const { faults, rows: all } = await examine();
    expect(faults).toEqual([]);
    expect(of(all, 'oidc-redirect-uri').at(-1)?.seen).toMatch(/shows at the first login alone$/);
  });

  test('a provider that does not answer', async () => {
    await provider.leave();
    const { faults } = await examine();
    await provider.comeBack();
    expect(faults.map(({ seen }) => seen)).toEqual([expect.stringContaining('does not answer')]);
  });
});

describe('roles', () => {
  const linesOf = async (changes: Changes) =>
    of((await examine(changes)).rows, 'oidc-roles').map(({ sent, seen }) => `${sent}: ${seen}`);

  test('are listed with their groups, and a map without an admin is noticed', async () => {
    const roleMap = new Map([
      ['viewer', new Set(['family', 'guests'])],
      ['street', new Set<string>()],
    ]);
    expect(await linesOf({ roleMap, defaultRole: 'viewer' })).toEqual([
      'auth.oidc.role_map.viewer: the groups family, guests',
      'auth.oidc.role_map.street: no group: no one gets it',
      'people of no such group: viewer',
      'admin: no one at the provider: only local accounts can be',
    ]);
    expect(await linesOf({ roleMap: undefined })).toEqual([
      'auth.oidc.role_map: none: a group of groups is the name of a role',
      'people of no such group: refused: oidc_no_role',
    ]);
  });

  test('a missing scope for refresh tokens is reported', async () => {
    const { rows } = await examine({ scopes: 'openid profile', userClaims: ['nickname'] });
    expect(of(rows, 'oidc-sessions')[0]?.change).toMatch(/offline_access/);
    expect(of(rows, 'oidc-claims').find(({ result }) => result === 'info')?.sent).toBe(
      'auth.oidc.user_claim: nickname',
    );
  });
});

describe('the metadata of a provider', () => {
  const issuer = 'https://id.example';
  const good = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  const found = async (metadata: object | undefined, failure?: string) => {
    const answer = {
      status: metadata === undefined ? 0 : 200,
      body: '',
      location: undefined,
      date: undefined,
    };
    const findings = await discovery.run({
      oidc: { issuer },
      discoveryUrl: `${issuer}/.well-known/openid-configuration`,
      discovery: { answer: { ...answer, ...(failure === undefined ? {} : { failure }) }, at: 0 },
      metadata,
    } as unknown as ProviderExamination);
    return findings
      .filter(({ result }) => result !== 'ok')
      .map(({ result, sent, change }) => `${result} ${sent}: ${change}`);
  };

  test('suffice for a login', async () => {
    expect(await found(good)).toEqual([]);
    expect(await found({ ...good, issuer: `${issuer}/` })).toEqual([]);
  });

  test.each<readonly [string, object, RegExp]>([
    ['another name', { issuer: `${issuer}/realms/home` }, /^FAULT issuer: .*\/realms\/home, exactly/],
    ['an endpoint by http', { token_endpoint: 'http://id.example/token' }, /^FAULT token_endpoint/],
    ['no code flow', { response_types_supported: ['id_token'] }, /^FAULT response_types_supported/],
    ['only plain PKCE', { code_challenge_methods_supported: ['plain'] }, /^FAULT code_challenge_methods/],
    ['nothing of PKCE', { code_challenge_methods_supported: undefined }, /^info code_challenge_methods/],
    [
      'only HMAC',
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      /^FAULT id_token_signing_alg/,
    ],
  ])('with %s are reported', async (_, changed, line) => {
    expect(await found({ ...good, ...changed })).toEqual([expect.stringMatching(line)]);
  });

  test('an unknown certificate authority: names the variable that mends it', async () => {
    const [line] = await found(undefined, 'it does not answer: SELF_SIGNED_CERT_IN_CHAIN');
    expect(line).toMatch(/NODE_EXTRA_CA_CERTS/);
  });
});

describe('the last sign-ins', () => {
  const record = (changes: Partial<SignInRecord>, detail: SignInRecord['detail'] = {}) =>
    ({
      time: '2026-11-27T10:00:00.000Z',
      event: 'login_failed',
      source: 'oidc',
      detail,
      ...changes,
    }) as SignInRecord;
  const claims = ['sub (text)', 'groups (number)'];
  const looked_for = ['auth.oidc.groups_claim: groups (number)'];
  const unreadable = 'groups (number)';
  const linesOf = async (signIns: readonly SignInRecord[] | undefined) => {
    const rows = await checkSignIns.run({ signIns } as unknown as ProviderExamination);
    return rows.map(({ result, seen }) => `${result} ${seen}`);
  };

  test('have a line for every shape that can’t be read, a fault in the newest', async () => {
    const odd = record({ reason: 'oidc_no_role' }, { claims, looked_for, unreadable });
    const good = record({ event: 'login' });
    expect(await linesOf([odd, odd, good])).toEqual([`FAULT unreadable: ${unreadable}`]);
    expect(await linesOf([good, odd])).toEqual([`info unreadable: ${unreadable}`]);
    expect(await linesOf([record({ event: 'login' }, { unreadable })])).toEqual([
      `FAULT unreadable: ${unreadable}`,
    ]);
  });

  test('name the claims of a refusal', async () => {
    const refused = record({ reason: 'oidc_no_role' }, { claims, looked_for });
    expect(await linesOf([refused])).toEqual([
      'info oidc_no_role: looked for auth.oidc.groups_claim: groups (number); came: sub (text), groups (number)',
    ]);
  });

  test('are fine without one, and others are not looked at', async () => {
    const password = record({ source: 'password', reason: 'wrong_password' }, { claims, looked_for });
    for (const records of [undefined, [], [password]])
      expect(await linesOf(records)).toEqual(['info none recorded']);
    expect(await linesOf([record({ event: 'login' }), password])).toEqual(['ok readable claims']);
  });
});
