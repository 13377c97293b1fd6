import { isTextList, readJson } from '../../policy/json.ts';
import { accessByDefinition, isPersonalRole, type DefinedRoles } from '../../policy/role-access.ts';
import type { Reading } from '../../store/permit.ts';

/** Something that belongs to a user. */
interface Named {
  readonly name: string;
  readonly user: string;
}

/** Everything that names a camera to give or stop access to it. */
export interface CameraHolders {
  /** Named roles that list it themselves. */
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** Users whose role has it, by itself or by a group. */
  readonly people: readonly string[];
  /** How many open invitations give it. */
  readonly invitations: number;
  readonly tokens: readonly Named[];
  readonly displays: readonly Named[];
  /** Shares of the camera itself. Shared events and exports keep the name that they were recorded under. */
  readonly shares: readonly Named[];
  /** Users who have asked for it. */
  readonly requests: readonly string[];
  /** Names of those who are stopped there. */
  readonly stops: readonly string[];
}

/** Whether anything names the camera. */
export function isHeld({ invitations, ...lists }: CameraHolders): boolean {
  return invitations > 0 || Object.values(lists).some((list) => list.length > 0);
}

/**
 * @param defined roles and groups, those of the store included
 * @param now seconds since the epoch: what has expired does not count
 * @returns a function that finds what names a camera
 */
export async function readHolders(
  on: Reading,
  defined: DefinedRoles,
  now: number,
): Promise<(camera: string) => CameraHolders> {
  const users = await on.selectFrom('users').select(['username', 'role']).orderBy('username').execute();
  const invitations = await on
    .selectFrom('invitations')
    .select('role')
    .where('expires_at', '>', now)
    .execute();
  const tokens = await on
    .selectFrom('api_tokens')
    .select(['kind', 'name', 'username', 'cameras'])
    .where('cameras', 'is not', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('name')
    .execute();
  const shares = await on
    .selectFrom('shares')
    .select(['camera', 'label', 'username'])
    .where('kind', '=', 'camera')
    .where('expires_at', '>', now)
    .execute();
  const requests = await on
    .selectFrom('access_requests')
    .select(['username', 'camera'])
    .where('answered', '=', 0)
    .orderBy('username')
    .execute();
  const stops = await on
    .selectFrom('stops')
    .leftJoin('users', 'users.user_id', 'stops.user_id')
    .select(['name', 'cameras', 'username'])
    .where('cameras', 'is not', null)
    .where('ends_at', '>', now)
    .execute();
  const { definitions, groups } = defined;
  return (camera) => {
    const roles = new Set(
      [...definitions].flatMap(([role, definition]) => {
        const { cameras } = accessByDefinition(definition, groups);
        return cameras !== 'all' && cameras.has(camera) ? [role] : [];
      }),
    );
    const ofKind = (kind: 'token' | 'display') =>
      tokens
        .filter((token) => token.kind === kind && camerasIn(token.cameras).includes(camera))
        .map(({ name, username }) => ({ name, user: username }));
    return {
      roles: [...definitions].flatMap(([role, { cameras }]) =>
        cameras.includes(camera) && !isPersonalRole(role, defined) ? [role] : [],
      ),
      groups: [...groups].flatMap(([group, cameras]) => (cameras.includes(camera) ? [group] : [])),
      people: users.filter(({ role }) => roles.has(role)).map(({ username }) => username),
      invitations: invitations.filter(({ role }) => roles.has(role)).length,
      tokens: ofKind('token'),
      displays: ofKind('display'),
      shares: shares
        .filter((share) => share.camera === camera)
        .map(({ label, username }) => ({ name: label ?? '', user: username })),
      requests: requests.filter((request) => request.camera === camera).map(({ username }) => username),
      stops: stops
        .filter(({ cameras }) => camerasIn(cameras).includes(camera))
        .map(({ name, username }) => username ?? name),
    };
  };
}

/** @param text a JSON list of cameras. @returns none for anything else */
export function camerasIn(text: string | null): readonly string[] {
  const listed = text === null ? undefined : readJson(text);
  return isTextList(listed) ? listed : [];
}
