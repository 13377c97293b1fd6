import { wholeSeconds } from '../../clock.ts';
import { capabilities } from '../../policy/capability.ts';
import type { ApiTokenUse } from '../api-tokens/uses.ts';
import type { Display } from './displays.ts';

/** What a display may do: it only shows, so it moves no camera, shares nothing and does not talk. */
export const displayMay = capabilities.filter(
  (word) => word !== 'ptz' && word !== 'share' && word !== 'talk',
);

/** `waiting`: its screen has not fetched its credential yet; `suspended`: the user who approved it is blocked. */
export const displayStates = ['good', 'waiting', 'expired', 'suspended'] as const;

/** A display in a list, as the API and the command show it. Times are seconds since the epoch. */
export interface ListedDisplay {
  readonly id: string;
  /** The user who approved it. */
  readonly username: string;
  readonly name: string;
  /** Null: all that its user may see. */
  readonly cameras: string[] | null;
  readonly may: Array<(typeof displayMay)[number]>;
  readonly created_at: number;
  /** Null: until it is ended. */
  readonly until: number | null;
  /** Null: not seen yet. */
  readonly last_seen_at: number | null;
  readonly last_seen_from: string | null;
  readonly state: (typeof displayStates)[number];
}

/** @param now milliseconds since the epoch */
export function listedDisplay(display: Display, use: ApiTokenUse | undefined, now: number): ListedDisplay {
  const { id, owner, name, cameras, may, createdAt, expiresAt } = display;
  return {
    id,
    username: owner,
    name,
    cameras: cameras === undefined ? null : [...cameras],
    may: displayMay.filter((word) => may === undefined || may.has(word)),
    created_at: wholeSeconds(createdAt),
    until: expiresAt === undefined ? null : wholeSeconds(expiresAt),
    last_seen_at: use === undefined ? null : wholeSeconds(use.at),
    last_seen_from: use?.address ?? null,
    state: stateOf(display, now),
  };
}

function stateOf(
  { expiresAt, display, isOwnerBlocked }: Display,
  now: number,
): (typeof displayStates)[number] {
  if (expiresAt !== undefined && now >= expiresAt) return 'expired';
  if (display?.rotatedAt === undefined) return 'waiting';
  return isOwnerBlocked ? 'suspended' : 'good';
}
