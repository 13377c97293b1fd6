import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Identification } from '../../../src/policy/identify.ts';
import { judge } from '../../../src/policy/judge.ts';
import { prepareTargets } from '../../../src/policy/resolve-target.ts';
import { lockedRows, recorderRows } from '../../../src/policy/target-table.ts';
import type { Subject } from '../../../src/policy/verdict.ts';
import { known, nothingRecorded } from './known-cameras.ts';

const customRoles = new Map([['family', new Set(['front'])]]);
const rules = {
  customRoles,
  resolveTarget: prepareTargets([...lockedRows, ...recorderRows], known(['front', 'garage'])),
  recorded: nothingRecorded,
  internalHosts: new Set<string>(),
  basePath: '',
};
const subjectOf = (role: string): Subject => ({
  user: 'olaf',
  role,
  source: 'proxy',
  groups: '',
  email: '',
  name: '',
});
const judgeFor = (
  identification: Identification,
  method: string | undefined,
  uri: string | undefined,
  basePath = '',
) =>
  judge(
    { edge: 'authenticated', method, uri, headers: [], host: 'gate.test', secure: true },
    identification,
    { ...rules, basePath },
  ).verdict;
const judgeRole = (role: string, method: string | undefined, uri: string | undefined, basePath?: string) =>
  judgeFor({ subject: subjectOf(role) }, method, uri, basePath);

describe('a base path, which the front has taken away', () => {
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
    expect(judgeRole('admin', 'GET', uri, '/cameras').reason).toBe(reason);
  });

  test('every other URI is judged as it is without', () => {
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
    fc.assert(
      fc.property(uris, fc.constantFrom('admin', 'viewer', 'family'), (uri, role) => {
        expect(judgeRole(role, 'GET', uri, '/cameras')).toEqual(judgeRole(role, 'GET', uri));
      }),
    );
  });
});

describe('a subject that is known', () => {
  test.each<[role: string, method: string | undefined, uri: string | undefined, reason: string]>([
    ['admin', 'DELETE', '/api/users/eve', 'allowed'],
    ['viewer', 'GET', '/api/garage/latest.jpg', 'allowed'],
    ['viewer', 'POST', '/api/garage/latest.jpg', 'read_only'],
    ['viewer', 'GET', '/api/config', 'admin_only'],
    ['family', 'GET', '/api/front/latest.jpg', 'allowed'],
    ['family', 'GET', '/api/garage/latest.jpg', 'camera_not_granted'],
    ['family', 'GET', '/clips/', 'target_unresolved'],
    ['family', 'PUT', '/api/users/olaf/password', 'allowed'],
    ['undefined_role', 'GET', '/api/front/latest.jpg', 'camera_not_granted'],
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
    const verdict = judgeRole(role, method, uri);
    expect(verdict).toMatchObject({ reason, subject: subjectOf(role) });
    expect(verdict.kind).toBe(reason === 'allowed' ? 'allow' : 'forbidden');
  });

  test('an allowance carries the grant', () => {
    expect(judgeRole('viewer', 'GET', '/')).toMatchObject({ grant: 'all' });
    expect(judgeRole('family', 'GET', '/')).toMatchObject({ grant: new Set(['front']) });
  });
});

describe('a subject that is not known', () => {
  test.each(['no_session', 'user_missing', 'proxy_secret_mismatch', 'trusted_header_alias'] as const)(
    '%s: unauthenticated, wherever the request goes',
    (refused) => {
      for (const uri of ['/', '/api/config', '/auth', '/a/../b', undefined]) {
        const verdict = judgeFor({ refused }, 'GET', uri);
        expect(verdict).toEqual({ kind: 'unauthenticated', reason: refused, subject: undefined });
      }
    },
  );

  test('known to the proxy but without a role: forbidden', () => {
    const verdict = judgeFor({ refused: 'no_role' }, 'GET', '/');
    expect(verdict).toEqual({ kind: 'forbidden', reason: 'no_role', subject: undefined });
  });

  test('public paths need no subject, name none and grant nothing', () => {
    for (const uri of ['/api/login']) {
      const verdict = judgeFor({ refused: 'no_session' }, 'POST', uri);
      expect(verdict).toEqual({ kind: 'allow', reason: 'public', subject: undefined, grant: new Set() });
    }
  });
});

test('no spelling of another name opens the path of a camera', () => {
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
  fc.assert(
    fc.property(template, name, ([before, after], camera) => {
      fc.pre(!['front', 'roles', 'login', 'assets'].includes(decodeURIComponent(camera)));
      expect(judgeRole('family', 'GET', `${before}${camera}${after}`).kind).toBe('forbidden');
    }),
    { numRuns: 1_000 },
  );
});
