import { ownRules } from '../../../support/every-endpoint.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offeredMessages, recorderMessages } from '../../../../src/http/reverse-proxy/recorder-messages.ts';
import { capabilities, type Capability } from '../../../../src/policy/capability.ts';
import {
  accessToCameras,
  accessToLists,
  decideFor,
  type Asking,
  type Permission,
} from '../../../../src/policy/evaluate/camera-access.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import type { Rules } from '../../../../src/policy/evaluate/rules.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import type { RequestContext } from '../../../../src/policy/request-context.ts';
import { accessOfRole, expandRoles, type ConfiguredAccess } from '../../../../src/policy/role-access.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { scheduleAt, turnOf } from '../../../../src/policy/schedule.ts';
import { assertCases } from '../../../support/assert-cases.ts';
import { filtered, known, nothingRecorded } from '../known-cameras.ts';

const zone = 'Europe/Berlin';
const noon = Temporal.PlainDateTime.from('2026-11-23T12:00').toZonedDateTime(zone).epochMilliseconds;
const cameras = ['front_door', 'garage', 'yard'];

interface Case {
  readonly cameras: readonly string[];
  readonly access?: ConfiguredAccess | undefined;
}

const asking = (role: string, { cameras: listed, access }: Case, at = noon): Asking => {
  const roles = expandRoles({
    definitions: new Map([[role, { cameras: listed, access }]]),
    groups: new Map([['outside', ['yard']]]),
  });
  return {
    authentication: { identity: plainIdentity('nell', role, 'session') },
    schedule: accessOfRole(role, roles).schedule,
    rules: {
      roles,
      resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(cameras)),
      recorded: nothingRecorded,
      internalHosts: new Set(),
      listsAreFiltered: filtered.listsAreFiltered,
      stateOf: (schedule) => scheduleAt(schedule, at, zone),
      basePath: '',
    },
    front: 'embedded',
    at,
    zone,
  };
};

/** The answers for one camera, in the order of `capabilities`, as a text. */
const answersFor = (camera: string, asked: Asking) => {
  const entry = accessToCameras(cameras, asked).find(({ cameras: same }) => same.includes(camera));
  return capabilities.map((word) => shown(entry?.[word])).join(' ');
};
const shown = (permission: Permission | undefined) =>
  permission?.state === 'no' ? permission.reason : (permission?.state ?? 'none');

describe('what a role may do with a camera', () => {
  test.each<[name: string, role: string, of: Case, camera: string, answers: string]>([
    ['admin', 'admin', { cameras: [] }, 'garage', 'may may may may may may'],
    ['viewer', 'viewer', { cameras: [] }, 'garage', 'may may may may may may'],
    [
      'a viewer without words',
      'viewer',
      { cameras: [], access: { may: ['live'] } },
      'garage',
      'may role_may_not role_may_not role_may_not role_may_not role_may_not',
    ],
    [
      'its camera',
      'family',
      { cameras: ['garage'] },
      'garage',
      'may may may role_may_not role_may_not role_may_not',
    ],
    [
      'talking',
      'family',
      { cameras: ['garage'], access: { may: ['live', 'talk'] } },
      'garage',
      'may role_may_not role_may_not role_may_not role_may_not may',
    ],
    [
      'talking, without live pictures',
      'family',
      { cameras: ['garage'], access: { may: ['history', 'talk'] } },
      'garage',
      'role_may_not may role_may_not role_may_not role_may_not role_may_not',
    ],
    [
      'sharing recordings',
      'family',
      { cameras: ['garage'], access: { may: ['history', 'share'] } },
      'garage',
      'role_may_not may role_may_not role_may_not may role_may_not',
    ],
    [
      'sharing exports',
      'family',
      { cameras: ['garage'], access: { may: ['export', 'share'] } },
      'garage',
      'role_may_not role_may_not may role_may_not may role_may_not',
    ],
    [
      'sharing, with nothing to share',
      'family',
      { cameras: ['garage'], access: { may: ['live', 'share'] } },
      'garage',
      'may role_may_not role_may_not role_may_not role_may_not role_may_not',
    ],
    [
      'sharing, before its first day',
      'guest',
      { cameras: ['garage'], access: { may: ['history', 'share'], from: '2026-11-27' } },
      'garage',
      'role_may_not closed role_may_not role_may_not closed role_may_not',
    ],
    [
      'another camera',
      'family',
      { cameras: ['garage'] },
      'yard',
      'camera_not_granted camera_not_granted camera_not_granted camera_not_granted camera_not_granted camera_not_granted',
    ],
    [
      'a camera of its group role_may_not',
      'family',
      { cameras: [], access: { groups: ['outside'], may: ['live', 'ptz'] } },
      'yard',
      'may role_may_not role_may_not may role_may_not role_may_not',
    ],
    [
      'before its first day',
      'guest',
      { cameras: ['garage'], access: { may: ['live', 'history'], from: '2026-11-27', history: 'from' } },
      'garage',
      'closed closed role_may_not role_may_not role_may_not role_may_not',
    ],
    [
      'another camera, before its first day',
      'guest',
      { cameras: ['garage'], access: { from: '2026-11-27' } },
      'yard',
      'camera_not_granted camera_not_granted camera_not_granted camera_not_granted camera_not_granted camera_not_granted',
    ],
    [
      'once it is over',
      'guest',
      { cameras: ['garage'], access: { from: '2026-11-01', until: '2026-11-20', history: 'from' } },
      'garage',
      'closed closed closed role_may_not role_may_not role_may_not',
    ],
    [
      'without earlier recordings',
      'guest',
      { cameras: ['garage'], access: { from: '2026-11-23T11:59', history: 'from' } },
      'garage',
      'may may may role_may_not role_may_not role_may_not',
    ],
  ])('%s', (_, role, of, camera, answers) => {
    expect(answersFor(camera, asking(role, of))).toBe(answers);
  });

  test('a camera that the gate does not know is not granted', () => {
    const asked = asking('family', { cameras: ['garage'] });
    const [entry] = accessToCameras(['attic'], asked);
    expect(shown(entry?.live)).toBe('camera_not_granted');
  });

  test('cameras with the same answers are one entry, and each camera is in one', () => {
    const entries = accessToCameras(cameras, asking('family', { cameras: ['garage'] }));
    expect(entries.map(({ cameras: same }) => same)).toEqual([['front_door', 'yard'], ['garage']]);
  });

  test.each<[name: string, change: Partial<Asking>, answers: string]>([
    [
      'no front that shows messages and bodies',
      { front: 'auth-request' },
      'may may body_unread messages_unfiltered may body_unread',
    ],
    [
      'a blocked user',
      { authentication: { refused: 'user_blocked' } },
      'user_blocked user_blocked user_blocked user_blocked user_blocked user_blocked',
    ],
    [
      'a missing second factor',
      {
        authentication: {
          identity: { ...plainIdentity('nell', 'mover', 'session'), restricted: 'second_factor' },
        },
      },
      'second_factor_missing second_factor_missing second_factor_missing second_factor_missing second_factor_missing second_factor_missing',
    ],
  ])('%s', (_, change, answers) => {
    const mover = { cameras: ['garage'], access: { may: capabilities } };
    expect(answersFor('garage', { ...asking('mover', mover), ...change })).toBe(answers);
  });

  test.each<[name: string, access: ConfiguredAccess, isFiltered: boolean, answer: string]>([
    ['verified', {}, true, 'may'],
    ['not verified', {}, false, 'recorder_role_unverified'],
    ['without recordings', { may: ['live'] }, true, 'role_may_not'],
    ['closed', { from: '2026-11-27' }, true, 'closed'],
  ])('lists that name no camera: %s', (_, access, isFiltered, answer) => {
    const asked = asking('family', { cameras: ['garage'], access });
    const rules = { ...asked.rules, listsAreFiltered: () => isFiltered };
    expect(shown(accessToLists({ ...asked, rules }))).toBe(answer);
  });
});

describe('the same answers as real decisions', () => {
  /** Requests of clients for each capability, other than those that are asked about. */
  const real: Readonly<Record<Capability, (camera: string, at: number) => [string, string]>> = {
    live: (camera) => ['GET', `/api/${camera}/latest.jpg`],
    history: (camera, at) => ['GET', `/api/${camera}/start/${Math.ceil(at / 1_000)}/end/9999999999/clip.mp4`],
    export: (camera, at) => [
      'POST',
      `/api/export/custom/${camera}/start/${Math.ceil(at / 1_000)}/end/9999999999`,
    ],
    ptz: () => ['GET', '/ws'],
    share: () => ['POST', '/postern/api/shares'],
    talk: (camera) => ['GET', `/live/webrtc/api/ws?src=${camera}`],
  };
  const isAllowed = (word: Capability, camera: string, asked: Asking, at: number): boolean => {
    const { authentication, rules, front } = asked;
    const [method, uri] = real[word](camera, at);
    const request: RequestContext = {
      entryPoint: 'authenticated',
      front,
      method,
      uri,
      headers: [],
      body: 'to-come',
      host: 'gate.test',
      secure: true,
    };
    const permitted = evaluate(request, authentication, rulesOn(rules, at));
    if (permitted.outcome !== 'allow') return false;
    if (word === 'share')
      return isAllowed('history', camera, asked, at) || isAllowed('export', camera, asked, at);
    if (word === 'talk') {
      const sdp = 'v=0\r\nm=audio 9 RTP/AVP 0\r\na=sendrecv\r\n';
      const offer = JSON.stringify({ type: 'webrtc/offer', value: sdp });
      const sent = offeredMessages({ permitted }, () => undefined).toUpstream(offer, () => undefined);
      return sent === offer;
    }
    if (word !== 'ptz') return true;
    const stream = { permitted, id: '1', address: '192.0.2.1', onGoOn: undefined };
    const message = JSON.stringify({ topic: `${camera}/ptz`, payload: 'MOVE_UP' });
    return recorderMessages(stream, () => true).toUpstream(message) !== undefined;
  };
  const rulesOn = (rules: Rules, at: number): Rules => ({
    ...rules,
    stateOf: (schedule) => scheduleAt(schedule, at, zone),
  });

  const words = fc.subarray([...capabilities], { minLength: 1 });
  const day = fc.constantFrom('2026-11-20', '2026-11-22', '2026-11-23', '2026-11-23T11:59', '2026-11-27');
  const access = fc.record(
    {
      may: words,
      groups: fc.constant(['outside']),
      from: day,
      until: fc.constantFrom('2026-11-22', '2026-11-23', '2026-11-30'),
      hours: fc.constantFrom('07:00-19:00', '22:00-06:00', '12:00-12:01', '00:00-12:00'),
      history: fc.constant('from' as const),
    },
    { requiredKeys: [] },
  );
  const cases = fc.record({ cameras: fc.subarray(cameras), access: fc.option(access, { nil: undefined }) });
  const roles = fc.constantFrom('admin', 'viewer', 'family');
  const moments = fc
    .integer({ min: -3 * 24 * 60, max: 5 * 24 * 60 })
    .map((minutes) => noon + minutes * 60_000);

  test('now, and when the schedule opens', () => {
    assertCases(
      fc.property(roles, cases, moments, fc.constantFrom(...cameras), (role, of, at, camera) => {
        const asked = asking(role, of, at);
        const entry = accessToCameras(cameras, asked).find(({ cameras: same }) => same.includes(camera));
        const turn = asked.schedule && turnOf(asked.schedule, at, zone);
        for (const word of capabilities) {
          const state = entry?.[word].state;
          expect(state === 'may', `${word} now`).toBe(isAllowed(word, camera, asked, at));
          const decision = decideFor(word, camera, asked);
          expect(decision.outcome === 'allow').toBe(state === 'may');
          if (state !== 'no') expect(entry?.[word].reason).toBe(decision.reason);
          const isShut = asked.schedule && !scheduleAt(asked.schedule, at, zone).isOpen;
          if (isShut === true && turn !== undefined)
            expect(state === 'closed', `${word} once open`).toBe(isAllowed(word, camera, asked, turn));
          else if (isShut !== true) expect(state).not.toBe('closed');
        }
      }),
      { numRuns: 400 },
    );
  });
});
