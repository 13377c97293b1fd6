import { ownRules } from '../../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../../support/roles.ts';
import type { Authentication, Identity } from '../../../../src/policy/identity.ts';
import type { Front } from '../../../../src/policy/request-context.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import type { AccessRule } from '../../../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import { filtered, known, nothingRecorded } from '../known-cameras.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const roles = rolesOf([['family', new Set(['front'])]]);
const rules = {
  roles,
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front', 'garage'])),
  recorded: nothingRecorded,
  internalHosts: new Set<string>(),
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
};
const identityOf = (role: string): Identity => ({
  user: 'olaf',
  role,
  source: 'proxy',
  groups: '',
  email: '',
  name: '',
});
const evaluateFor = (
  authentication: Authentication,
  method: string | undefined,
  uri: string | undefined,
  basePath = '',
) =>
  evaluate(
    { entryPoint: 'authenticated', method, uri, headers: [], host: 'gate.test', secure: true },
    authentication,
    { ...rules, basePath },
  );
const evaluateRole = (role: string, method: string | undefined, uri: string | undefined, basePath?: string) =>
  evaluateFor({ identity: identityOf(role) }, method, uri, basePath);

describe('a base path that the front has removed', () => {
  test.each([
    ['/cameras/api/garage/latest.jpg', 'uri_base_path'],
    ['/%63ameras/api/garage/latest.jpg', 'uri_base_path'],
    ['//cameras//api/garage/latest.jpg', 'uri_base_path'],
    ['http://gate.test/cameras/login', 'uri_base_path'],
    ['/cameras', 'uri_base_path'],
    ['/cameras2/x', 'allowed'],
    ['/api/garage/latest.jpg', 'allowed'],
    ['/login', 'public'],
  ])('%s: %s', (uri, reason) => {
    expect(evaluateRole('admin', 'GET', uri, '/cameras').reason).toBe(reason);
  });

  test('does not change the decision on any other URI', () => {
    const part = fc.constantFrom(
      'api',
      'garage',
      'front',
      'clips',
      'vod',
      'users',
      'latest.jpg',
      '',
      '%61',
      'x',
    );
    const uris = fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
    assertCases(
      fc.property(uris, fc.constantFrom('admin', 'viewer', 'family'), (uri, role) => {
        expect(evaluateRole(role, 'GET', uri, '/cameras')).toEqual(evaluateRole(role, 'GET', uri));
      }),
    );
  });
});

describe('a known identity', () => {
  test.each<[role: string, method: string | undefined, uri: string | undefined, reason: string]>([
    ['admin', 'DELETE', '/api/users/eve', 'allowed'],
    ['viewer', 'GET', '/api/garage/latest.jpg', 'allowed'],
    ['viewer', 'POST', '/api/garage/latest.jpg', 'read_only'],
    ['viewer', 'GET', '/api/restart', 'admin_only'],
    ['viewer', 'POST', '/api/config', 'admin_only'],
    ['family', 'GET', '/api/front/latest.jpg', 'allowed'],
    ['family', 'GET', '/api/garage/latest.jpg', 'camera_not_granted'],
    ['family', 'GET', '/clips/', 'target_unresolved'],
    ['family', 'PUT', '/api/users/olaf/password', 'allowed'],
    ['undefined_role', 'GET', '/api/front/latest.jpg', 'camera_not_granted'],
    ['none', 'GET', '/', 'no_role'],
    ['None', 'GET', '/api/front/latest.jpg', 'no_role'],
    ['none', 'PUT', '/api/users/olaf/password', 'no_role'],
    ['none', undefined, undefined, 'no_role'],
    // Made for one person, and gone.
    ['guest_0123456789ab', 'GET', '/api/front/latest.jpg', 'no_role'],
    ['guest_0123456789ab', 'GET', '/', 'no_role'],
    ['family', 'GET', 'http://evil.test/api/garage/latest.jpg', 'camera_not_granted'],
    ['family', 'GET', '/%61pi/g%61rage/latest.jpg', 'camera_not_granted'],
    ['admin', 'GET', '/clips/../api/config', 'uri_dot_segment'],
    ['admin', 'GET', '/login/../api/config', 'uri_dot_segment'],
    ['admin', 'GET', '', 'uri_malformed'],
    ['admin', 'GET', '/a%2fb', 'uri_encoded_slash'],
    ['admin', undefined, undefined, 'allowed'],
    ['viewer', undefined, undefined, 'allowed'],
    ['family', undefined, undefined, 'uri_missing'],
    ['undefined_role', 'GET', undefined, 'uri_missing'],
  ])('%s %s %s: %s', (role, method, uri, reason) => {
    const decision = evaluateRole(role, method, uri);
    expect(decision).toMatchObject({ reason, identity: identityOf(role) });
    expect(decision.outcome).toBe(reason === 'allowed' ? 'allow' : 'forbidden');
  });

  test('an allowance carries the grant', () => {
    expect(evaluateRole('viewer', 'GET', '/')).toMatchObject({ grant: 'all' });
    expect(evaluateRole('family', 'GET', '/')).toMatchObject({ grant: new Set(['front']) });
  });
});

describe('an unknown identity', () => {
  test.each(['no_session', 'user_missing', 'proxy_secret_mismatch', 'trusted_header_alias'] as const)(
    '%s: unauthenticated, wherever the request goes',
    (refused) => {
      for (const uri of ['/', '/api/config', '/auth', '/a/../b', undefined]) {
        const decision = evaluateFor({ refused }, 'GET', uri);
        expect(decision).toMatchObject({ outcome: 'unauthenticated', reason: refused, identity: undefined });
      }
    },
  );

  test('known to the proxy but without a role: forbidden', () => {
    const decision = evaluateFor({ refused: 'no_role' }, 'GET', '/');
    expect(decision).toMatchObject({ outcome: 'forbidden', reason: 'no_role', identity: undefined });
  });
});

describe('a public path', () => {
  const evaluateNobody = (uri: string, front?: Front, method = 'GET') =>
    evaluate(
      { entryPoint: 'authenticated', front, method, uri, headers: [], host: 'gate.local', secure: true },
      { refused: 'no_session' },
      rules,
    );
  const isPublic = { outcome: 'allow', reason: 'public', identity: undefined, grant: new Set() };

  test.each(['/api/login', '/login', '/login?next=/', '/postern/assets/index.js'])(
    '%s needs no identity at the gate itself, and grants nothing',
    (uri) => {
      for (const front of [undefined, 'embedded'] as const)
        expect(evaluateNobody(uri, front)).toMatchObject(isPublic);
    },
  );

  test.each(['/login', 'https://host/login', 'http://host:8971/login?x', 'https://me@host/login'])(
    '%s is public to nginx, in absolute-form with any host too',
    (uri) => {
      expect(evaluateNobody(uri, 'auth-request')).toMatchObject(isPublic);
    },
  );

  test.each(['//login', '/%6cogin', '/login/', 'https://host//login', 'https://host/%6cogin'])(
    'another spelling, %s, needs an identity',
    (uri) => {
      for (const front of [undefined, 'embedded', 'auth-request', 'forward-auth'] as const)
        expect(evaluateNobody(uri, front)).toMatchObject({
          outcome: 'unauthenticated',
          reason: 'no_session',
        });
    },
  );

  test.each<[front: Front, uri: string]>([
    ['forward-auth', '/login'],
    ['ext-authz', '/login'],
    ['forward-auth', '/postern/assets/index.js'],
    ['ext-authz', '/postern/assets/index.js'],
    ['auth-request', '/postern/assets/index.js'],
  ])('%s, which may pass %s on, needs an identity', (front, uri) => {
    expect(evaluateNobody(uri, front)).toMatchObject({
      outcome: 'forbidden',
      reason: 'front_public_path',
      identity: undefined,
    });
    const asked = { entryPoint: 'authenticated', front, method: 'GET', uri, headers: [], host: 'x' } as const;
    const decision = evaluate({ ...asked, secure: true }, { identity: identityOf('viewer') }, rules);
    expect(decision).toMatchObject({ outcome: 'allow', reason: 'allowed' });
  });

  test('an empty file name is not public', () => {
    for (const uri of ['/postern/assets/', '/postern/assets/?x', '/postern/assets/?x=/index.js'])
      expect(evaluateNobody(uri)).toMatchObject({ outcome: 'unauthenticated' });
  });
});

test('no spelling of another name opens a camera’s path', () => {
  const template = fc.constantFrom(
    ['/live/jsmpeg/', ''],
    ['/live/mse/api/ws?src=', ''],
    ['/live/mse/api/ws?src=front&src=', ''],
    ['/recordings/2026-11-21/10/', '/00.00.mp4'],
    ['/vod/', '/start/1/end/2'],
    ['/api/export/', '/start/1/end/2'],
    ['/api/', '/start/1/end/2/clip.mp4'],
  );
  const name = fc.oneof(
    fc.constantFrom('garage', 'Front', 'front%20', 'front;garage', 'front,garage', 'front%2c', 'front.', ''),
    fc.constantFrom(
      'front/../garage',
      'front%2f..%2fgarage',
      '%66ron',
      'front%00',
      'garage?front',
      'garage#front',
    ),
    fc.string({ minLength: 1, maxLength: 6 }).map((text) => encodeURIComponent(text)),
  );
  assertCases(
    fc.property(template, name, ([before, after], camera) => {
      fc.pre(!['front', 'roles', 'login', 'assets'].includes(decodeURIComponent(camera)));
      expect(evaluateRole('family', 'GET', `${before}${camera}${after}`).outcome).toBe('forbidden');
    }),
    { numRuns: 1_000 },
  );
});

describe('the recorder’s configuration', () => {
  const opened: AccessRule = { path: '/api/*', level: 'any', may: 'shell' };
  const open = {
    ...rules,
    resolveResource: prepareRules([...ownRules, ...lockedRules, opened, ...recorderRules])(known(['front'])),
  };
  const reasonFor = (role: string, uri: string, front: Front | undefined, from: typeof rules = open) =>
    evaluate(
      { entryPoint: 'authenticated', front, method: 'GET', uri, headers: [], host: 'x', secure: true },
      { identity: identityOf(role) },
      from,
    ).reason;
  const spellings = [
    '/api/config',
    '/api/config?x=1',
    '//api/config',
    '/%61pi/config',
    '/api/config/',
    '/API/config',
  ];

  test.each(['viewer', 'family'])('is open to a %s only where the gate masks it', (role) => {
    for (const front of ['embedded', 'relay'] as const)
      expect([front, reasonFor(role, '/api/config', front)]).toEqual([front, 'allowed']);
    for (const front of ['auth-request', 'forward-auth', 'ext-authz', undefined] as const)
      for (const uri of spellings)
        expect([front, uri, reasonFor(role, uri, front)]).toEqual([
          front,
          uri,
          uri.endsWith('/') ? 'admin_only' : 'configuration_unmasked',
        ]);
  });

  test('is open to admin by every front', () => {
    for (const front of ['embedded', 'relay', 'auth-request', 'forward-auth', 'ext-authz'] as const)
      for (const uri of spellings) expect(reasonFor('admin', uri, front)).toBe('allowed');
  });

  test.each(['viewer', 'family'])('is open to a %s there without any rule', (role) => {
    expect(reasonFor(role, '/api/config', 'embedded', rules)).toBe('allowed');
    expect(reasonFor(role, '/api/config', 'relay', rules)).toBe('allowed');
    expect(reasonFor(role, '/api/config', 'auth-request', rules)).toBe('configuration_unmasked');
  });

  test('is closed where a rule closes it', () => {
    const closed: AccessRule = { path: '/api/config', level: 'admin-only', may: 'everything' };
    const resolveResource = prepareRules([...ownRules, ...lockedRules, closed, ...recorderRules])(
      known(['front']),
    );
    expect(reasonFor('viewer', '/api/config', 'embedded', { ...rules, resolveResource })).toBe('admin_only');
  });

  test('is closed to displays, whatever a rule opens', () => {
    for (const uri of spellings.concat('/api/CONFIG'))
      for (const from of [rules, open])
        expect(
          evaluate(
            {
              entryPoint: 'authenticated',
              front: 'embedded',
              method: 'GET',
              uri,
              headers: [],
              host: 'x',
              secure: true,
            },
            { identity: { ...identityOf('viewer'), source: 'display' } },
            from,
          ).outcome,
        ).toBe('forbidden');
  });

  test('is the only such path', () => {
    for (const uri of ['/api/version', '/api/labels']) {
      expect(reasonFor('viewer', uri, 'auth-request')).toBe('allowed');
    }
  });
});

describe('a user who has to set up a second factor first', () => {
  const restricted = { ...identityOf('admin'), source: 'session', restricted: 'second_factor' } as const;
  test.each<[method: string | undefined, uri: string | undefined, reason: string]>([
    ['GET', '/postern/account', 'allowed'],
    ['GET', '/api/profile', 'allowed'],
    ['GET', '/login', 'public'],
    ['GET', '/postern/', 'second_factor_missing'],
    ['GET', '/api/users', 'second_factor_missing'],
    ['PUT', '/api/users/olaf/password', 'second_factor_missing'],
    ['POST', '/postern/api/tokens', 'second_factor_missing'],
    ['GET', '/auth', 'second_factor_missing'],
    ['GET', '/api/front/latest.jpg', 'second_factor_missing'],
    ['GET', '/anything', 'second_factor_missing'],
    ['GET', '/%2e%2e/x', 'second_factor_missing'],
    [undefined, undefined, 'second_factor_missing'],
  ])('%s %s: %s', (method, uri, reason) => {
    expect(evaluateFor({ identity: restricted }, method, uri).reason).toBe(reason);
  });
});

describe('a camera that is called as a part of a path', () => {
  const table = [...ownRules, ...lockedRules, ...recorderRules];
  const words = new Set(
    table.flatMap(({ path }) => path.split('/')).filter((part) => /^[a-z][a-z0-9_.-]*$/.test(part)),
  );
  const capitalized = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  const cameras = [...words].map(capitalized);
  const byNames = {
    ...rules,
    resolveResource: prepareRules(table)(known(cameras)),
    // The recorder limits no list, so custom roles get none.
    listsAreFiltered: () => false,
    roles: rolesOf(cameras.map((camera) => [`only ${camera}`, new Set([camera])] as const)),
  };
  const decide = (role: string, method: string, uri: string) =>
    evaluate(
      { entryPoint: 'authenticated', method, uri, headers: [], host: 'gate.test', secure: true },
      { identity: identityOf(role) },
      byNames,
    );
  /** Paths of all rules in which one word is a camera's name, and whatever is open besides it. */
  const paths = [
    ...new Set(
      table.flatMap(({ path }) => {
        const parts = path
          .replace('/**', '/x')
          .replace(/:[a-z]+/g, 'x')
          .replaceAll('*', 'x')
          .split('/');
        return parts.flatMap((part, place) =>
          words.has(part) ? [parts.with(place, capitalized(part)).join('/')] : [],
        );
      }),
    ),
  ];

  // A case-insensitive server answers as for the path in lower case.
  test('opens nothing that the path in lower case does not, no list either', () => {
    const wrong: string[] = [];
    let allowed = 0;
    for (const path of paths)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        for (const role of ['viewer', ...path.split('/').map((part) => `only ${part}`)]) {
          if (role !== 'viewer' && !byNames.roles.has(role)) continue;
          const [found, plain] = [decide(role, method, path), decide(role, method, path.toLowerCase())];
          if (found.outcome !== 'allow') continue;
          // No rule knows that path, or the same one reads it: the name of a camera is a name in its own case.
          if (plain.reason === 'target_unresolved' || plain.rule === found.rule) continue;
          allowed += 1;
          if (plain.outcome !== 'allow')
            wrong.push(`${role}: ${method} ${path} by ${found.rule?.path}, not ${plain.rule?.path}`);
        }
    expect(wrong).toEqual([]);
    expect(allowed).toBeGreaterThan(10);
  });

  test.each(['Config', 'Logs', 'Users'])('%s is for admins', (name) => {
    for (const role of ['viewer', `only ${name}`])
      expect(decide(role, 'GET', `/api/${name}`).outcome, role).toBe(
        decide(role, 'GET', `/api/${name.toLowerCase()}`).outcome,
      );
  });
});
