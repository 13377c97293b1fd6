import { ownRules } from '../../support/every-endpoint.ts';
import { describe, expect, test } from 'vitest';
import { apiToken } from '../../../src/features/api-tokens/strategy.ts';
import { sessionToken } from '../../../src/access/authentication/session-token.ts';
import { identityOfCreator } from '../../../src/access/creator.ts';
import type { ApiToken } from '../../../src/features/api-tokens/api-tokens.ts';
import { sessionCookie } from '../../../src/accounts/sessions/session-cookie.ts';
import type { Session } from '../../../src/accounts/sessions/session-token.ts';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import { decideForCreator } from '../../../src/policy/evaluate/share-access.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { clockAt } from '../../support/clock-at.ts';
import { noSchedules, rolesOf } from '../../support/roles.ts';
import { spellingsOfNone } from '../../support/spellings-of-none.ts';
import { filtered, known, nothingRecorded } from '../policy/known-cameras.ts';

const roles = rolesOf([['family', ['front']]]);
const rules = {
  roles,
  stateOf: noSchedules,
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front'])),
  recorded: nothingRecorded,
  internalHosts: new Set<string>(),
  listsAreFiltered: filtered.listsAreFiltered,
  basePath: '',
};
const settings = { mode: 'session', issuer: undefined, secondFactorFor: new Set<string>() } as const;
const reasonOf = (identity: Identity, method = 'GET', uri = '/api/front/latest.jpg') =>
  evaluate(
    { entryPoint: 'authenticated', method, uri, headers: [], host: 'gate.test', secure: true },
    { identity },
    rules,
  ).reason;

/** By the stored role of a user, as rows of an earlier version or of another program may have it. */
describe.each(spellingsOfNone)('a user whose stored role is %s', (role) => {
  const user = {
    username: 'olaf',
    role,
    generation: 'g',
    notBefore: 0,
    issuer: undefined,
    hasSecondFactor: false,
  };

  test('has a session that opens nothing', async () => {
    const found = { user } as Session;
    const sessions = {
      recall: () => found,
      check: async () => ({ session: found }),
      revalidate: async () => ({ session: found }),
    };
    const strategy = sessionToken(sessions, sessionCookie('session_token'), roles, new Set(['viewer']));
    const identified = await strategy({ headers: ['Cookie', 'session_token=t'] } as never);
    expect(identified).toMatchObject({ identity: { user: 'olaf', role } });
    const { identity } = identified as { readonly identity: Identity };
    for (const [method, uri] of [
      ['GET', '/'],
      ['GET', '/api/profile'],
      ['GET', '/api/front/latest.jpg'],
      ['GET', '/postern/account'],
      ['PUT', '/api/users/olaf/password'],
      ['POST', '/postern/api/tokens'],
    ] as const)
      expect([uri, reasonOf(identity, method, uri)]).toEqual([uri, 'no_role']);
  });

  test.each([[role], ['viewer'], ['family']])('has an API token of %s that is refused', async (of) => {
    const token = tokenOf(of, role);
    const strategy = apiToken(
      { recall: () => ({ apiToken: token }), check: async () => ({ apiToken: token }) },
      { roles, issuer: undefined, isProtected: () => true },
    );
    const bearer = `postern_${'t'.repeat(43)}`;
    expect(await strategy({ headers: ['Authorization', `Bearer ${bearer}`] } as never)).toEqual({
      refused: 'api_token_too_wide',
    });
  });

  test('has shares that show nothing', async () => {
    const creator = await identityOfCreator(
      { user: 'olaf', role: 'viewer', source: 'session', tokenId: undefined },
      { ...settings, rules },
      {
        users: { findTogether: async () => ({ ...user, ...account }) },
        clock: clockAt(0),
      },
    );
    expect(creator?.role).toBe(role);
    expect(shown(creator)).toBe('no_role');
  });
});

test.each(spellingsOfNone)('an API token whose stored role is %s is refused, even of an admin', (role) => {
  const token = tokenOf(role, 'admin');
  const strategy = apiToken(
    { recall: () => ({ apiToken: token }), check: async () => ({ apiToken: token }) },
    { roles, issuer: undefined, isProtected: () => true },
  );
  expect(strategy({ headers: ['Authorization', `Bearer postern_${'t'.repeat(43)}`] } as never)).toEqual({
    refused: 'api_token_too_wide',
  });
});

test.each(spellingsOfNone)('a share that a user of a proxy made as %s shows nothing', async (role) => {
  const creator = await identityOfCreator(
    { user: 'olaf', role, source: 'proxy', tokenId: undefined },
    { ...settings, mode: 'proxy', rules },
    {
      users: { findTogether: async () => undefined },
      clock: clockAt(0),
    },
  );
  expect(shown(creator)).toBe('no_role');
});

test.each(spellingsOfNone)('an identity of %s is refused before its path is read', (role) => {
  for (const uri of ['/', '/a/../b', '/api/front/latest.jpg'])
    expect(reasonOf(plainIdentity('olaf', role, 'proxy'), 'GET', uri)).toBe('no_role');
});

const account = {
  id: 'an id',
  passwordHash: 'h',
  blocked: undefined,
  generatedPasswordUnused: false,
  hasGeneratedPassword: false,
};

function shown(creator: Identity | undefined): string | undefined {
  return (
    creator &&
    decideForCreator({ target: '/api/front/latest.jpg', method: 'GET', camera: 'front' }, creator, rules)
      .reason
  );
}

function tokenOf(role: string, ownerRole: string): ApiToken {
  return {
    id: 't',
    name: 't',
    owner: 'olaf',
    ownerRole,
    role,
    isOwnerBlocked: false,
    ownerIssuer: undefined,
    cameras: undefined,
    createdAt: 0,
    expiresAt: undefined,
  };
}
