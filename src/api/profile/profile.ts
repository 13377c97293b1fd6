import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { isGranted, type Grant } from '../../policy/grant.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../endpoint.ts';

const cameras = v.pipe(v.array(v.string()), v.description('Existing cameras that the role covers.'));
export const profile = v.strictObject({ username: v.string(), role: v.string(), allowed_cameras: cameras });

export interface ProfileDependencies {
  readonly settings: Settings;
}

export const readProfile = endpoint({
  method: 'get',
  path: '/api/profile',
  level: 'own-account',
  beforeSecondFactor: true,
  tag: 'Login',
  summary: 'Get the current user',
  answers: { 200: { meaning: 'The user, as the gate sees it now.', body: profile } },
  handle:
    ({ settings }: ProfileDependencies) =>
    (c) => {
      const { identity, grant } = c.var.allowed;
      if (identity === undefined) throw new AppError('unauthenticated');
      return {
        username: identity.user,
        role: identity.role,
        allowed_cameras: grantedCameras(settings, grant),
      };
    },
});

export const listCameras = endpoint({
  method: 'get',
  path: '/postern/api/cameras',
  level: 'any',
  namesNoCamera: true,
  tag: 'Login',
  summary: 'List your cameras',
  answers: { 200: { meaning: 'Their names.', body: cameras } },
  handle:
    ({ settings }: ProfileDependencies) =>
    (c) =>
      grantedCameras(settings, c.var.allowed.grant),
});

/** The existing cameras that a grant covers. */
export function grantedCameras({ allCameras }: Pick<Settings, 'allCameras'>, grant: Grant): string[] {
  return allCameras().filter((camera) => isGranted(grant, camera));
}
