import { mayByDefault } from '../../../src/policy/capability.ts';
import type { Identity } from '../../../src/policy/identity.ts';
import { expect, test } from 'vitest';
import { explain } from '../../../src/access/explain.ts';
import type { Decision } from '../../../src/policy/decision.ts';

const identity: Identity = {
  user: 'olaf',
  role: 'family',
  source: 'proxy',
  groups: 'kin',
  email: '',
  name: '',
};
const request = { entryPoint: 'authenticated', method: 'GET', uri: '/api/front' } as const;
const rule = { path: '/api/:known/**', level: 'camera-in-path', may: 'everything' } as const;
const resource = { kind: 'cameras', cameras: ['front'] } as const;
const allow = {
  outcome: 'allow',
  reason: 'allowed',
  identity,
  grant: new Set(['front']),
  may: mayByDefault,
} as const;

test.each<[what: string, asked: Parameters<typeof explain>[0], decision: Decision, steps: readonly string[]]>(
  [
    [
      'a granted camera',
      request,
      { ...allow, path: '/api/front', rule, resource },
      [
        'trust: the authenticated entry point',
        'identity: olaf, by proxy',
        'role: family, from the groups "kin"',
        'uri: GET /api/front',
        'row: /api/:known/** is camera-in-path',
        'cameras: front',
        'cameras: the role is granted front',
        'verdict: allow: allowed, the role may do this',
      ],
    ],
    [
      'a rule stricter than the recorder',
      { ...request, uri: '/api/metrics' },
      {
        outcome: 'forbidden',
        reason: 'camera_not_granted',
        identity,
        path: '/api/metrics',
        rule: { path: '/api/metrics', level: 'every-camera', may: 'history', stricter: 'It counts.' },
        resource: { kind: 'every-camera' },
      },
      [
        'trust: the authenticated entry point',
        'identity: olaf, by proxy',
        'role: family, from the groups "kin"',
        'uri: GET /api/metrics',
        'row: /api/metrics is every-camera',
        'row: stricter than a release of the recorder: It counts.',
        'verdict: forbidden: camera_not_granted, the role doesn’t include a camera that this is about',
      ],
    ],
    [
      'no identity, without the secret',
      { ...request, uri: undefined },
      { outcome: 'unauthenticated', reason: 'proxy_secret_missing', identity: undefined },
      [
        'trust: proxy.auth_secret is set and the request has no X-Proxy-Secret',
        'identity: no one was identified',
        'uri: the front didn’t send it',
        'verdict: unauthenticated: proxy_secret_missing, proxy.auth_secret is set and the request has no X-Proxy-Secret',
      ],
    ],
    [
      'an unreadable URI, on the internal entry point',
      { entryPoint: 'internal', method: 'GET', uri: '/a/../b' },
      { outcome: 'forbidden', reason: 'uri_dot_segment', identity: { ...identity, groups: '' } },
      [
        'trust: the internal entry point: anonymous, as admin; identity headers are ignored',
        'identity: olaf, by proxy',
        'role: family',
        'uri: /a/../b can’t be read safely',
        'verdict: forbidden: uri_dot_segment, the path has a dot segment',
      ],
    ],
  ],
)('%s', (_, asked, decision, steps) => {
  expect(explain(asked, decision).map(({ step, says }) => `${step}: ${says}`)).toEqual(steps);
});

test('does not repeat the query of an unreadable URI', () => {
  const decision = { outcome: 'forbidden', reason: 'uri_dot_segment', identity } as const;
  const steps = explain({ ...request, uri: '/a/../b?token=s3cret' }, decision);
  expect(JSON.stringify(steps)).not.toContain('s3cret');
});
