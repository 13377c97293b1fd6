import type { IncomingMessage, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';

type Roles = Readonly<Record<string, readonly string[]>>;

interface ChangeableRoles {
  readonly roles: Roles;
  readonly unauthenticated?: true;
  readonly isReadOnly?: boolean;
}

interface SetBody {
  readonly requires_restart?: number;
  readonly update_topic?: string;
  readonly config_data?: { readonly auth?: { readonly roles?: Record<string, unknown> } };
}

/**
 * `PUT /api/config/set` of a recorder, as far as it is about its roles: it writes its file, reads all of that again, and takes
 * the earlier one back if it is invalid.
 * @param define gets the roles that the recorder has from now on
 * @returns whether the request was that one
 */
export function answerSet(
  request: IncomingMessage,
  response: ServerResponse,
  { roles, unauthenticated, isReadOnly }: ChangeableRoles,
  define: (roles: Roles) => void,
): boolean {
  if (request.url !== '/api/config/set' || request.method !== 'PUT') return false;
  const answer = (status: number, body: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const refuse = (status: number, message: string) => answer(status, { success: false, message });
  const { origin, 'x-csrf-token': token, 'remote-role': role = '' } = request.headers;
  if (origin !== undefined && token === undefined) {
    refuse(401, 'Missing CSRF header');
    return true;
  }
  if (role !== 'admin' && unauthenticated !== true) {
    answer(403, { detail: `Role ${String(role)} not authorized. Required: admin` });
    return true;
  }
  void readJson(request).then(
    (read) => {
      const body = read as SetBody;
      const changes = Object.entries(body.config_data?.auth?.roles ?? {});
      if (changes.length === 0) return refuse(400, 'No configuration data provided');
      if (isReadOnly === true) return refuse(500, 'Error updating config');
      const changed = new Map<string, unknown>(Object.entries(roles));
      for (const [name, cameras] of changes) {
        // A name of digits is a place in a list, and what is deleted has to be there.
        if (/^[\d_]+$/.test(name) && /\d/.test(name)) return refuse(500, 'Error updating config');
        const [first = '', ...levels] = name.split('.');
        if (cameras !== '') changed.set(first, levels.length > 0 ? {} : cameras);
        else if (!changed.delete(first)) return refuse(500, 'Error updating config');
      }
      if (![...changed].every(([name, cameras]) => isGoodRole(name, cameras)))
        return refuse(400, 'Error parsing config. Check logs for error message.');
      const applies = body.requires_restart === 0 || body.update_topic !== undefined;
      if (applies) define(Object.fromEntries(changed) as Roles);
      return answer(200, { success: true, message: 'Config successfully updated, restart to apply' });
    },
    () => refuse(422, 'no JSON'),
  );
  return true;
}

/** A camera that there is not gets a warning in the recorder's log, and no more. */
function isGoodRole(name: string, cameras: unknown): boolean {
  return (
    /^[\p{L}\p{N}_]*[\p{L}\p{N}][\p{L}\p{N}_]*$/u.test(name) &&
    name !== 'admin' &&
    name !== 'viewer' &&
    Array.isArray(cameras) &&
    cameras.length > 0 &&
    cameras.every((camera) => typeof camera === 'string')
  );
}
