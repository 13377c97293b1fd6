import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerSet } from './recorder-set.ts';

/** The cameras of a recorder, and its roles that are limited to some of them. */
export interface KnownRoles {
  readonly cameras: readonly string[];
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** The role that it uses for an unknown one. */
  readonly defaultRole?: string;
  /** Its live streams: by camera, names by label; a camera without any has one of its own name. */
  readonly streams?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** More of its configuration, at the top. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Its answer to `GET /api/config`, instead of that. */
  readonly answer?: unknown;
  /** Asked on its port without authentication, where everyone is admin. */
  readonly unauthenticated?: true;
  /** Its file cannot be written. */
  readonly isReadOnly?: boolean;
}

/**
 * `GET /api/profile` of a recorder on the port where it trusts the identity headers: an unknown role is its
 * default one, which sees every camera unless it is limited.
 * @returns whether the request was that one
 */
export function answerProfile(
  request: IncomingMessage,
  response: ServerResponse,
  { cameras, roles, defaultRole = 'viewer', unauthenticated }: KnownRoles,
): boolean {
  if (request.url !== '/api/profile') return false;
  const { 'remote-user': user = 'viewer', 'remote-role': said = '' } = request.headers;
  const asked = String(said).toLowerCase();
  const role = asked === 'admin' || asked === 'viewer' || Object.hasOwn(roles, asked) ? asked : defaultRole;
  const allowed = roles[role]?.filter((camera) => cameras.includes(camera)) ?? cameras;
  const profile =
    unauthenticated === true
      ? { username: 'anonymous', role: 'admin', allowed_cameras: cameras }
      : { username: user, role, allowed_cameras: allowed };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(profile));
  return true;
}

/**
 * `GET /api/config` of a recorder, which anyone may ask for.
 * @returns whether the request was that one
 */
export function answerConfiguration(
  { url }: IncomingMessage,
  response: ServerResponse,
  { cameras, roles, streams = {}, configuration = {}, answer }: KnownRoles,
): boolean {
  if (pathOf(url) !== '/api/config') return false;
  const ofCamera = (camera: string) => streams[camera] ?? { [camera]: camera };
  const document = {
    auth: { enabled: false, roles: { admin: [], viewer: [], ...roles } },
    birdseye: { enabled: true, restream: true },
    cameras: Object.fromEntries(
      cameras.map((name) => [name, { name, enabled: true, live: { height: 720, streams: ofCamera(name) } }]),
    ),
    camera_groups: {},
    go2rtc: {
      streams: Object.fromEntries(
        cameras.flatMap((camera) => Object.values(ofCamera(camera)).map((stream) => [stream, []])),
      ),
    },
    mqtt: { enabled: false },
    proxy: { header_map: { user: 'remote-user', role: 'remote-role' } },
    version: '0.17-0',
    ...configuration,
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer === undefined ? document : answer));
  return true;
}

/** `GET /api/stats` of a recorder before 0.18: of all cameras, for everyone. */
export function figuresOf({ cameras }: Pick<KnownRoles, 'cameras'>): object {
  const processes = cameras.map((camera, i) => {
    const pid = 1_000 + i;
    return [pid, { cpu: '1.0', mem: '1.0', cmdline: `ffmpeg -i rtsp://admin:hunter2@10.0.0.${i}/${camera}` }];
  });
  return {
    cameras: Object.fromEntries(cameras.map((camera, i) => [camera, { camera_fps: 5, pid: 1_000 + i }])),
    cpu_usages: {
      ...(Object.fromEntries(processes) as object),
      'frigate.full_system': { cpu: '10.0', mem: '20.0' },
    },
    detectors: { cpu1: { inference_speed: 10, pid: 7 } },
    service: { version: '0.17.2-test', uptime: 1_000 },
    detection_fps: 1,
  };
}

/** As a recorder's web server reads it: decoded, and with one slash in the place of several. */
export function pathOf(url = ''): string {
  const sent = url.split('?', 1)[0] ?? '';
  return (/%(?![0-9a-f]{2})|%[89a-f]/i.test(sent) ? sent : decodeURIComponent(sent)).replace(/\/{2,}/g, '/');
}

/**
 * What the gate asks the recorder itself: about a role, and for its configuration; and what it changes there.
 * @param define gets the roles that the recorder has from now on
 */
export function answerGate(
  request: IncomingMessage,
  response: ServerResponse,
  known: KnownRoles,
  define: (roles: KnownRoles['roles']) => void = () => {},
): boolean {
  return (
    isOfGate(request) &&
    (answerProfile(request, response, known) ||
      answerConfiguration(request, response, known) ||
      answerSet(request, response, known, define))
  );
}

/** Whether a request is the gate's own. */
export function isOfGate({ url, headers }: IncomingMessage): boolean {
  return (
    headers['remote-user'] === 'postern' &&
    (url === '/api/profile' || url === '/api/config' || url === '/api/config/set')
  );
}
