import { ownRules } from '../../../support/every-endpoint.ts';
import { rolesOf } from '../../../support/roles.ts';
import { describe, expect, test } from 'vitest';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import type { RequestContext } from '../../../../src/policy/request-context.ts';
import { checks } from '../../../../src/policy/evaluate/checks.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { plainIdentity, type Authentication, type Identity } from '../../../../src/policy/identity.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { prepareSchedules } from '../../../../src/policy/schedule.ts';
import type { Rules } from '../../../../src/policy/evaluate/rules.ts';
import { known, nothingRecorded } from '../known-cameras.ts';

test('the checks decide in this order', () => {
  expect(
    Object.values(checks)
      .flat()
      .map(({ name }) => name),
  ).toEqual([
    'front_fault',
    'global_denial',
    'front_public_path',
    'unidentified',
    'share_over',
    'share_stopped',
    'share_creator',
    'share_may',
    'share_scope',
    'no_role',
    'second_factor',
    'uri',
    'schedule',
    'uri_missing',
    'body',
    'login_needed',
    'display',
    'role',
    'stopped',
    'may',
    'offer',
    'query',
    'recorded_since',
    'unnamed_cameras',
    'unfiltered_list',
    'messages',
    'changed_answer',
    'cross_site',
    'share_camera',
  ]);
});

const since = Date.parse('2026-01-01T00:00:00Z');
const rules: Rules = {
  roles: rolesOf(
    [
      ['family', ['front']],
      ['closed', ['front']],
      ['guest', ['front']],
      ['watcher', ['front']],
    ],
    {
      closed: { until: '2025-12-31' },
      guest: { from: '2026-01-01', history: 'from' },
      watcher: { may: ['live'], from: '2026-01-01', history: 'from' },
    },
  ),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front', 'garage'])),
  recorded: nothingRecorded,
  internalHosts: new Set(),
  listsAreFiltered: () => false,
  basePath: '',
  stateOf: prepareSchedules({ now: () => since }, () => 'UTC'),
};

type Change = Partial<RequestContext> & { readonly as?: Partial<Identity> | 'no one' };

function reasonOf({ as = {}, ...change }: Change) {
  const authentication: Authentication =
    as === 'no one'
      ? { refused: 'no_session' }
      : { identity: { ...plainIdentity('olaf', 'family', 'session'), ...as } };
  return evaluate(
    {
      entryPoint: 'authenticated',
      front: 'embedded',
      method: 'GET',
      uri: '/api/front/latest.jpg',
      headers: [],
      peer: '192.0.2.1',
      host: 'gate.test',
      secure: true,
      ...change,
    },
    authentication,
    rules,
  ).reason;
}

const fault = { reason: 'front_header_missing', header: 'x-forwarded-uri' } as const;
const token = { source: 'api-token', token: { id: 't', cameras: new Set(['front']) } } as const;
const foreign = { headers: ['Origin', 'https://other.test'] };
const opening = { headers: ['Upgrade', 'websocket', 'Origin', 'https://other.test'] };
const list = { uri: '/api/events?limit=5', front: 'forward-auth' } as const;

describe('of two checks that both refuse, the first one wins', () => {
  test.each<[first: string, second: string, both: Change, secondAlone: Change]>([
    ['front_header_missing', 'method_refused', { fault, method: 'TRACE' }, { method: 'TRACE' }],
    ['method_refused', 'no_session', { method: 'TRACE', as: 'no one' }, { as: 'no one' }],
    [
      'front_public_path',
      'no_session',
      { uri: '/login', front: 'forward-auth', as: 'no one' },
      { front: 'forward-auth', as: 'no one' },
    ],
    [
      'no_role',
      'second_factor_missing',
      { as: { role: 'none', restricted: 'second_factor' } },
      { as: { restricted: 'second_factor' } },
    ],
    [
      'second_factor_missing',
      'uri_dot_segment',
      { uri: '/a/../b', as: { restricted: 'second_factor' } },
      { uri: '/a/../b' },
    ],
    [
      'uri_dot_segment',
      'role_outside_schedule',
      { uri: '/a/../b', as: { role: 'closed' } },
      { as: { role: 'closed' } },
    ],
    [
      'role_outside_schedule',
      'uri_missing',
      { uri: undefined, as: { role: 'closed' } },
      { uri: undefined, front: 'auth-request' },
    ],
    [
      'body_unreadable',
      'cross_site',
      { method: 'POST', uri: '/api/reviews/viewed', body: Buffer.from('{'), ...foreign },
      { method: 'POST', uri: '/api/reviews/viewed', body: 'to-come', ...foreign },
    ],
    [
      'login_needed',
      'admin_only',
      { uri: '/postern/api/other', as: token },
      { uri: '/api/config/raw', as: token },
    ],
    [
      'camera_not_granted',
      'before_schedule',
      { uri: '/vod/garage/start/1/end/2/index.m3u8', as: { role: 'guest' } },
      { uri: '/vod/front/start/1/end/2/index.m3u8', as: { role: 'guest' } },
    ],
    [
      'login_needed',
      'role_may_not',
      { uri: '/postern/api/other', as: { ...token, role: 'watcher' } },
      { uri: '/api/front/recordings', as: { ...token, role: 'watcher' } },
    ],
    [
      'camera_not_granted',
      'role_may_not',
      { uri: '/vod/garage/start/1/end/2/index.m3u8', as: { role: 'watcher' } },
      { uri: '/vod/front/start/1/end/2/index.m3u8', as: { role: 'watcher' } },
    ],
    [
      'read_only',
      'role_may_not',
      { uri: '/api/front/recordings', method: 'PUT', as: { role: 'watcher' } },
      { uri: '/api/front/recordings', as: { role: 'watcher' } },
    ],
    [
      'role_may_not',
      'body_unread',
      { uri: '/api/reviews/viewed', method: 'POST', as: { role: 'watcher' } },
      { uri: '/api/reviews/viewed', method: 'POST' },
    ],
    [
      'role_may_not',
      'before_schedule',
      { uri: '/vod/front/start/1/end/2/index.m3u8', as: { role: 'watcher' } },
      { uri: '/vod/front/start/1/end/2/index.m3u8', as: { role: 'guest' } },
    ],
    [
      'role_may_not',
      'cameras_unnamed',
      { uri: '/api/sub_labels', as: { ...token, role: 'watcher' } },
      { uri: '/api/sub_labels', as: token },
    ],
    ['role_may_not', 'recorder_role_unverified', { ...list, as: { role: 'watcher' } }, list],
    [
      'role_may_not',
      'cross_site',
      { uri: '/api/front/recordings', as: { role: 'watcher' }, ...opening },
      { uri: '/api/front/latest.jpg', as: { role: 'watcher' }, ...opening },
    ],
    ['camera_not_granted', 'recorder_role_unverified', { ...list, uri: '/api/events?cameras=garage' }, list],
    ['time_unreadable', 'recorder_role_unverified', { ...list, as: { role: 'guest' } }, list],
    ['cameras_unnamed', 'recorder_role_unverified', { ...list, as: token }, list],
    [
      'messages_unfiltered',
      'cross_site',
      { uri: '/ws', front: 'forward-auth', ...opening },
      { uri: '/live/jsmpeg/front', front: 'forward-auth', ...opening },
    ],
    [
      'messages_unfiltered',
      'cross_site',
      { uri: '/api/version', ...opening },
      { uri: '/api/front/latest.jpg', ...opening },
    ],
    [
      'messages_unfiltered',
      'cross_site',
      { uri: '/live/mse/api/ws?src=front', front: 'forward-auth', ...opening },
      { uri: '/live/mse/api/ws?src=front', front: 'embedded', ...opening },
    ],
    [
      'configuration_unmasked',
      'cross_site',
      { uri: '/api/config', as: { role: 'viewer' }, front: 'forward-auth', ...opening },
      { uri: '/api/front/latest.jpg', as: { role: 'viewer' }, front: 'forward-auth', ...opening },
    ],
  ])('%s before %s', (first, second, both, secondAlone) => {
    expect(reasonOf(both)).toBe(first);
    expect(reasonOf(secondAlone)).toBe(second);
  });
});
