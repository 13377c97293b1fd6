import { describe, expect, test } from 'vitest';
import type { Identity } from '../../../../src/policy/identity.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import type { Front } from '../../../../src/policy/request-context.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { ownRules } from '../../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../../support/roles.ts';
import { filtered, known } from '../known-cameras.ts';

const events = new Map([
  ['1.f', 'front'],
  ['2.f', 'front'],
  ['3.g', 'garage'],
]);
const lookedUp: string[][] = [];
const rules = {
  roles: rolesOf([['family', new Set(['front'])]]),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front', 'garage'])),
  recorded: {
    camerasOfEvents: (ids: readonly string[]) => {
      lookedUp.push([...ids]);
      return new Map([...events].filter(([id]) => ids.includes(id)));
    },
    camerasOfExport: () => [],
    camerasOfReview: () => [],
  },
  internalHosts: new Set<string>(),
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
};

function ask(role: string, uri: string, { cameras, front }: { cameras?: string[]; front: Front }) {
  const identity: Identity = {
    user: 'olaf',
    role,
    source: 'api-token',
    groups: '',
    email: '',
    name: '',
    token: { id: 't', cameras: cameras && new Set(cameras) },
  };
  const request = { method: 'GET', uri, headers: [], host: undefined, secure: true, front } as const;
  const decision = evaluate({ entryPoint: 'authenticated', ...request }, { identity }, rules);
  return decision.outcome === 'allow' ? (decision.narrowed ?? 'as it is') : decision.reason;
}

const path = '/api/event_ids';
const long = 'x'.repeat(65);

describe('a camera-scoped token', () => {
  test.each<[query: string, passedOn: string]>([
    ['?ids=1.f,2.f', 'as it is'],
    ['?ids=1.f,9.z', '?ids=1.f'],
    ['?ids=9.z,2.f&ids=8.z,1.f', '?ids=2.f,1.f'],
    ['?limit=1&ids=9.z%2C1.f&cameras=front', '?limit=1&ids=1.f&cameras=front'],
    ['?IDS=1.f&ids=9.z', '?ids=none'],
    ['?ids=9.z', '?ids=none'],
    // Invalid: the answer is the owner's.
    ['', 'as it is'],
    ['?ids=', 'as it is'],
    ['?cameras=front', 'as it is'],
    [`?ids=${long}`, 'as it is'],
    [`?ids=1.f,${long}`, 'as it is'],
    [`?ids=9.z,${long}`, `?ids=${long}`],
    // Of another camera.
    ['?ids=3.g', 'camera_not_granted'],
    ['?ids=1.f,3.g,9.z', 'camera_not_granted'],
    ['?ids=1.f&cameras=garage', 'camera_not_granted'],
    // What servers read differently.
    ['?ids=9.z;ids=1.f', 'target_unresolved'],
    ['?x=1;IDS=1.f', 'target_unresolved'],
    ['?IDS=3.g', '?ids=none'],
    ['?ids=1.f&ids[]=3.g', '?ids=1.f'],
    ['?ids=1.f&%69ds=3.g', 'camera_not_granted'],
  ])('%s: %s', (query, passedOn) => {
    const expected = passedOn.startsWith('?') ? `${path}${passedOn}` : passedOn;
    expect(ask('viewer', `${path}${query}`, { cameras: ['front'], front: 'relay' })).toBe(expected);
  });

  test('gets no list with unknown ids from a front that passes on the client’s own', () => {
    const at = { cameras: ['front'], front: 'forward-auth' } as const;
    const asked = (query: string) => ask('viewer', `${path}${query}`, { ...at, cameras: ['front'] });
    expect(asked('?ids=1.f')).toBe('as it is');
    expect(asked('?ids=1.f,9.z')).toBe('target_unresolved');
    for (const query of ['?ids=9.z', '', '?ids=', '?IDS=1.f'])
      expect(asked(query), query).toBe('target_unresolved');
  });
});

describe('more than 1,000 ids', () => {
  const ids = (count: number) => `${path}?ids=${Array.from({ length: count }, (_, i) => i).join()}`;

  test.each(['admin', 'viewer', 'family'])('go on without them, for their 422: %s', (role) => {
    lookedUp.length = 0;
    for (const cameras of role === 'admin' ? [undefined] : [undefined, ['front']])
      expect(ask(role, ids(1_001), { front: 'embedded', ...(cameras && { cameras }) })).toBe(
        `${path}?too_many_ids`,
      );
    expect(lookedUp.flat()).toEqual([]);
  });

  test('are refused by a front that passes on the client’s own', () => {
    expect(ask('family', ids(1_001), { front: 'forward-auth' })).toBe('target_unresolved');
    expect(ask('viewer', ids(1_001), { front: 'forward-auth' })).toBe('as it is');
  });

  test('1,000 are looked up', () => {
    expect(ask('family', ids(1_000), { front: 'embedded' })).toBe('as it is');
  });
});
