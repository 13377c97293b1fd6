import { Hono } from 'hono';
import { shownChecks } from '../../doctor/gate/first-steps.ts';
import type { GateState } from '../../doctor/gate/gate-checks.ts';
import { clientOf } from '../../fronts/client.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiEnvironment } from '../request-context.ts';

export interface DoctorDependencies extends GateState {
  readonly settings: Settings;
}

export const checkNames = Object.keys(shownChecks) as ReadonlyArray<keyof typeof shownChecks>;

/** `GET /postern/api/doctor`, for admins: what the gate finds of itself, and how this very request came. */
export function doctorRoutes(dependencies: DoctorDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) => {
    const { address, secure, host = null } = clientOf(c.env, dependencies.settings);
    const checks = checkNames.map((name) => {
      const { result, seen = [] } = shownChecks[name](dependencies);
      return { name, result, seen: [...seen] };
    });
    return c.json({ checks, request: { entry_point: c.env.entryPoint, address, secure, host } });
  });
}

export type DoctorApi = ReturnType<typeof doctorRoutes>;
