import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import type { RecorderRoles } from '../../recorder/recorder-roles.ts';
import type { ApiEnvironment } from '../request-context.ts';

export interface RecorderRolesDependencies {
  readonly recorderRoles: RecorderRoles;
}

// Milliseconds. Fronts wait a minute for an answer; a recorder that is told of many roles may take longer.
const longestWait = 20_000;

/** `/postern/api/recorder/roles`, for admins: what the recorder has of the custom roles. */
export function recorderRolesRoutes({ recorderRoles }: RecorderRolesDependencies) {
  return new Hono<ApiEnvironment>()
    .get('/', (c) => c.json(told(recorderRoles)))

    .post('/', async (c) => {
      const late = new AbortController();
      await Promise.race([
        recorderRoles.tryAgain(),
        setTimeout(longestWait, undefined, { signal: late.signal, ref: false }).catch(() => undefined),
      ]);
      late.abort();
      return c.json(told(recorderRoles));
    });
}

export type RecorderRolesApi = ReturnType<typeof recorderRolesRoutes>;

function told({ report }: RecorderRoles) {
  const { isAsked, isManaged, fault, onlyThere, refusals, unknownCameras } = report();
  return {
    asked: isAsked,
    managed: isManaged,
    unread_reason: fault ?? null,
    only_at_recorder: onlyThere,
    refusals: refusals.map(({ name, says }) => ({ name, recorder_says: says })),
    unknown_cameras: unknownCameras,
  };
}
