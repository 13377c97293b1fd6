import { check, steps } from './gate/first-steps.ts';
import {
  certificate,
  configuration,
  ownPassword,
  ownSession,
  password,
  person,
  provider,
  recorder,
  roles,
  sample,
  type GateCheck,
} from './gate/gate-checks.ts';

/*
 * Every check that there is, by what it needs. Each consumer names those that it shows.
 */

/** The running gate's own state: for `GET /postern/api/doctor`, the first steps, and what needs attention. */
export const gateChecks = {
  ownPassword,
  ownSession,
  configuration,
  provider,
  certificate,
  recorder,
  roles,
  password,
  person,
  check,
  steps,
  sample,
} as const satisfies Readonly<Record<string, GateCheck>>;
