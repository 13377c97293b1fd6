import { asFront, ofFront, passedOn, recorderRows } from './recorder-rows.ts';
import { narrowedTo, type Passes, type Row } from './row.ts';

type Header = readonly [name: string, value: string];

const withUnknownId = `/api/event_ids?ids=${ofFront},no-such-id`;
const passedOnForToken: Readonly<Record<string, string>> = {
  ...passedOn,
  [withUnknownId]: `/api/event_ids?ids=${ofFront}`,
};

/** What the role of front_door may have and a token limited to front_door may not, since it names no camera. */
const stricter: ReadonlySet<string> = new Set([
  // The upstream filters these by the role alone, which is viewer.
  '/api/events?cameras=all',
  '/api/events/explore',
  '/api/events/search?query=x',
  '/api/events/summary',
  '/api/review',
  '/api/review/summary',
  '/api/review/activity/motion',
  '/api/exports',
  '/api/preview/all/start/1/end/2',
  '/api/preview/2026-10/01/12/all/utc',
  '/api/preview/%61ll/start/1/end/2',
  '/api/recognized_license_plates',
  '/api/jobs/export',
  '/api/cases',
  '/api/cases/k1',
  '/api/cases/k1/download',
  '/api/profiles',
  '/api/labels',
  '/api/sub_labels',
  '/api/timeline',
  '/api/timeline/hourly',
  '/api/recordings/summary',
  '/api/recordings/unavailable',
  // The upstream may have an event that the gate does not: such an id is left out.
  withUnknownId,
  // All cameras at once.
  '/locales/en/common.json',
  '/postern/api/roles',
  '/postern/account',
  '/postern/explore',
  '/postern/events?id=odd%20id',
  // The body may name a picture of another camera.
  '/api/export/front_door/start/1/end/2',
  '/api/export/custom/front_door/start/1/end/2',
  // The search may be one of another camera.
  '/api/front_door/search/motion/1/cancel',
  '/api',
  '/',
  // What a login needs.
  '/postern/api/streams',
  '/postern/api/sessions',
  '/postern/api/sessions/none',
  '/postern/api/tokens',
  '/postern/api/tokens/none',
  '/postern/api/displays',
  '/postern/api/displays/none',
  '/postern/api/displays/code/none',
  '/postern/api/account/email',
  '/postern/api/push',
  '/postern/api/push/none',
  '/postern/api/access-requests',
  '/postern/api/access-requests/own',
  '/postern/api/sign-in-methods',
  '/postern/api/passkeys',
  '/postern/api/passkeys/options',
  '/postern/api/passkeys/none',
  '/postern/api/one-time-code',
  '/postern/api/one-time-code/setup',
  '/postern/api/recovery-codes',
  '/postern/api/step-up',
  '/postern/api/step-up/passkey-options',
  // It may show every camera of the owner.
  '/postern/home',
]);

/** What asks for front_door alone, and is filtered by the upstream. */
const filtered: readonly string[] = [
  '/api/events?cameras=front_door',
  '/api/events?limit=5&cameras=front_door',
  '/api/events?cameras=front%5fdoor',
  '/api/events/search?query=x&cameras=front_door',
  '/api/review?cameras=front_door',
  '/api/review/summary?cameras=front_door',
  '/api/review/activity/motion?cameras=front_door',
  '/api/labels?camera=front_door',
  '/api/timeline?camera=front_door',
  '/api/timeline/hourly?cameras=front_door',
  '/api/recordings/summary?cameras=front_door',
  '/api/recordings/unavailable?cameras=front_door',
];

/** What seems to ask for front_door alone, and may get more: refused, or narrowed to this. */
const narrowable: ReadonlyArray<readonly [uri: string, target: string]> = [
  // The parameter that this list is not filtered by.
  ['/api/events?camera=front_door', '/api/events?cameras=front_door'],
  ['/api/events/search?query=x', '/api/events/search?query=x&cameras=front_door'],
  ['/api/events/search?camera=front_door', '/api/events/search?cameras=front_door'],
  ['/api/review?camera=front_door', '/api/review?cameras=front_door'],
  ['/api/review/summary?camera=front_door', '/api/review/summary?cameras=front_door'],
  ['/api/review/activity/motion?camera=front_door', '/api/review/activity/motion?cameras=front_door'],
  ['/api/labels?cameras=front_door', '/api/labels?camera=front_door'],
  ['/api/timeline?cameras=front_door', '/api/timeline?camera=front_door'],
  ['/api/timeline/hourly?camera=front_door', '/api/timeline/hourly?cameras=front_door'],
  ['/api/recordings/summary?camera=front_door', '/api/recordings/summary?cameras=front_door'],
  ['/api/recordings/unavailable?camera=front_door', '/api/recordings/unavailable?cameras=front_door'],
  // An unknown event, which the upstream may have.
  ['/api/event_ids?ids=no-such-id', '/api/event_ids?ids=none'],
  ['/api/event_ids?Ids=no-such-id', '/api/event_ids?ids=none'],
  // No events: the answer says so.
  ...['', '?ids=', '?cameras=front_door'].map(
    (query) => [`/api/event_ids${query}`, `/api/event_ids${query}`] as const,
  ),
  // What two servers read differently.
  ...[
    '/api/events?cameras=front_door,all',
    '/api/events?cameras=all,front_door',
    '/api/events?cameras=front_door,ALL',
    '/api/events?cameras=front_door&cameras=all',
    '/api/events?cameras=front_door&cameras=front_door',
    '/api/events?cameras=front_door&cameras=',
    '/api/events?cameras=&cameras=front_door',
    '/api/events?cameras=front_door&cameras',
    '/api/events?cameras=front_door&%63ameras=all',
    '/api/events?%63ameras=front_door',
    '/api/events?Cameras=front_door',
    '/api/events?cameras[]=front_door',
    '/api/events?cameras=front_door,',
    '/api/events?cameras=,front_door',
    '/api/events?cameras=front_door,%20all',
    '/api/events?cameras=%20front_door',
    '/api/events?cameras=front_door,garage',
    '/api/events?cameras=front_door%2cgarage',
    '/api/events?cameras=front_door&camera=garage',
    '/api/events?cameras=front_door&camera=all',
    '/api/events?cameras=front_door&camera=front_door',
    '/api/events?cameras=',
    '/api/events',
  ].map((uri) => [uri, '/api/events?cameras=front_door'] as const),
];

/** What seems to ask for front_door alone, and may get more. */
const unfiltered: readonly string[] = [
  // A search for what looks like another event.
  '/api/events/search?cameras=front_door&event_id=1.a',
  '/api/events/search?cameras=front_door&event%5fid=1.a',
  // Lists that are not filtered at all.
  ...['cameras', 'camera'].flatMap((parameter) =>
    ['explore', 'summary']
      .map((list) => `/api/events/${list}`)
      .concat(
        '/api/exports',
        '/api/sub_labels',
        '/api/jobs/export',
        '/api/recognized_license_plates',
        '/api/cases/k1/download',
        '/api/preview/all/start/1/end/2',
        '/api/preview/2026-10/01/12/all/utc',
      )
      .map((list) => `${list}?${parameter}=front_door`),
  ),
  // What two servers read differently.
  '/api/events?cameras=front_door;cameras=all',
  '/api/events?x=1;cameras=front_door',
  '/api/events??cameras=front_door',
  '/api/events?cameras=Front_door',
  // Below no row of its own: whatever it is, it is not of one camera.
  '/index.html',
  '/postern/settings/users',
  '/metrics',
];

/**
 * The whole table of the role that sees front_door, by a token of viewer that is limited to front_door: nothing comes out
 * wider, and what comes out narrower is named here.
 */
export function cameraScopeRows(as: () => readonly Header[], cameraScoped: Passes): Row[] {
  const cameraScopedOf = ({ name, request, expect }: Row): Row[] => {
    if (typeof request === 'function' || request.headers !== asFront) return [];
    const isStricter = stricter.has(request.uri);
    const isPassed = expect !== 'answered' && expect !== 'refused';
    // And share.
    const isShare = request.method === 'POST' && request.uri === '/postern/api/shares';
    const ownOrRefused = isShare ? 'answered' : expect;
    const isRead = (request.method ?? 'GET') === 'GET';
    const passes = isPassed ? cameraScoped : ownOrRefused;
    return [
      {
        name: `camera-scoped: ${name}`,
        request: () => ({ ...request, headers: as() }),
        expect: isStricter ? 'refused' : passes,
        // A release of the recorder does not filter exports by the query.
        but:
          isRead && request.uri !== '/api/exports'
            ? narrowedTo(passedOnForToken[request.uri], cameraScoped)
            : undefined,
      },
    ];
  };
  return [
    ...recorderRows.flatMap(cameraScopedOf),
    ...filtered.map((uri): Row => ({
      name: `camera-scoped: ${uri}`,
      request: () => ({ uri, headers: as() }),
      expect: cameraScoped,
    })),
    ...narrowable.map(([uri, target]): Row => ({
      name: `camera-scoped: ${uri} may be of other cameras`,
      request: () => ({ uri, headers: as() }),
      expect: 'refused',
      but: narrowedTo(target, cameraScoped),
    })),
    ...unfiltered.map((uri): Row => ({
      name: `camera-scoped: ${uri} is not of its camera alone`,
      request: () => ({ uri, headers: as() }),
      expect: 'refused',
    })),
    // Its form depends on the camera of the target alone.
    ...['/api/go2rtc/webrtc', '/api/go2rtc/api/webrtc'].flatMap((path) =>
      ['front_door', 'garage'].map((camera): Row => ({
        name: `camera-scoped: POST ${path} of ${camera}`,
        request: () => ({
          method: 'POST',
          uri: `${path}?src=${camera}`,
          headers: [...as(), ['Content-Type', 'application/sdp']],
          body: 'v=0\r\nm=audio 9 RTP/AVP 0\r\na=recvonly\r\n',
        }),
        expect: 'refused',
        but: camera === 'front_door' ? { 'embedded front': cameraScoped, nginx: cameraScoped } : undefined,
      })),
    ),
    {
      name: 'camera-scoped: what tells of no camera',
      request: () => ({ uri: '/api/version', headers: as() }),
      expect: cameraScoped,
    },
  ];
}
