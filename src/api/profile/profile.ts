import { Hono } from 'hono';
import { AppError } from '../../errors.ts';
import { isGranted, type Grant } from '../../policy/grant.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiEnvironment } from '../request-context.ts';

export interface ProfileDependencies {
  readonly settings: Settings;
}

/** `/api/profile`: who is asking. */
export function profileRoutes({ settings }: ProfileDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) => {
    const { identity, grant } = c.var.allowed;
    if (identity === undefined) throw new AppError('unauthenticated');
    const cameras = grantedCameras(settings, grant);
    return c.json({ username: identity.user, role: identity.role, allowed_cameras: cameras });
  });
}

/** `/postern/api/cameras`: those that whoever asks may see. */
export function cameraRoutes({ settings }: ProfileDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) => c.json(grantedCameras(settings, c.var.allowed.grant)));
}

export type ProfileApi = ReturnType<typeof profileRoutes>;
export type CamerasApi = ReturnType<typeof cameraRoutes>;

/** Cameras that a grant covers, of those there are. */
export function grantedCameras({ allCameras }: Pick<Settings, 'allCameras'>, grant: Grant): string[] {
  return allCameras().filter((camera) => isGranted(grant, camera));
}
