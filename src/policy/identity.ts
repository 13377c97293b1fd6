import type { Reason } from './reasons.ts';
import type { IdentityToken } from './token-scope.ts';

/** Who is asking. Texts are Unicode, not header bytes; an unknown text is empty. */
export interface Identity {
  readonly user: string;
  readonly role: string;
  /** `session`, `bearer`: a session token, by cookie or as bearer. `share`: nobody who is known, but the link of a share. */
  readonly source: 'internal' | 'proxy' | 'session' | 'bearer' | 'api-token' | 'share';
  readonly groups: string;
  readonly email: string;
  readonly name: string;
  /** The API token, when the source is one. */
  readonly token?: IdentityToken;
  /** The role needs a second factor, and the user has none yet. */
  readonly restricted?: 'second_factor';
}

/** To what the link of a share limits whoever opened it, at this moment. */
export interface ShareScope {
  /** Whether it was ended, its time has passed, or the recorder has nothing of it any more. */
  readonly isOver: boolean;
  /** Undefined: the creator could not come in any more. */
  readonly creator: Identity | undefined;
  /** What the recorder is asked, as `sharedTarget` writes it; undefined: what was asked for is no part of the share. */
  readonly target: string | undefined;
  readonly camera: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Who is asking, limited to a share perhaps; or why that is not known. */
export type Authentication =
  | { readonly identity: Identity; readonly share?: ShareScope | undefined }
  | { readonly refused: Reason };

/** @returns an identity of which nothing is known but who it is */
export function plainIdentity(user: string, role: string, source: Identity['source']): Identity {
  return { user, role, source, groups: '', email: '', name: '' };
}
