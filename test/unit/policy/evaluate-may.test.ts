import { ownRules } from '../../support/every-endpoint.ts';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { accessRules } from '../../../src/config/access-rules.ts';
import { capabilities, type Capability } from '../../../src/policy/capability.ts';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import type { Rules } from '../../../src/policy/evaluate/rules.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import type { RequestContext } from '../../../src/policy/request-context.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { noSchedules, rolesOf } from '../../support/roles.ts';
import { filtered, known } from './known-cameras.ts';

type Words = readonly Capability[];

const shell: Words = [];
const everything: Words = ['live', 'history', 'export'];

/**
 * Some of each need: which rule needs which words is proved in `recorder/access-rules-may.test.ts`. The events, exports and reviews
 * are of the camera front too.
 */
const ofOneCamera: ReadonlyArray<[request: string, needs: Words]> = [
  ['GET /live/jsmpeg/front', ['live']],
  ['POST /api/go2rtc/webrtc?src=front', ['live']],
  ['GET /vod/front/start/1/end/2/index.m3u8', ['history']],
  ['GET /api/events', ['history']],
  ['GET /api/events/1.f/snapshot.jpg', ['history']],
  ['POST /api/reviews/viewed', ['history']],
  ['POST /api/export/front/start/1/end/2', ['export']],
  ['GET /api/exports', ['export']],
  ['GET /clips/export/e1.webp', ['export']],
  ['GET /api/front/grid.jpg', everything],
  ['GET /', shell],
  ['GET /ws', shell],
  ['PUT /api/users/olaf/password', shell],
  // By rules of an operator.
  ['GET /weather/today', shell],
  ['GET /doorbell/front', ['live']],
  ['GET /archive/front', everything],
];
/** Closed to custom roles, whatever they may do. */
const ofAllCameras: ReadonlyArray<[request: string, needs: Words]> = [
  ['GET /live/jsmpeg/birdseye', ['live']],
  ['GET /live/webrtc/x/y', ['live']],
  ['GET /stream/front/1.ts', ['live']],
  ['GET /recordings/', ['history']],
  ['GET /clips/', ['history']],
  ['GET /api/metrics', ['history']],
  ['GET /exports/', ['export']],
  ['GET /clips/Export/e1.webp', ['history', 'export']],
  ['GET /api/unknown/latest.jpg', everything],
  ['GET /api/anything', everything],
];
/** A server that ignores letter case would serve these as another path. */
const otherCase: ReadonlyArray<[request: string, needs: Words]> = [
  ['GET /Live/jsmpeg/front', ['live']],
  ['GET /VOD/front/start/1/end/2/index.m3u8', ['history']],
  ['GET /API/events', ['history']],
  ['GET /%41PI/events', ['history']],
  ['GET /API/Exports', ['export']],
  ['GET /API/Cases', ['export']],
  ['GET /Exports/e1.mp4', ['export']],
  ['GET /API/front/latest.jpg', ['live']],
  ['GET /API/VERSION', shell],
  ['GET /INDEX.html', shell],
];

const mays: readonly Words[] = [
  [],
  ['live'],
  ['history'],
  ['export'],
  ['ptz'],
  ['live', 'history'],
  ['live', 'history', 'ptz'],
  ['history', 'export'],
  everything,
  capabilities,
];

const ofOperator = v.parse(accessRules, [
  { path: '/api/config', methods: ['GET'], require: 'any' },
  { path: '/weather/**', require: 'any', may: 'shell' },
  { path: '/doorbell/:camera', require: 'camera-in-path', may: 'live' },
  { path: '/archive/:camera/**', require: 'camera-in-path' },
]);
const resolveResource = prepareRules([...ownRules, ...lockedRules, ...ofOperator, ...recorderRules])(
  known(['front', 'garage']),
);
const rulesOf = (guard: Words, viewer: Words): Rules => ({
  roles: rolesOf([['guard', ['front']]], { guard: { may: guard }, viewer: { may: viewer } }),
  resolveResource,
  recorded: {
    camerasOfEvents: (ids) => new Map(ids.map((id) => [id, 'front'])),
    camerasOfExport: () => ['front'],
    camerasOfReview: () => ['front'],
  },
  internalHosts: new Set(),
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
});
const decide = (request: string, identity: Identity, rules: Rules, change: Partial<RequestContext> = {}) => {
  const [method, uri] = request.split(' ');
  return evaluate(
    {
      entryPoint: 'authenticated',
      front: 'embedded',
      method,
      uri,
      headers: [],
      body: 'to-come',
      host: 'gate.test',
      secure: true,
      ...change,
    },
    { identity },
    rules,
  );
};
const session = (role: string) => plainIdentity('olaf', role, 'session');
const token = (role: string, may: Words): Identity => ({
  ...plainIdentity('olaf', role, 'api-token'),
  token: { id: 't', cameras: undefined, may: new Set(may) },
});

/** The same words, however an identity comes by them. */
const identities: ReadonlyArray<[who: string, seesAll: boolean, of: (may: Words) => [Identity, Rules]]> = [
  ['a custom role', false, (may) => [session('guard'), rulesOf(may, capabilities)]],
  ['a narrowed viewer', true, (may) => [session('viewer'), rulesOf(capabilities, may)]],
  [
    'an API token of a custom role',
    false,
    (may) => [token('guard', may), rulesOf(capabilities, capabilities)],
  ],
  ['an API token of viewer', true, (may) => [token('viewer', may), rulesOf(capabilities, capabilities)]],
  [
    'an API token with every word of a narrowed role',
    false,
    (may) => [token('guard', capabilities), rulesOf(may, capabilities)],
  ],
];

describe.each(identities)('%s', (_, seesAll, of) => {
  const asked = [...ofOneCamera, ...otherCase, ...(seesAll ? ofAllCameras : [])].filter(
    // The password of an account is closed to API tokens.
    ([request]) => !request.includes('/password'),
  );
  test.each(asked)('%s needs %j', (request, needs) => {
    for (const may of mays) {
      const decision = decide(request, ...of(may));
      const missing = needs.find((word) => !may.includes(word));
      if (missing === undefined) expect(decision.outcome, may.join()).toBe('allow');
      else
        expect(decision, may.join()).toMatchObject({ outcome: 'forbidden', reason: 'role_may_not', missing });
    }
  });
});

test.each(ofOneCamera.filter(([, needs]) => needs === shell))('%s is open without any word', (request) => {
  for (const role of ['guard', 'viewer'])
    expect(decide(request, session(role), rulesOf([], [])).outcome).toBe('allow');
});

test('the page of a camera needs one of two words', () => {
  const page = 'GET /postern/cameras/front';
  for (const may of mays)
    for (const [, , of] of identities) {
      const decision = decide(page, ...of(may));
      if (may.includes('live') || may.includes('history')) expect(decision.outcome, may.join()).toBe('allow');
      else expect(decision, may.join()).toMatchObject({ reason: 'role_may_not', missing: 'live' });
    }
  expect(decide('GET /postern/cameras/garage', session('guard'), rulesOf(['live'], [])).reason).toBe(
    'camera_not_granted',
  );
});

test('what an allowance carries is what is left of the role, and nothing on public paths', () => {
  const [identity, rules] = [token('guard', ['live', 'ptz']), rulesOf(['live', 'history'], capabilities)];
  expect(decide('GET /api/front', identity, rules)).toMatchObject({ may: new Set(['live']) });
  expect(decide('GET /login', identity, rules)).toMatchObject({ reason: 'public', may: new Set() });
});

test('admin may do everything, whatever an entry for admin says', () => {
  const roles = rolesOf([], { admin: { may: ['live'] } });
  for (const [request] of [...ofOneCamera, ...ofAllCameras, ...otherCase])
    expect(decide(request, session('admin'), { ...rulesOf([], []), roles }).outcome, request).toBe('allow');
});

test('a camera of another role is refused before a word', () => {
  const rules = rulesOf(['live'], capabilities);
  const reasonOf = (request: string) => decide(request, session('guard'), rules).reason;
  expect(reasonOf('GET /vod/garage/start/1/end/2/index.m3u8')).toBe('camera_not_granted');
  expect(reasonOf('GET /vod/front/start/1/end/2/index.m3u8')).toBe('role_may_not');
  expect(decide('GET /vod/garage/start/1/end/2', session('guard'), rules)).not.toHaveProperty('missing');
});

test('the messages of a viewer are filtered, and closed where no one can', () => {
  const narrowed = rulesOf([], ['live']);
  expect(decide('GET /ws', session('viewer'), narrowed)).toMatchObject({ outcome: 'allow', isGuarded: true });
  expect(decide('GET /ws', session('viewer'), narrowed, { front: 'auth-request' }).reason).toBe(
    'messages_unfiltered',
  );
  const whole = rulesOf([], capabilities);
  // Figures have the commands of processes.
  expect(decide('GET /ws', session('viewer'), whole, { front: 'auth-request' }).reason).toBe(
    'messages_unfiltered',
  );
  expect(decide('GET /ws', session('viewer'), whole)).toMatchObject({ outcome: 'allow', isGuarded: false });
  expect(decide('GET /ws', session('admin'), whole, { front: 'auth-request' }).outcome).toBe('allow');
});

test('no spelling of letters needs less', () => {
  const needing = [...ofOneCamera, ...ofAllCameras].filter(
    ([request, needs]) => needs.length > 0 && /^GET [^A-Z]+$/.test(request),
  );
  const upper = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });
  assertCases(
    fc.property(
      fc.constantFrom(...needing),
      upper,
      fc.constantFrom(...mays),
      ([request, needs], isUpper, may) => {
        if (needs.every((word) => may.includes(word))) return;
        const [path = '', query = ''] = (request.split(' ')[1] ?? '').split('?');
        const spelt = [...path]
          .map((letter, i) => (isUpper[i] === true ? letter.toUpperCase() : letter))
          .join('');
        const rules = rulesOf(capabilities, may);
        expect(decide(`GET ${spelt}?${query}`, session('viewer'), rules).outcome, spelt).toBe('forbidden');
      },
    ),
    { numRuns: 3_000, reaching: 0.3 },
  );
});

const filming = Buffer.from('v=0\r\nm=video 9 RTP/AVP 96\r\na=sendonly\r\n');

test.each<[role: string, request: string, body: Uint8Array, reason: string]>([
  ['viewer', 'POST /api/go2rtc/webrtc?src=front', filming, 'admin_only'],
  ['admin', 'POST /api/go2rtc/webrtc?src=front', filming, 'allowed'],
  // Its messages are decided one by one, and not its body.
  ['viewer', 'GET /live/webrtc/api/ws?src=front', Buffer.from(''), 'allowed'],
])('%s offers pictures by %s', (role, request, body, reason) => {
  const headers = ['Content-Type', 'text/plain'];
  expect(decide(request, session(role), rulesOf([], capabilities), { body, headers }).reason).toBe(reason);
});
