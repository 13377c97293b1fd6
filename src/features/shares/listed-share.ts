import { wholeSeconds } from '../../clock.ts';
import type { ShareUnlock } from './share-unlocks.ts';
import type { Share } from './shares.ts';

/** A share in a list, as the API and the command show it. Times are seconds since the epoch. */
export interface ListedShare {
  readonly id: string;
  readonly kind: Share['kind'];
  /** Id of the event; absent for other kinds. */
  readonly event?: string;
  readonly export?: string;
  readonly camera?: string;
  /** The shared cameras. */
  readonly cameras: readonly string[];
  readonly label: string | null;
  readonly has_password: boolean;
  /** Recordings are shared from then on; for an event or an export, when it began. */
  readonly from: number;
  readonly until: number;
  readonly made_by: string;
  readonly made_at: number;
  readonly expires_at: number;
  readonly openings: number;
  /** Null: not opened yet. */
  readonly last_opened_at: number | null;
}

/** @param unlocks undefined: not opened yet */
export function listedShare(share: Share, unlocks: ShareUnlock | undefined): ListedShare {
  const { id, kind, object = '', camera, label, passwordHash, from, until, creator } = share;
  const thing = { event: { event: object }, export: { export: object }, camera: { camera } }[kind];
  return {
    id,
    kind,
    ...thing,
    cameras: [camera],
    label: label ?? null,
    has_password: passwordHash !== undefined,
    from: wholeSeconds(from),
    until: wholeSeconds(until),
    made_by: creator.user,
    made_at: wholeSeconds(share.createdAt),
    expires_at: wholeSeconds(share.expiresAt),
    openings: unlocks?.count ?? 0,
    last_opened_at: unlocks === undefined ? null : wholeSeconds(unlocks.lastAt),
  };
}
