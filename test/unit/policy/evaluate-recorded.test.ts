import { ownRules } from '../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../support/roles.ts';
import type { Identity } from '../../../src/policy/identity.ts';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import type { RecordedCameras } from '../../../src/policy/resource.ts';
import { filtered, known } from './known-cameras.ts';

const events = new Map([
  ['1.f', 'front'],
  ['2.g', 'garage'],
]);
const recorded: RecordedCameras = {
  camerasOfEvents: (ids) => new Map([...events].filter(([id]) => ids.includes(id))),
  camerasOfExport: (name) => (name === 'mine.mp4' ? ['front'] : name === 'theirs.mp4' ? ['garage'] : []),
  camerasOfReview: (id) => [events.get(id) ?? []].flat(),
};
const fault = () => {
  throw new Error('the recorder was asked');
};
const evaluateRole = (
  role: string,
  method: string,
  uri: string,
  recorder = recorded,
  everyoneIsAdmin?: () => boolean,
) => {
  const identity: Identity = { user: 'olaf', role, source: 'proxy', groups: '', email: '', name: '' };
  const request = {
    entryPoint: 'authenticated',
    method,
    uri,
    headers: [],
    host: 'gate.test',
    secure: true,
  } as const;
  return evaluate(
    request,
    { identity },
    {
      roles: rolesOf([['family', new Set(['front'])]]),
      resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(
        known(['front', 'garage']),
      ),
      recorded: recorder,
      internalHosts: new Set<string>(),
      listsAreFiltered: filtered.listsAreFiltered,
      everyoneIsAdmin,
      stateOf: noSchedules,
      basePath: '',
    },
  );
};

describe('by rows of the recorder', () => {
  test.each<[role: string, request: string, reason: string]>([
    ['family', 'GET /api/events/1.f/clip.mp4', 'allowed'],
    ['family', 'GET /api/events/2.g/clip.mp4', 'camera_not_granted'],
    ['family', 'GET /api/events/9.z/clip.mp4', 'target_unresolved'],
    ['viewer', 'GET /api/events/9.z/clip.mp4', 'allowed'],
    ['family', 'GET /vod/event/2.g/index.m3u8', 'camera_not_granted'],
    ['family', 'GET /api/event_ids?ids=1.f', 'allowed'],
    ['family', 'GET /api/event_ids?ids=1.f,2.g', 'camera_not_granted'],
    ['family', 'GET /api/event_ids?ids=1.f,9.z', 'allowed'],
    ['family', 'GET /api/event_ids?ids=1.f&cameras=garage', 'camera_not_granted'],
    ['family', 'GET /api/review_ids?ids=1.f', 'allowed'],
    ['family', 'GET /api/review_ids?ids=1.f,2.g', 'camera_not_granted'],
    ['family', 'GET /api/review_ids?ids=1.f,9.z', 'target_unresolved'],
    ['family', 'GET /api/review_ids', 'target_unresolved'],
    ['family', 'GET /exports/mine.mp4', 'allowed'],
    ['family', 'GET /exports/theirs.mp4', 'camera_not_granted'],
    ['family', 'GET /exports/gone.mp4', 'target_unresolved'],
  ])('%s %s: %s', (role, request, reason) => {
    const [method = '', uri = ''] = request.split(' ');
    expect(evaluateRole(role, method, uri).reason).toBe(reason);
  });
});

describe('behind a front that only asks, with a recorder that treats everyone as admin', () => {
  test.each<[role: string, request: string, reason: string]>([
    ['viewer', 'GET /ws', 'messages_unfiltered'],
    ['viewer', 'POST /api/reviews/viewed', 'body_unread'],
    ['viewer', 'POST /api/exports/batch', 'body_unread'],
    ['viewer', 'POST /api/export/custom/front/start/1/end/2', 'body_unread'],
    ['admin', 'GET /ws', 'allowed'],
    ['admin', 'POST /api/exports/batch', 'allowed'],
  ])('%s %s: %s, and otherwise the recorder decides', (role, request, reason) => {
    const [method = '', uri = ''] = request.split(' ');
    expect(evaluateRole(role, method, uri, recorded, () => true).reason).toBe(reason);
    // Figures among the messages have commands, whatever the recorder thinks of viewers.
    const otherwise = uri === '/ws' ? reason : 'allowed';
    expect(evaluateRole(role, method, uri, recorded, () => false).reason).toBe(otherwise);
  });
});

describe('changes that a reading role may make', () => {
  test.each<[role: string, request: string, reason: string]>([
    ['viewer', 'POST /api/reviews/viewed', 'allowed'],
    ['admin', 'POST /api/reviews/viewed', 'allowed'],
    // Until the body is read: test/unit/policy/recorder-releases.test.ts.
    ['family', 'POST /api/reviews/viewed', 'body_unread'],
    ['viewer', 'POST /api/exports/batch', 'allowed'],
    ['admin', 'POST /api/exports/batch', 'allowed'],
    ['family', 'POST /api/exports/batch', 'body_unread'],
    ['viewer', 'GET /api/exports/batch', 'allowed'],
    ['viewer', 'PUT /api/exports/batch', 'read_only'],
    ['viewer', 'POST /api/go2rtc/webrtc?src=birdseye', 'body_unread'],
    ['admin', 'POST /api/go2rtc/webrtc?src=birdseye', 'allowed'],
    ['family', 'POST /api/go2rtc/webrtc?src=birdseye', 'camera_not_granted'],
    ['viewer', 'POST /api/garage/search/motion', 'allowed'],
    ['family', 'POST /api/front/search/motion', 'allowed'],
    ['family', 'POST /api/garage/search/motion', 'camera_not_granted'],
    ['family', 'POST /api/garage/search/motion/1/cancel', 'camera_not_granted'],
    ['viewer', 'POST /api/export/custom/front/start/1/end/2', 'allowed'],
    ['admin', 'POST /api/export/custom/front/start/1/end/2', 'allowed'],
    ['family', 'POST /api/export/custom/front/start/1/end/2', 'body_unread'],
    ['family', 'POST /api/export/custom/garage/start/1/end/2', 'camera_not_granted'],
    ['viewer', 'POST /api/front/plus/1.5', 'admin_only'],
    ['viewer', 'POST /api/notifications/register', 'admin_only'],
    ['viewer', 'POST /api/cases', 'read_only'],
    ['viewer', 'DELETE /api/cases/1', 'read_only'],
    ['viewer', 'PUT /api/reviews/viewed', 'read_only'],
    ['family', 'DELETE /api/review/1.f/viewed', 'allowed'],
    ['family', 'DELETE /api/review/2.g/viewed', 'camera_not_granted'],
    ['family', 'DELETE /api/review/9.z/viewed', 'target_unresolved'],
    ['viewer', 'DELETE /api/review/2.g/viewed', 'allowed'],
    ['viewer', 'DELETE /api/review/2.g', 'read_only'],
    ['family', 'POST /api/export/front/start/1/end/2', 'body_unread'],
    ['family', 'POST /api/export/garage/start/1/end/2', 'camera_not_granted'],
    ['viewer', 'POST /api/export/garage/start/1/end/2', 'allowed'],
    ['viewer', 'DELETE /api/export/garage', 'read_only'],
    ['family', 'DELETE /api/events/1.f', 'read_only'],
    // A front that shows no body would pass on addresses to connect to, and sound.
    ['family', 'POST /api/go2rtc/webrtc?src=front', 'body_unread'],
    ['viewer', 'POST /api/go2rtc/webrtc?src=front', 'body_unread'],
    ['admin', 'POST /api/go2rtc/webrtc?src=front', 'allowed'],
    ['family', 'POST /api/go2rtc/webrtc?src=garage', 'camera_not_granted'],
    ['family', 'POST /api/go2rtc/webrtc?src=front&src=garage', 'camera_not_granted'],
    ['viewer', 'DELETE /api/go2rtc/webrtc?src=front', 'read_only'],
  ])('%s %s: %s', (role, request, reason) => {
    const [method = '', uri = ''] = request.split(' ');
    expect(evaluateRole(role, method, uri).reason).toBe(reason);
  });
});

test('does not ask the recorder for roles that see all cameras', () => {
  const broken = { camerasOfEvents: fault, camerasOfExport: fault, camerasOfReview: fault };
  for (const role of ['admin', 'viewer']) {
    expect(evaluateRole(role, 'GET', '/api/events/2.g/clip.mp4', broken).outcome).toBe('allow');
  }
});

test('a decision has its path, rule and cameras', () => {
  expect(evaluateRole('family', 'GET', '//api/%65vents/2.g?x=1')).toMatchObject({
    path: '/api/events/2.g',
    rule: { path: '/api/events/:event/**' },
    resource: { kind: 'cameras', cameras: ['garage'] },
  });
  expect(evaluateRole('family', 'GET', '/a/../b')).toMatchObject({ path: undefined, rule: undefined });
});
