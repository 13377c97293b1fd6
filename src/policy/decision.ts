import type { AccessRule } from './access-rule.ts';
import type { Capability, May } from './capability.ts';
import type { Grant } from './grant.ts';
import type { Identity } from './identity.ts';
import type { Reason } from './reasons.ts';
import type { Resource } from './resource.ts';
import type { Opening } from './schedule.ts';

/** The basis of a decision. */
export interface Basis {
  /** Canonical path. Absent when there is no URI, or an unreadable one. */
  readonly path?: string | undefined;
  /** The access rule that matched. */
  readonly rule?: AccessRule | undefined;
  readonly resource?: Resource | undefined;
}

export interface Allowed extends Basis {
  readonly outcome: 'allow';
  readonly reason: Reason;
  /** Absent only on public paths. */
  readonly identity: Identity | undefined;
  readonly grant: Grant;
  /** Rights of the identity for these cameras. */
  readonly may: May;
  /** Whether the gate reads the messages and bodies of this request, because the recorder may not refuse them. */
  readonly isGuarded?: boolean | undefined;
  /**
   * Request target to pass on instead of the original, in origin-form: its query names only granted cameras. Absent when
   * the target is passed on as it was sent.
   */
  readonly narrowed?: string | undefined;
  /** For a share: the target to ask the recorder for instead, in origin-form, and the identity to use. */
  readonly onBehalf?: { readonly target: string; readonly identity: Identity } | undefined;
  /**
   * When to decide again even if only time has passed, in milliseconds since the epoch: for a role with a schedule, for example.
   * Infinite if never.
   */
  readonly until?: number | undefined;
  /** For a role without earlier recordings: from when on it may see them. Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

export interface Refused extends Basis {
  readonly outcome: 'unauthenticated' | 'forbidden';
  readonly reason: Reason;
  readonly identity: Identity | undefined;
  /** The capability that the role lacks, for `role_may_not`. */
  readonly missing?: Capability | undefined;
  /** When this opens again, for `role_outside_schedule` and `stopped`. */
  readonly opening?: Opening | undefined;
  /** The cameras that the identity may watch instead, for `camera_not_granted` and `target_unresolved`. */
  readonly granted?: Grant | undefined;
}

/** Whether a request may pass, and why: a value, never an exception. */
export type Decision = Allowed | Refused;
