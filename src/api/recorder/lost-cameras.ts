import * as v from 'valibot';
import type { LostCamera, LostCameras } from '../../accounts/cameras/lost-cameras.ts';
import type { CameraRenames } from '../../accounts/cameras/rename-camera.ts';
import { camerasOfRecorder } from '../../access/settings/known-cameras.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { AppError } from '../../errors.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import { cameraNameForm } from '../../policy/names.ts';
import type { ConfigurationReading } from '../../recorder/configuration-reading.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { endpoint } from '../endpoint.ts';
import { permitIf } from '../permit.ts';
import { actorOf } from '../request.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { validChange } from '../valid-change.ts';

export interface LostCamerasDependencies {
  readonly settings: Settings;
  readonly about: { readonly recorder: ConfigurationReading['knowledge'] };
  readonly lostCameras: LostCameras;
  readonly renames: CameraRenames;
  readonly audit: AuditLog;
  readonly logger: Pick<RequestLog, 'warn'>;
}

const names = v.array(v.string());
const owned = v.array(v.strictObject({ name: v.string(), user: v.string() }));
const places = v.pipe(
  names,
  v.description('Places in `config.yml` that have the previous name and that an operator has to change.'),
);
const holders = {
  roles: v.pipe(names, v.description('Named roles that list the camera themselves.')),
  groups: v.pipe(names, v.description('Groups of cameras.')),
  people: v.pipe(names, v.description('Users whose role has it, by itself or by a group.')),
  invitations: v.pipe(v.number(), v.description('How many open invitations give it.')),
  tokens: v.pipe(owned, v.description('API tokens that are limited to cameras.')),
  displays: v.pipe(owned, v.description('Screens that are limited to cameras.')),
  shares: v.pipe(
    owned,
    v.description(
      'Shares of the camera. Shared events and exports keep the name that they were recorded under.',
    ),
  ),
  requests: v.pipe(names, v.description('Users who ask for it.')),
  stops: v.pipe(names, v.description('Who is stopped there.')),
};

const pathParameters = { camera: 'Name that the camera had.' };
const pathForms = { camera: v.pipe(v.string(), v.regex(cameraNameForm)) };

export const listLostCameras = endpoint({
  method: 'get',
  path: '/postern/api/lost-cameras',
  level: 'admin-only',
  tag: 'Cameras',
  summary: 'List cameras that the recorder renamed or dropped',
  description:
    'Cameras that the recorder had and has no longer, by the last configuration that Postern could read, and that something here names.',
  answers: {
    200: {
      meaning: 'What names them, and the cameras that the recorder has, the newest first.',
      body: v.strictObject({
        lost: v.array(
          v.strictObject({
            camera: v.string(),
            likely: v.pipe(
              v.nullable(v.string()),
              v.description('The name that it probably has now; null: unknown.'),
            ),
            ...holders,
            places,
          }),
        ),
        cameras: names,
      }),
    },
  },
  handle:
    ({ lostCameras, renames }: LostCamerasDependencies) =>
    async () => ({
      lost: (await lostCameras.list()).map((found) => shown(found, renames.fixedPlaces(found.camera))),
      cameras: await lostCameras.present(),
    }),
});

export const renameCamera = endpoint({
  method: 'post',
  path: '/postern/api/cameras/:camera/rename',
  level: 'admin-only',
  tag: 'Cameras',
  summary: 'Move everything to the new name of a camera',
  description:
    'Roles, those of one person too, groups of cameras, API tokens, screens, shares and requests get the new name in place of the previous one. A stop gets it besides. What was recorded stays under the previous name, in the audit too. Sent again, it finishes what was cut off. With `store.url`, an operator has to change what `config.yml` declares.',
  pathParameters,
  pathForms,
  body: strictBody({ to: v.pipe(v.string('Input should be text'), v.nonEmpty('A camera has a name')) }),
  bodyExample: { to: 'front_porch' },
  answers: {
    200: {
      meaning: 'Everything that had the previous name, and what still has it.',
      body: v.strictObject({ camera: v.string(), to: v.string(), ...holders, places }),
    },
    403: stepUpNeeded,
    409: {
      meaning:
        'The recorder still has a camera of the previous name (`camera_not_gone`), or the file cannot be written; then nothing has changed.',
    },
    502: { meaning: 'The configuration of the recorder cannot be read.' },
  },
  handle:
    ({ settings, about, lostCameras, renames, audit, logger }: LostCamerasDependencies) =>
    async (c) => {
      const camera = c.req.param('camera');
      const { to } = c.req.valid('json');
      const permit = permitIf(c.var.permit, () => requireRenamed(camera, to, about.recorder()));
      const {
        holders: moved,
        left,
        fault,
      } = await validChange(renames.rename(camera, to, permit), () => 'to');
      if (fault !== undefined)
        logger.warn(
          { err: fault, camera, to, left },
          'could not write the new name of a camera to config.yml; its roles see nothing of it until the change is made again',
        );
      // The list is no more than a hint.
      if (left.length === 0)
        await lostCameras
          .forget(camera)
          .catch((error: unknown) => logger.warn({ err: error, camera }, 'could not forget a camera'));
      const { roles, groups, people } = moved;
      await audit.record({
        event: 'camera_renamed',
        ...actorOf(c, settings),
        object: camera,
        detail: { to, roles, groups, people, ...(left.length > 0 && { left }) },
      });
      return { camera, to, ...moved, places: left };
    },
});

export const forgetCamera = endpoint({
  method: 'delete',
  path: '/postern/api/lost-cameras/:camera',
  level: 'admin-only',
  tag: 'Cameras',
  summary: 'Take a lost camera off the list',
  description: 'For a camera that is gone for good. Whatever names it stays as it is.',
  pathParameters,
  pathForms,
  answers: {
    204: { meaning: 'It is no longer listed.' },
    404: { meaning: 'No such camera is gone.' },
  },
  handle:
    ({ lostCameras }: LostCamerasDependencies) =>
    async (c) => {
      if (!(await lostCameras.forget(c.req.param('camera')))) throw new AppError('camera_unknown');
    },
});

function shown({ camera, likely, holders: held }: LostCamera, left: readonly string[]) {
  return { camera, likely: likely ?? null, ...held, places: [...left] };
}

/** @throws an error unless the recorder has the new name, and not the previous one */
function requireRenamed(
  camera: string,
  to: string,
  known: ReturnType<ConfigurationReading['knowledge']>,
): void {
  if (known?.configuration === undefined || known.fault !== undefined)
    throw new AppError('upstream_unavailable');
  if (known.configuration.cameras.has(camera)) throw new AppError('camera_not_gone');
  if (!camerasOfRecorder(known.configuration).includes(to))
    throw invalid(['body', 'to'], 'The recorder has no camera of this name');
}
