import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { CustomRoleChanges } from '../../accounts/roles/custom-roles.ts';
import type { PersonalRoleChanges } from '../../accounts/roles/personal-role-changes.ts';
import { accessInWords } from '../../accounts/roles/role-definitions.ts';
import { giveToInvitation } from '../../accounts/users/personal-roles.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { schedule } from '../../config/role-access.ts';
import { AppError } from '../../errors.ts';
import { invalid } from '../../http/validation.ts';
import { isBuiltIn, isNoRole } from '../../policy/names.ts';
import { isPersonalRole, type RoleDefinition } from '../../policy/role-access.ts';
import { changeOfAccess } from '../../policy/role-changes.ts';
import type { Permit, Reading } from '../../store/permit.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import type { CurrentRuntime } from '../permit.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { change, shownChange } from '../roles/roles.ts';
import { usernameParameter } from '../users/users.ts';
import { accessBy, accessNow, grant, shownGrant } from './grant.ts';
import { findHolder, permitFor, type Holder } from './holder.ts';
import { definitionIn, newAccess, validAccess } from './new-access.ts';
import type { ReadPeopleParts } from './parts.ts';

export interface ChangeAccessDependencies {
  readonly settings: Pick<Settings, 'proxyIdentity'>;
  readonly current: () => Pick<CurrentRuntime, 'settings'>;
  readonly users: Pick<Users, 'find' | 'giveOwnRole' | 'requireOwnRolePossible'>;
  readonly customRoles: Pick<CustomRoleChanges, 'set' | 'preview'>;
  readonly personalRoles: Pick<PersonalRoleChanges, 'set' | 'make' | 'preview'>;
  readonly ofPeople: readonly ReadPeopleParts[];
  readonly read: Reading;
  /** Loads the current roles. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const changeAccess = endpoint({
  method: 'put',
  path: '/postern/api/people/:username/access',
  level: 'admin-only',
  requiresSession: true,
  tag: 'People',
  summary: 'Change what a person may see and do',
  description:
    'Changes the role, or gives the person a role of their own, which no list has. A role that is already theirs is changed. Works for an invited person too. Their sessions stay, unless they were an admin; their API tokens and screens follow. Access that may become wider needs a fresh proof, and so does that of an admin.',
  pathParameters: usernameParameter,
  query: v.object({ preview: v.optional(v.string()) }),
  queryParameters: { preview: 'Write nothing, and answer with `change` too. It needs no value.' },
  body: newAccess,
  bodyExample: {
    cameras: ['driveway', 'front_door'],
    may: ['live', 'history'],
    schedule: { until: '2027-01-05' },
    for: 'person',
  },
  answers: {
    200: {
      meaning: 'It applies from now on.',
      body: v.strictObject({
        name: v.string(),
        role: v.pipe(v.nullable(v.string()), v.description('Null, with `preview`: the role would be made.')),
        own_role: v.boolean(),
        grant,
        schedule: v.pipe(v.nullable(schedule), v.description('Null: always.')),
        change: v.optional(
          v.pipe(
            v.nullable(change),
            v.description('With `preview`: what would change, and for whom, besides the schedule.'),
          ),
        ),
      }),
    },
    403: stepUpNeeded,
    404: { meaning: 'There is no such person, or the role is not defined anymore.' },
    409: {
      meaning:
        'The user is the last admin, or gets the role from a provider or a proxy. Or as for `PUT /postern/api/roles/{name}`.',
    },
  },
  handle: (dependencies: ChangeAccessDependencies) => async (c) => {
    const body = c.req.valid('json');
    const holder = await findHolder(c.req.param('username'), dependencies);
    // After the person was read: another request may have made a role since this one began.
    await dependencies.requireCurrentRoles();
    const { settings } = dependencies.current();
    const { name, role, isOwn } = holder;
    const isForRole = body.for === 'role' || (isOwn && settings.rules.roles.has(role));
    if (isForRole) requireChangeable(role, settings);
    const { set, preview } = isPersonalRole(role, settings.rules.roles)
      ? dependencies.personalRoles
      : dependencies.customRoles;
    const definition = definitionIn(body, accessNow(role, settings).schedule);
    const access = accessBy(definition, settings);
    const answer = (given: string | null) => ({
      name,
      role: given,
      own_role: isOwn || !isForRole,
      grant: shownGrant(definition, access, settings),
      schedule: access.schedule ?? null,
    });
    if (c.req.valid('query').preview !== undefined)
      return isForRole
        ? { ...answer(role), change: await previewForRole(preview(role, definition)) }
        : { ...answer(null), change: await previewForPerson(holder, definition, settings, dependencies) };

    const permit = permitFor(c, holder, definition);
    const writing = isForRole
      ? set(role, definition, permit).then(() => role)
      : makeOwnRole(holder, definition, permit, dependencies);
    const written = await validAccess(writing);
    const actor = actorOf(c, settings);
    const { cameras } = definition;
    const detail = {
      cameras,
      access: accessInWords(definition.access),
      ...(!isForRole && { of: name }),
    };
    await dependencies.audit.record({ event: 'role_defined', ...actor, object: written, detail });
    if (!isForRole && 'user' in holder.by)
      await dependencies.audit.record({
        event: 'user_role_changed',
        ...actor,
        object: name,
        detail: { role: written },
      });
    return answer(written);
  },
});

/** @throws ValidationError, AppError `role_unknown` */
function requireChangeable(role: string, { rules: { roles } }: Settings): void {
  if (isBuiltIn(role)) throw invalid(['body', 'for'], 'A built-in role cannot be changed: choose person');
  if (isNoRole(role) || !roles.has(role)) throw new AppError('role_unknown');
}

/** @returns the new role */
function makeOwnRole(
  { name, role, by }: Holder,
  definition: RoleDefinition,
  permit: Permit,
  { personalRoles, users }: ChangeAccessDependencies,
): Promise<string> {
  return personalRoles.make(
    definition,
    role,
    async (made, on, permission) => {
      if ('user' in by) await users.giveOwnRole(name, made, on, permission);
      else await giveToInvitation(on, by.invitation, made, permission);
      return made;
    },
    permit,
  );
}

async function previewForRole(preview: ReturnType<CustomRoleChanges['preview']>) {
  const found = await validAccess(preview);
  return found === undefined ? null : shownChange(found);
}

async function previewForPerson(
  { name, role, by }: Holder,
  definition: RoleDefinition,
  settings: Settings,
  { users, personalRoles, read }: ChangeAccessDependencies,
) {
  if ('user' in by) await users.requireOwnRolePossible(name, read);
  // Checks the definition.
  await validAccess(personalRoles.preview(undefined, definition));
  const next = accessBy(definition, settings);
  const changed = changeOfAccess(accessNow(role, settings), next, new Set(settings.allCameras()));
  const isChange = Object.values(changed).some(({ length }) => length > 0);
  return isChange ? shownChange({ role, users: 1, usernames: [name], ...changed }) : null;
}
