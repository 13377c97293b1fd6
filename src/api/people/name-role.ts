import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { AppError } from '../../errors.ts';
import { strictBody } from '../../http/validation.ts';
import type { CustomRoleChanges } from '../../accounts/roles/custom-roles.ts';
import type { Users } from '../../accounts/users/users.ts';
import { isPersonalRoleName, isRoleName, roleNameForm } from '../../policy/names.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import { permitIf } from '../permit.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { usernameParameter } from '../users/users.ts';
import { validChange } from '../valid-change.ts';

const allowed =
  'A role name has 1 to 64 letters, digits, dots and underscores, and is not that of a built-in role';
const newName = strictBody({
  name: v.pipe(
    v.string('Input should be text'),
    v.regex(roleNameForm, allowed),
    v.check(isRoleName, allowed),
    // A role of config.yml with such a name does not count.
    v.check((name) => !isPersonalRoleName(name), 'Postern makes such names for one person: choose another'),
    v.metadata({
      not: { enum: ['admin', 'viewer', 'none', '.', '..', '__proto__', 'constructor', 'prototype'] },
    }),
  ),
});

export interface NameRoleDependencies {
  readonly settings: Settings;
  readonly users: Pick<Users, 'find'>;
  readonly customRoles: Pick<CustomRoleChanges, 'name'>;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const nameRole = endpoint({
  method: 'put',
  path: '/postern/api/people/:username/role',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Roles',
  summary: 'Name the role of an invited person',
  description:
    'An invitation with cameras makes a role for one person, which no list of roles has. With a name it is a role like others, with the same cameras, words and schedule, and can be given to more people. The sessions of the person end.',
  pathParameters: usernameParameter,
  body: newName,
  bodyExample: { name: 'neighbours' },
  answers: {
    204: { meaning: 'Named.' },
    403: stepUpNeeded,
    404: { meaning: 'There is no such user, or their role was not made for them.' },
    409: { meaning: '`role_exists`, or as for `PUT /postern/api/roles/{name}`.' },
  },
  handle:
    ({ settings, users, customRoles, audit }: NameRoleDependencies) =>
    async (c) => {
      const { name } = c.req.valid('json');
      const user = await users.find(c.req.param('username'));
      if (user === undefined) throw new AppError('user_unknown');
      const permit = permitIf(c.var.permit, ({ rules }) => {
        if (rules.roles.has(name)) throw new AppError('role_exists');
      });
      await validChange(customRoles.name(user.role, name, permit), () => 'name' as const);
      await audit.record({
        event: 'role_defined',
        ...actorOf(c, settings),
        object: name,
        detail: { of: user.username },
      });
    },
});
