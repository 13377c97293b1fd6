import { ownRules } from '../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../support/roles.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { passesOnItself, type Front } from '../../../src/policy/request-context.ts';
import type { Decision } from '../../../src/policy/decision.ts';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import { plainIdentity } from '../../../src/policy/identity.ts';
import type { RecordedCameras } from '../../../src/policy/resource.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { recorderPages, recorderRoutes, releases, type RecorderRoute } from '../../support/recorder-facts.ts';
import { filtered, known } from './known-cameras.ts';
import { assertCases } from '../../support/assert-cases.ts';

/*
 * For every request of a recorder, by every kind of user: the gate is as open as the recorder, or stricter by a
 * rule that gives the reason (`stricter`). The facts are read from the program of each release.
 */

const table = [...ownRules, ...lockedRules, ...recorderRules];
const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];

// A row of the recorder belongs to the camera at the end of its name.
const cameraIn = (name: string) => cameras.find((camera) => name.endsWith(`-${camera}`));
const recorded: RecordedCameras = {
  camerasOfEvents: (ids) =>
    new Map(
      ids.flatMap((id) => {
        const camera = cameraIn(id) ?? pageRows.get(id);
        return camera === undefined ? [] : [[id, camera] as const];
      }),
    ),
  camerasOfExport: (name) => [cameraIn(name) ?? pageRows.get(name) ?? []].flat(),
  camerasOfReview: (id) => [cameraIn(id) ?? pageRows.get(id) ?? []].flat(),
};
/** Names in the requests of the UI. */
const pageRows = new Map([
  ['1793000935.726501-j8ht9l', 'front_door'],
  ['1793000933.726501-rvfron', 'front_door'],
  ['front_door_parcel.mp4', 'front_door'],
  ['exp1.webp', 'front_door'],
]);
const rules = {
  roles: rolesOf([['neighbour', new Set(['front_door', 'driveway'])]]),
  resolveResource: prepareRules(table)(
    known(cameras, {
      streams: new Map([
        ['front_door_sub', ['front_door']],
        ['garage_sub', ['garage']],
      ]),
    }),
  ),
  recorded,
  internalHosts: new Set<string>(),
  // The recorder has the role, with the same cameras.
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
};

function decide(role: string, method: string, uri: string, front: Front = 'auth-request'): Decision {
  const request = {
    entryPoint: 'authenticated',
    front,
    method,
    uri,
    headers: [],
    // The gate reads it if it passes the request on.
    body: passesOnItself(front) ? 'to-come' : undefined,
    host: 'gate.test',
    secure: true,
  } as const;
  return evaluate(request, { identity: plainIdentity('olaf', role, 'session') }, rules);
}

/** Path segments that refer to a camera, by their placeholder. */
const places: Readonly<Record<string, (camera: string) => string>> = {
  camera_name: (camera) => camera,
  stream_name: (camera) => `${camera}_sub`,
  event_id: (camera) => `1.a-${camera}`,
  review_id: (camera) => `1.r-${camera}`,
  export_id: (camera) => `exp-${camera}`,
  file_name: (camera) => `preview_${camera}-1793000276.5.webp`,
};

function uriOf({ path, who }: RecorderRoute, camera: string): string {
  const uri = path.replaceAll(/\{(\w+)\}/g, (_, place: string) => places[place]?.(camera) ?? '1');
  // Their query has the ids, and the cameras by which the recorder filters.
  const ids = { '/api/event_ids': `?ids=1.a-${camera}`, '/api/review_ids': `?ids=1.r-${camera}` }[path];
  return uri + (who.startsWith('camera-bound') && ids !== undefined ? ids : '');
}

interface Asked {
  readonly release: string;
  readonly role: string;
  readonly method: string;
  readonly uri: string;
  /** Whether the recorder answers it. */
  readonly isOpen: boolean;
}

/** All users of a route, with the cameras that it is for. */
function askedOf(release: string, route: RecorderRoute): readonly Asked[] {
  const { method, path, who } = route;
  const isAdmin = who.startsWith('admin');
  const ofCamera = (camera: string) => ({ release, method, uri: uriOf(route, camera) });
  const isOfCamera = who.startsWith('camera-bound');
  // Where the path names the camera of a list, `all` means all of them.
  const isListInPath = who === 'any user, filtered' && path.includes('{camera_name}');
  return [
    ...['front_door', 'garage'].flatMap((camera): Asked[] => [
      { role: 'admin', ...ofCamera(camera), isOpen: true },
      { role: 'viewer', ...ofCamera(camera), isOpen: !isAdmin },
      {
        role: 'neighbour',
        ...ofCamera(camera),
        isOpen: !isAdmin && (camera === 'front_door' || !(isOfCamera || isListInPath)),
      },
    ]),
    ...(isListInPath ? ['admin', 'viewer', 'neighbour'] : []).map((role): Asked => ({
      release,
      role,
      method,
      uri: uriOf(route, 'all'),
      isOpen: true,
    })),
  ];
}

/** Paths that the web server of 0.17 serves to every user without asking its program, and that of 0.18 to admins. */
const ofWebServer = [
  '/clips/faces/olaf/1.webp',
  '/clips/genai-requests/1/1.jpg',
  '/clips/preview_restart_cache/1.mp4',
  '/clips/train/1.webp',
  '/clips/birds/train/1.webp',
  '/clips/birds/dataset/x/1.webp',
  '/api/go2rtc/api/config',
  '/api/go2rtc/api/streams',
  '/api/go2rtc/api',
];

const asked = [
  ...releases.flatMap((release) => recorderRoutes(release).flatMap((route) => askedOf(release, route))),
  ...releases.flatMap((release) =>
    ['admin', 'viewer', 'neighbour'].flatMap((role) =>
      ofWebServer.map((uri): Asked => ({
        release,
        role,
        method: 'GET',
        uri,
        isOpen: release === '0.17' || role === 'admin',
      })),
    ),
  ),
];
const nameOf = ({ release, role, method, uri }: Asked) => `${release}: ${role} ${method} ${uri}`;
const decided = asked.map((one) => ({ one, decision: decide(one.role, one.method, one.uri) }));
const isAllowed = ({ outcome }: Decision) => outcome === 'allow';

describe('every route of the recorder', () => {
  test('is closed to users whom the recorder would refuse', () => {
    const wider = decided.filter(({ one: { isOpen }, decision }) => !isOpen && isAllowed(decision));
    expect(wider.map(({ one }) => nameOf(one))).toEqual([]);
  });

  test('is only stricter than the recorder by a rule with a reason', () => {
    const unsaid = decided.filter(
      ({ one: { isOpen }, decision }) =>
        isOpen && !isAllowed(decision) && decision.rule?.stricter === undefined,
    );
    expect(unsaid.map(({ one, decision }) => `${nameOf(one)}: ${decision.rule?.path}`)).toEqual([]);
  });

  test('each rule with a reason is stricter than a release', () => {
    const stricter = decided.filter(({ one: { isOpen }, decision }) => isOpen && !isAllowed(decision));
    const used = new Set(stricter.map(({ decision }) => decision.rule));
    expect(
      table.filter((rule) => rule.stricter !== undefined && !used.has(rule)).map(({ path }) => path),
    ).toEqual([]);
  });

  test('is open to admins', () => {
    const refused = decided.filter(({ one: { role }, decision }) => role === 'admin' && !isAllowed(decision));
    expect(refused.map(({ one }) => nameOf(one))).toEqual([]);
  });
});

test('stays closed in every spelling of its path', () => {
  const closed = decided.filter(({ decision }) => !isAllowed(decision)).map(({ one }) => one);
  // Other letters, encoded letters, more slashes.
  const spellings: ReadonlyArray<(letter: string) => string> = [
    (letter) => letter,
    (letter) => letter,
    (letter) => letter,
    (letter) => letter.toUpperCase(),
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    (letter) => `%${letter.toUpperCase().charCodeAt(0).toString(16)}`,
    (letter) => (letter === '/' ? '//' : letter),
  ];
  const spelling = fc.array(fc.constantFrom(...spellings), { minLength: 4, maxLength: 40 });
  const ending = fc.constantFrom('', '', '/', '//', '?cameras=front_door', '?camera=front_door');
  assertCases(
    fc.property(fc.constantFrom(...closed), spelling, ending, ({ role, method, uri }, spellLetter, end) => {
      const [path = '', query] = uri.split('?');
      const spelt = [...path].map((letter, i) =>
        /[a-z/]/.test(letter) ? spellLetter[i % spellLetter.length]?.(letter) : letter,
      );
      // An encoded slash is always refused, which would prove nothing.
      const sent = `${spelt.join('').replaceAll('%2f', '/')}${query === undefined ? end : `?${query}`}`;
      expect(isAllowed(decide(role, method, sent)), `${role} ${method} ${sent}`).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});

describe('every page of the recorder’s UI', () => {
  const pages = recorderPages();

  test('only sends requests that the recorder accepts, by the facts', () => {
    expect(pages.filter(({ status }) => ['401', '403'].includes(status))).toEqual([]);
  });

  const refusedBy = (front: Front) =>
    Object.fromEntries(
      pages.flatMap(({ role, method, uri }) => {
        const decision = decide(role, method, uri, front);
        if (isAllowed(decision)) return [];
        const why = decision.rule?.stricter === undefined ? decision.reason : 'stricter';
        return [[`${role} ${method} ${uri.split('?')[0]}`, why]];
      }),
    );
  const refused = {
    'viewer POST /api/notifications/register': 'stricter',
    'neighbour POST /api/notifications/register': 'stricter',
  };

  test('each request passes, or is refused by a rule with a reason', () => {
    expect(refusedBy('embedded')).toEqual(refused);
  });

  test('behind a front that only asks, a recorder before 0.18 is unfiltered', () => {
    expect(refusedBy('auth-request')).toEqual({
      ...refused,
      ...Object.fromEntries([
        ['viewer GET /api/config', 'stricter'],
        ['neighbour GET /api/config', 'stricter'],
        ['viewer GET /ws', 'messages_unfiltered'],
        ['neighbour GET /ws', 'messages_unfiltered'],
        ['viewer GET /api/stats', 'stricter'],
        ...['viewer', 'neighbour'].flatMap((role) =>
          ['front_door', 'front_door_sub'].map(
            (stream) => [`${role} GET /api/go2rtc/streams/${stream}`, 'stricter'] as const,
          ),
        ),
        ...['viewer', 'neighbour'].flatMap((role) =>
          ['mse', 'webrtc'].map(
            (kind) => [`${role} GET /live/${kind}/api/ws`, 'messages_unfiltered'] as const,
          ),
        ),
        ['neighbour POST /api/reviews/viewed', 'stricter'],
        ['neighbour POST /api/export/front_door/start/1793000930/end/1793000940', 'stricter'],
      ]),
      'neighbour GET /api/stats': 'stricter',
      // A group of cameras with one in it that is not the neighbour's, and this front does not narrow.
      'neighbour GET /api/review': 'camera_not_granted',
      'neighbour GET /api/review/summary': 'camera_not_granted',
      'neighbour GET /api/recordings/summary': 'camera_not_granted',
    });
  });
});
