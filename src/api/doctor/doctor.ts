import { Hono } from 'hono';
import { clientOf } from '../../fronts/client.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiEnvironment } from '../request-context.ts';
import { checksOf, type ChecksDependencies } from './checks.ts';

export interface DoctorDependencies extends ChecksDependencies {
  readonly settings: Settings;
}

/** `GET /postern/api/doctor`, for admins: what the gate finds of itself, and how this very request came. */
export function doctorRoutes(dependencies: DoctorDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) => {
    const { address, secure, host = null } = clientOf(c.env, dependencies.settings);
    return c.json({
      checks: [...checksOf(dependencies)],
      request: { entry_point: c.env.entryPoint, address, secure, host },
    });
  });
}

export type DoctorApi = ReturnType<typeof doctorRoutes>;
