import type { Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { Configuration } from '../../config/configuration.ts';
import {
  accessByDefinition,
  isPersonalRole,
  type CameraGroups,
  type DefinedRoles,
  type RoleDefinition,
} from '../../policy/role-access.ts';
import { unconditional, type Change, type Permission, type Permit } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import {
  raiseRolesVersion,
  readStoredRoles,
  type StoredRoles,
  writeStoredGroup,
  writeStoredRole,
} from '../roles/role-definitions.ts';
import type { RoleReading } from '../roles/role-reading.ts';
import type { RolesFile } from '../roles/roles-file.ts';
import { camerasIn, readHolders, type CameraHolders } from './camera-holders.ts';

interface RenamedCamera {
  /** Everything that had the previous name. */
  readonly holders: CameraHolders;
  /** Places in config.yml that still have it. */
  readonly left: readonly string[];
  /** Why config.yml could not be written, once the store had the new name. */
  readonly fault?: unknown;
}

/** Gives everything that names a camera its new name: whoever had access to it has the same under the new one. */
export interface CameraRenames {
  /**
   * The store gets the new name first, and config.yml then: what narrows access is in the store, so a cut in between opens nothing, and the same
   * call finishes it. A role made for one person may get a camera that its person did not see, which needs a fresh proof.
   * @param permit throws unless the recorder has the new name alone
   * @throws AppError `configuration_read_only`; then nothing has changed
   */
  rename(camera: string, to: string, permit: Permit): Promise<RenamedCamera>;
  /** @returns the places in a config.yml that only an operator changes */
  fixedPlaces(camera: string): readonly string[];
}

interface Dependencies {
  readonly change: Change;
  readonly rolesFile: Pick<RolesFile, 'renameCamera'>;
  readonly reading: Pick<RoleReading, 'adopt'>;
  /** Named roles and groups are in the store, and those of config.yml stay there. */
  readonly isShared: boolean;
  /** What config.yml itself has. */
  readonly declared: Pick<Configuration, 'cameras'> & { readonly defined: DefinedRoles };
  /** Roles and groups as they are at the moment of the call. */
  readonly defined: () => DefinedRoles;
  readonly clock: Clock;
}

export function cameraRenames(dependencies: Dependencies): CameraRenames {
  const { change, rolesFile, reading, isShared, declared, defined, clock } = dependencies;
  const move = async (
    on: Transaction<Tables>,
    { grant }: Permission,
    { camera, to }: Renaming,
  ): Promise<Moved> => {
    const before = defined();
    const holdersOf = await readHolders(on, before, wholeSeconds(clock.now()));
    const holders = holdersOf(camera);
    const stored = await readStoredRoles(on, isShared);
    const isFixed = (name: string, of: ReadonlyMap<string, unknown>) => isShared && of.has(name);
    grantAll(
      before,
      {
        ...before,
        definitions: renamedRoles(before.definitions, { camera, to }, (role) =>
          isPersonalRole(role, before) ? false : isFixed(role, declared.defined.definitions),
        ),
        groups: renamedGroups(before.groups, { camera, to }, (group) =>
          isFixed(group, declared.defined.groups),
        ),
      },
      grant,
    );
    await moveRoles(on, stored, { camera, to });
    await moveLimits(on, { camera, to });
    await moveRequests(on, { camera, to });
    return { holders, stored: await readStoredRoles(on, isShared) };
  };
  const places = (camera: string) => placesOf(camera, declared, isShared ? defined() : undefined);
  return {
    rename: async (camera, to, permit) => {
      const renaming = { camera, to };
      const left = places(camera);
      if (isShared || left.length === 0) {
        const { holders, stored } = await change(permit, (on, permission) => move(on, permission, renaming));
        reading.adopt(stored);
        return { holders, left };
      }
      const { result, left: fault } = await rolesFile.renameCamera(camera, to, {
        commit: (prepare) =>
          change(permit, async (on, permission) => {
            const moved = await move(on, permission, renaming);
            await prepare();
            return moved;
          }),
        alone: (put) => change(unconditional, put),
      });
      reading.adopt(result.stored);
      return { holders: result.holders, ...(fault === undefined ? { left: [] } : { left, fault }) };
    },
    fixedPlaces: (camera) => (isShared ? places(camera) : []),
  };
}

interface Renaming {
  readonly camera: string;
  readonly to: string;
}

interface Moved {
  readonly holders: CameraHolders;
  readonly stored: StoredRoles;
}

/** @param current the roles that count, where lines of a role made for one person are only remains */
function placesOf(
  camera: string,
  { cameras, defined: { definitions, groups } }: Dependencies['declared'],
  current: DefinedRoles | undefined,
): readonly string[] {
  const counts = (role: string) => current === undefined || !isPersonalRole(role, current);
  return [
    ...(cameras?.includes(camera) === true ? ['cameras'] : []),
    ...[...definitions].flatMap(([role, definition]) =>
      definition.cameras.includes(camera) && counts(role) ? [`auth.roles.${role}`] : [],
    ),
    ...[...groups].flatMap(([group, listed]) =>
      listed.includes(camera) ? [`auth.camera_groups.${group}`] : [],
    ),
  ];
}

function renamedIn(cameras: readonly string[], { camera, to }: Renaming): readonly string[] {
  return [...new Set(cameras.map((name) => (name === camera ? to : name)))];
}

function renamedRoles(
  definitions: DefinedRoles['definitions'],
  renaming: Renaming,
  stays: (role: string) => boolean,
): ReadonlyMap<string, RoleDefinition> {
  return new Map(
    [...definitions].map(([role, definition]) => [
      role,
      stays(role) ? definition : { ...definition, cameras: renamedIn(definition.cameras, renaming) },
    ]),
  );
}

function renamedGroups(
  groups: CameraGroups,
  renaming: Renaming,
  stays: (group: string) => boolean,
): CameraGroups {
  return new Map(
    [...groups].map(([group, cameras]) => [group, stays(group) ? cameras : renamedIn(cameras, renaming)]),
  );
}

/** Roles that get a camera may need a fresh proof. */
function grantAll(before: DefinedRoles, after: DefinedRoles, grant: Permission['grant']): void {
  for (const [role, definition] of after.definitions) {
    const former = before.definitions.get(role);
    if (former === undefined) continue;
    const access = {
      before: accessByDefinition(former, before.groups),
      after: accessByDefinition(definition, after.groups),
    };
    if (isPersonalRole(role, before)) grant(role, access);
    else if (isDifferent(access.before.cameras, access.after.cameras)) grant(role);
  }
}

function isDifferent(one: ReadonlySet<string> | 'all', other: ReadonlySet<string> | 'all'): boolean {
  return one !== 'all' && other !== 'all' && one.symmetricDifference(other).size > 0;
}

async function moveRoles(on: Transaction<Tables>, stored: StoredRoles, renaming: Renaming): Promise<void> {
  for (const [role, { cameras }] of stored.definitions)
    if (cameras.includes(renaming.camera)) await writeStoredRole(on, role, renamedIn(cameras, renaming));
  for (const [group, cameras] of stored.groups)
    if (cameras.includes(renaming.camera)) await writeStoredGroup(on, group, renamedIn(cameras, renaming));
  await raiseRolesVersion(on, stored.isShared);
}

/** API tokens, screens and shares have the new name alone. A stop has both: recordings keep the name that they were made under. */
async function moveLimits(on: Transaction<Tables>, { camera, to }: Renaming): Promise<void> {
  const tokens = await on
    .selectFrom('api_tokens')
    .select(['token_id', 'cameras'])
    .where('cameras', 'is not', null)
    .execute();
  for (const { token_id: id, cameras } of tokens) {
    const listed = camerasIn(cameras);
    if (!listed.includes(camera)) continue;
    await on
      .updateTable('api_tokens')
      .set({ cameras: JSON.stringify(renamedIn(listed, { camera, to })) })
      .where('token_id', '=', id)
      .execute();
  }
  await on
    .updateTable('shares')
    .set({ camera: to })
    .where('kind', '=', 'camera')
    .where('camera', '=', camera)
    .execute();
  const stops = await on
    .selectFrom('stops')
    .select(['stop_id', 'cameras'])
    .where('cameras', 'is not', null)
    .execute();
  for (const { stop_id: id, cameras } of stops) {
    const listed = camerasIn(cameras);
    if (!listed.includes(camera)) continue;
    await on
      .updateTable('stops')
      .set({ cameras: JSON.stringify([...new Set([...listed, to])]) })
      .where('stop_id', '=', id)
      .execute();
  }
}

/** Who has asked for both has asked for the new one. */
async function moveRequests(on: Transaction<Tables>, { camera, to }: Renaming): Promise<void> {
  await on
    .deleteFrom('access_requests')
    .where('camera', '=', camera)
    .where('username', 'in', (query) =>
      query.selectFrom('access_requests').select('username').where('camera', '=', to),
    )
    .execute();
  await on.updateTable('access_requests').set({ camera: to }).where('camera', '=', camera).execute();
}
