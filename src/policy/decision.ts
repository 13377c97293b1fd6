import type { AccessRule } from './access-rule.ts';
import type { Grant } from './grant.ts';
import type { Identity } from './identity.ts';
import type { Reason } from './reasons.ts';
import type { Resource } from './resource.ts';

/** What a decision was made of. */
export interface Basis {
  /** Canonical path; undefined when there is no URI, or none that can be read. */
  readonly path?: string | undefined;
  /** The access rule that matched. */
  readonly rule?: AccessRule | undefined;
  readonly resource?: Resource | undefined;
}

export interface Allowed extends Basis {
  readonly outcome: 'allow';
  readonly reason: Reason;
  /** Undefined on public paths only. */
  readonly identity: Identity | undefined;
  readonly grant: Grant;
  /** Whether the gate reads the messages and bodies of this request: the recorder alone may not be trusted to refuse them. */
  readonly isGuarded?: boolean | undefined;
  /**
   * Request target to pass on in place of the one that was asked for, in origin-form: its query names granted cameras alone.
   * Undefined when it is passed on as it was sent.
   */
  readonly narrowed?: string | undefined;
  /** Of a share: what the recorder is asked in place of what was asked for, in origin-form, and as whom. */
  readonly onBehalf?: { readonly target: string; readonly identity: Identity } | undefined;
  /**
   * When to decide again though nothing has changed but the time, in milliseconds since the epoch: of a role with a window, say.
   * Infinite: never for that reason.
   */
  readonly until?: number | undefined;
  /** Of a role that sees nothing that was recorded before. Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

export interface Refused extends Basis {
  readonly outcome: 'unauthenticated' | 'forbidden';
  readonly reason: Reason;
  readonly identity: Identity | undefined;
}

/** Whether a request may pass, and why: a value, never an exception. */
export type Decision = Allowed | Refused;
