import { expect, test } from 'vitest';
import { explain } from '../../../src/gateway/explain.ts';
import type { Judgement } from '../../../src/policy/judge.ts';
import type { Subject } from '../../../src/policy/verdict.ts';

const subject: Subject = {
  user: 'olaf',
  role: 'family',
  source: 'proxy',
  groups: 'kin',
  email: '',
  name: '',
};
const request = { edge: 'authenticated', method: 'GET', uri: '/api/front' } as const;
const row = { path: '/api/:known/**', requirement: 'camera-in-path' } as const;
const target = { kind: 'cameras', cameras: ['front'] } as const;
const allow = { kind: 'allow', reason: 'allowed', subject, grant: new Set(['front']) } as const;

test.each<
  [what: string, asked: Parameters<typeof explain>[0], judgement: Judgement, steps: readonly string[]]
>([
  [
    'a granted camera',
    request,
    { verdict: allow, path: '/api/front', row, target },
    [
      'trust: the authenticated edge',
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
    'nobody, for want of the secret',
    { ...request, uri: undefined },
    { verdict: { kind: 'unauthenticated', reason: 'proxy_secret_missing', subject: undefined } },
    [
      'trust: proxy.auth_secret is set and the request has no X-Proxy-Secret',
      'identity: nobody was identified',
      'uri: the front did not say it',
      'verdict: unauthenticated: proxy_secret_missing, proxy.auth_secret is set and the request has no X-Proxy-Secret',
    ],
  ],
  [
    'a URI that cannot be read, on the internal edge',
    { edge: 'internal', method: 'GET', uri: '/a/../b' },
    { verdict: { kind: 'forbidden', reason: 'uri_dot_segment', subject: { ...subject, groups: '' } } },
    [
      'trust: the internal edge: anonymous and admin, and no identity header is looked at',
      'identity: olaf, by proxy',
      'role: family',
      'uri: /a/../b cannot be read safely',
      'verdict: forbidden: uri_dot_segment, the path has a dot segment',
    ],
  ],
])('%s', (_, asked, judgement, steps) => {
  expect(explain(asked, judgement).map(({ step, says }) => `${step}: ${says}`)).toEqual(steps);
});

test('the query of a URI that cannot be read is not repeated', () => {
  const verdict = { kind: 'forbidden', reason: 'uri_dot_segment', subject } as const;
  const steps = explain({ ...request, uri: '/a/../b?token=s3cret' }, { verdict });
  expect(JSON.stringify(steps)).not.toContain('s3cret');
});
