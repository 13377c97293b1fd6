import type { Front } from '../request-context.ts';
import type { CustomRoles } from '../grant.ts';
import type { RecordedTimes } from './recorded-since.ts';
import type { RecordedCameras } from '../resource.ts';
import type { ScheduleState } from '../schedule.ts';
import type { ResolveResource } from '../rule-tree.ts';

/** What a decision depends on, besides the request and who is asking. */
export interface Rules {
  readonly customRoles: CustomRoles;
  readonly resolveResource: ResolveResource;
  readonly recorded: RecordedCameras;
  /** Undefined: nobody knows when anything was recorded. */
  readonly recordedTimes?: RecordedTimes | undefined;
  /** Names by which the internal entry point may be called; lower-case. */
  readonly internalHosts: ReadonlySet<string>;
  /**
   * Whether what stands behind a front leaves out of its lists what a custom role is not granted, as far as that is known at
   * this moment.
   */
  readonly listsAreFiltered: (role: string, front: Front | undefined) => boolean;
  /**
   * Whether the recorder takes everyone for an admin, or may, as it has not answered yet: then the gate is the only guard of what
   * those without a limit to cameras send.
   */
  readonly everyoneIsAdmin?: (() => boolean) | undefined;
  /** What the window of a role means at this moment; undefined: the role has none. Not there when no role has one. */
  readonly scheduleOf?: ((role: string) => ScheduleState | undefined) | undefined;
  /** Prefix that a front takes away before it asks or passes on; empty when there is none. */
  readonly basePath: string;
}
