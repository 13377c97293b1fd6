import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a recorder knows of its cameras and of roles that are limited to some of them. */
export interface KnownRoles {
  readonly cameras: readonly string[];
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** What it takes a role for that it does not know. */
  readonly defaultRole?: string;
  /** Asked on its port without authentication, where everybody is admin. */
  readonly unauthenticated?: true;
}

/**
 * `GET /api/profile` of a recorder on the port where it believes the identity headers: a role that it does not know is its
 * default one, and that sees every camera unless it is told otherwise.
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
  const told =
    unauthenticated === true
      ? { username: 'anonymous', role: 'admin', allowed_cameras: cameras }
      : { username: user, role, allowed_cameras: allowed };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(told));
  return true;
}

/** Whether a request is the gate's own, about a role. */
export function isVerification({ url, headers }: IncomingMessage): boolean {
  return url === '/api/profile' && headers['remote-user'] === 'postern';
}
