import type { RoleAccess } from '../role-access.ts';
import { bothStates, type Opening, type ScheduleState } from '../schedule.ts';
import type { IdentityToken } from '../token-scope.ts';
import type { Rules } from './rules.ts';

/** @returns the state at this moment of the schedules of a role and of its API token; undefined: always open */
export function scheduleStateOf(
  { schedule }: Pick<RoleAccess, 'schedule'>,
  token: IdentityToken | undefined,
  { stateOf }: Pick<Rules, 'stateOf'>,
): ScheduleState | undefined {
  const ofRole = schedule && stateOf(schedule);
  const ofToken = token?.schedule && stateOf(token.schedule);
  return ofRole === undefined || ofToken === undefined ? (ofRole ?? ofToken) : bothStates(ofRole, ofToken);
}

/** @returns when the schedules of a role and of its API token are both open again */
export function openingOf(
  { schedule }: Pick<RoleAccess, 'schedule'>,
  token: IdentityToken | undefined,
  rules: Pick<Rules, 'openingOf'>,
): Opening | undefined {
  return rules.openingOf?.([schedule, token?.schedule].filter((found) => found !== undefined));
}
