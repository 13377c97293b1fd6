import type { Reason } from './reasons.ts';
import type { IdentityToken } from './token-scope.ts';

/** The identity of a client. Texts are Unicode, not header bytes; an unknown text is empty. */
export interface Identity {
  readonly user: string;
  readonly role: string;
  /**
   * `session`, `bearer`: a session token, by cookie or as bearer. Not a user: `display`, a screen; `share`, the link of a
   * share.
   */
  readonly source: 'internal' | 'proxy' | 'session' | 'bearer' | 'api-token' | 'display' | 'share';
  readonly groups: string;
  readonly email: string;
  readonly name: string;
  /** The API token or the display, when the source is one. */
  readonly token?: IdentityToken;
  /** A scheme whose credentials browsers send by themselves, if the API token came by it. */
  readonly scheme?: 'basic';
  /** The admin who invited the user of a session, while they are one: the user may read the name. */
  readonly invitedBy?: string;
  /** The role needs a second factor, and the user has none yet. */
  readonly restricted?: 'second_factor';
}

/** Limits of a share's link at this moment. */
export interface ShareScope {
  /** Whether it was ended or has expired, or the recorder has deleted the media. */
  readonly isOver: boolean;
  /** Absent when the creator has lost access. */
  readonly creator: Identity | undefined;
  /** Whether the creator needs `share`. */
  readonly needsWord: boolean;
  /** The recorder's target, as `sharedTarget` returns it. Absent when the requested target is not part of the share. */
  readonly target: string | undefined;
  readonly camera: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The session of an identity. */
export interface IdentitySession {
  readonly claims: { readonly sessionId: string };
}

/** The identity, possibly limited to a share; or why it is unknown. */
export type Authentication =
  | {
      readonly identity: Identity;
      readonly share?: ShareScope | undefined;
      readonly session?: IdentitySession | undefined;
    }
  | { readonly refused: Reason };

/** @returns an identity with nothing but a user, a role and a source */
export function plainIdentity(user: string, role: string, source: Identity['source']): Identity {
  return { user, role, source, groups: '', email: '', name: '' };
}
