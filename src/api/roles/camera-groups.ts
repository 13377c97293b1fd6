import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { groupNameForm, isGroupName } from '../../policy/names.ts';
import { rolesWith } from '../../policy/role-access.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import type { RolesDependencies } from './roles.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import { permitIf } from '../permit.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { validChange } from '../valid-change.ts';

const cameras = v.array(v.string());
const newCameras = strictBody({
  cameras: v.pipe(
    v.array(
      v.pipe(v.string('Input should be text'), v.nonEmpty('A camera has a name')),
      'Input should be a list',
    ),
    v.nonEmpty('A group has at least one camera'),
  ),
});
const change = v.strictObject({
  role: v.string(),
  users: v.pipe(v.number(), v.description('How many users have the role.')),
  gains: cameras,
  loses: cameras,
});

const pathParameters = { name: 'Name of a group of cameras.' };
const pathForms = {
  name: v.pipe(v.string(), v.regex(groupNameForm), v.metadata({ not: { enum: ['.', '..'] } })),
};

/* Groups of cameras, for the roles that name them: in config.yml, or in a store that several processes share. */

export const listCameraGroups = endpoint({
  method: 'get',
  path: '/postern/api/camera-groups',
  level: 'admin-only',
  tag: 'Camera groups',
  summary: 'List the groups of cameras',
  answers: {
    200: {
      meaning: 'In the order of `auth.camera_groups`, and with `store.url` then those made in the UI.',
      body: v.array(
        v.strictObject({
          name: v.string(),
          cameras,
          roles: v.pipe(v.array(v.string()), v.description('Roles that have the cameras of the group.')),
          declared: v.optional(
            v.pipe(
              v.literal(true),
              v.description(
                'With `store.url`: `config.yml` defines the group, and it can be changed only there.',
              ),
            ),
          ),
        }),
      ),
    },
  },
  handle:
    ({ settings: { defined }, roleDefinitions, requireCurrentRoles }: RolesDependencies) =>
    async () => {
      await requireCurrentRoles();
      return [...defined.groups].map(([name, granted]) => ({
        name,
        cameras: granted,
        roles: rolesWith(name, defined),
        declared: roleDefinitions.isFixedGroup(name) ? (true as const) : undefined,
      }));
    },
});

export const listOfferedGroups = endpoint({
  method: 'get',
  path: '/postern/api/camera-groups/offered',
  level: 'admin-only',
  tag: 'Camera groups',
  summary: "List the recorder's own groups of cameras",
  description: 'They give no access, but a group of Postern can be made with the same cameras.',
  answers: {
    200: {
      meaning: 'By the last answer of the recorder; empty when it has not answered yet.',
      body: v.array(v.strictObject({ name: v.string(), cameras })),
    },
  },
  handle:
    ({ settings: { recorderGroups } }: RolesDependencies) =>
    () =>
      [...recorderGroups()].map(([name, shown]) => ({ name, cameras: shown })),
});

export const defineCameraGroup = endpoint({
  method: 'put',
  path: '/postern/api/camera-groups/:name',
  level: 'admin-only',
  tag: 'Camera groups',
  summary: 'Define a group of cameras',
  description:
    'Every role with the group gets its cameras. Writes `auth.camera_groups` in `config.yml` and keeps its comments. With `store.url` it writes to the store, for all gates, and groups that `config.yml` declares cannot be changed.',
  pathParameters,
  pathForms,
  query: v.object({ preview: v.optional(v.string()) }),
  queryParameters: { preview: 'Write nothing, and answer what would change. It needs no value.' },
  body: newCameras,
  bodyExample: { cameras: ['driveway', 'front_door'] },
  answers: {
    200: {
      meaning: 'It applies from now on.',
      body: v.strictObject({
        name: v.string(),
        cameras,
        changes: v.pipe(
          v.array(change),
          v.description('Roles that gain or lose cameras. What a role has by other means does not count.'),
        ),
      }),
    },
    403: stepUpNeeded,
    409: {
      meaning:
        'The file cannot be written; with `store.url`: `config.yml` declares the group (`camera_group_declared`).',
    },
  },
  handle:
    ({ settings, customRoles, audit }: RolesDependencies) =>
    async (c) => {
      const name = groupName(c.req.param('name'));
      const wanted = [...new Set(c.req.valid('json').cameras)];
      const isPreview = c.req.valid('query').preview !== undefined;
      const changes = await validChange(
        isPreview ? customRoles.previewGroup(name, wanted) : customRoles.setGroup(name, wanted, c.var.permit),
        () => 'cameras',
      );
      if (!isPreview) {
        const detail = { cameras: wanted, roles: changes.map(({ role }) => role) };
        await audit.record({
          event: 'camera_group_defined',
          ...actorOf(c, settings),
          object: name,
          detail,
        });
      }
      return { name, cameras: wanted, changes };
    },
});

export const removeCameraGroup = endpoint({
  method: 'delete',
  path: '/postern/api/camera-groups/:name',
  level: 'admin-only',
  tag: 'Camera groups',
  summary: 'Remove a group of cameras that no role uses',
  pathParameters,
  pathForms,
  answers: {
    204: { meaning: 'Removed.' },
    404: { meaning: 'There is no such group.' },
    409: {
      meaning: 'Roles use the group (`camera_group_used`, with their names in `roles`), or as for `PUT`.',
    },
  },
  handle:
    ({ settings, customRoles, audit }: RolesDependencies) =>
    async (c) => {
      const name = groupName(c.req.param('name'));
      const permit = permitIf(c.var.permit, ({ defined }) => {
        if (!defined.groups.has(name)) throw new AppError('camera_group_unknown');
      });
      await validChange(customRoles.removeGroup(name, permit), () => 'cameras');
      await audit.record({ event: 'camera_group_removed', ...actorOf(c, settings), object: name });
    },
});

function groupName(name: string): string {
  if (isGroupName(name)) return name;
  throw invalid(
    ['path', 'name'],
    'The name of a group has 1 to 64 letters, digits, dots, hyphens and underscores, and is not . or ..',
  );
}
