import type { Front } from '../request-context.ts';
import type { RecordedTimes } from './recorded-since.ts';
import type { RecordedCameras } from '../resource.ts';
import type { Roles, RoleAccess } from '../role-access.ts';
import {
  type OpeningOf,
  type ScheduleStates,
  bothStates,
  type Opening,
  type ScheduleState,
} from '../schedule.ts';
import type { StopsOf } from '../stop.ts';
import type { ResolveResource } from '../rule-tree.ts';
import type { IdentityToken } from '../token-scope.ts';

/** Everything that a decision depends on, besides the request and the identity. */
export interface Rules {
  readonly roles: Roles;
  readonly resolveResource: ResolveResource;
  /** Only by the recorder's rules, for the record of who watched. Absent when nothing is recorded. */
  readonly resolveAsRecorder?: ResolveResource | undefined;
  readonly recorded: RecordedCameras;
  /** Absent when recording times are unknown. */
  readonly recordedTimes?: RecordedTimes | undefined;
  /** Valid host names of the internal entry point; lower-case. */
  readonly internalHosts: ReadonlySet<string>;
  /**
   * Whether the upstream of a front filters its lists by the grant of a custom role, as far as that has been verified at this
   * moment.
   */
  readonly listsAreFiltered: (role: string, front: Front | undefined) => boolean;
  /**
   * Whether the recorder treats everyone as admin, or may, while it has not answered yet: then only the gate can refuse the changes of
   * users who are not limited to cameras.
   */
  readonly everyoneIsAdmin?: (() => boolean) | undefined;
  readonly stateOf: ScheduleStates;
  /** Absent when it is unknown when closed access opens again. */
  readonly openingOf?: OpeningOf | undefined;
  /** Absent when nothing is stopped. */
  readonly stopsOf?: StopsOf | undefined;
  /** The origin at which people reach the site. Absent when the configuration does not say. */
  readonly publicOrigin?: string | undefined;
  /** Prefix that a front removes before it asks or passes on; empty: none. */
  readonly basePath: string;
}

/** @returns the state at this moment of the schedules of a role and of its API token; `undefined` if always open */
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
