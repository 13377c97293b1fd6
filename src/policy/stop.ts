import type { Identity } from './identity.ts';
import { isSameUserName } from './names.ts';
import type { ResolvedResource, Resource } from './resource.ts';

/** The subject of a stop: an account with all its sessions, API tokens, displays and shares, or a single one of the others. */
export interface StoppedIdentity {
  readonly kind: 'account' | 'proxy' | 'api-token' | 'share';
  /** Name of the user, or id of the API token, the display or the share. */
  readonly name: string;
}

/** Live pictures and recordings that an admin has stopped for a time. */
export interface Stop extends StoppedIdentity {
  /** Only this session. Absent when the stop is for the whole identity. */
  readonly session: string | undefined;
  /** Only these cameras. Absent when it is all. */
  readonly cameras: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** @returns the active stops of an identity. @param session id of its session, read only if a stop depends on it */
export type StopsOf = (identity: Identity, session: () => string | undefined) => readonly Stop[];

const none: readonly Stop[] = [];

/** @param now milliseconds since the epoch */
export function stopsOf(
  all: readonly Stop[],
  identity: Identity,
  session: () => string | undefined,
  now: number,
): readonly Stop[] {
  if (all.length === 0) return none;
  return all.filter(
    (stop) =>
      now < stop.until && isOf(stop, identity) && (stop.session === undefined || stop.session === session()),
  );
}

/** @returns the subject of a stop of this identity; `undefined` for a client of the internal entry point, which has no name */
export function stoppable({
  user,
  source,
  token,
}: Pick<Identity, 'user'> & {
  readonly source: Identity['source'] | undefined;
  readonly token?: { readonly id: string } | undefined;
}): StoppedIdentity | undefined {
  if (source === 'internal' || source === undefined) return undefined;
  if (token !== undefined) return { kind: 'api-token', name: token.id };
  if (source === 'share') return { kind: 'share', name: shareIn(user) };
  return { kind: source === 'proxy' ? 'proxy' : 'account', name: user };
}

function isOf({ kind, name }: StoppedIdentity, { user, source, token }: Identity): boolean {
  if (kind === 'api-token') return token?.id === name;
  if (kind === 'share') return source === 'share' && shareIn(user) === name;
  // Providers may find one user by any letter case, and pass on what was typed.
  const isUser = isSameUserName(token?.owner ?? user, name);
  if (kind === 'proxy') return source === 'proxy' && isUser;
  return ['session', 'bearer', 'api-token', 'display'].includes(source) && isUser;
}

function shareIn(user: string): string {
  return user.replace(/^share:/, '');
}

/**
 * Refuses what shows pictures, live or recorded; the gate's own pages and the recorder's administration stay open.
 * @param resource including the cameras from the recorder's database and the body
 * @returns until when a stop refuses a target, in milliseconds since the epoch; `undefined` if none does
 */
export function stoppedUntil(
  stops: readonly Stop[],
  { needs, rule, resource: named }: ResolvedResource,
  resource: Resource = named,
): number | undefined {
  const isAdministration = named.kind === 'admin-only' && rule.pictures !== true;
  if (stops.length === 0 || needs.length === 0 || isAdministration) return undefined;
  const until = stops
    .filter(({ cameras }) => cameras === undefined || mayShow(resource, cameras))
    .map((stop) => stop.until);
  return until.length === 0 ? undefined : Math.max(...until);
}

/** A path that names no camera may show any. Lists and rows of the recorder are no streams of a camera. */
function mayShow(resource: Resource, cameras: readonly string[]): boolean {
  if (resource.kind === 'cameras') return resource.cameras.some((camera) => cameras.includes(camera));
  return ['unresolved', 'every-camera', 'admin-only'].includes(resource.kind);
}
