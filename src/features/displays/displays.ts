import { randomUUID } from 'node:crypto';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { unconditional, type Permit, type Reading } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';
import {
  accessText,
  findOwner,
  requireRoom,
  type ApiToken,
  type ApiTokens,
  type NewApiToken,
} from '../api-tokens/api-tokens.ts';
import { capabilities } from '../../policy/capability.ts';
import type { ApiTokenUse } from '../api-tokens/uses.ts';

/** A screen that stays signed in: an API token of the user who approved it, which the screen keeps in a cookie. */
export type Display = ApiToken;

type NewDisplay = Omit<NewApiToken, 'schedule'>;

export interface Displays extends Pick<ApiTokens, 'list' | 'find'> {
  /**
   * Approves a screen, which then fetches its credential.
   * @param deviceHash of its device code
   * @throws AppError `pairing_code_unknown` when the code was approved before, `display_exists`, `too_many_displays`
   */
  approve(deviceHash: string, wanted: NewDisplay, permit: Permit): Promise<Display>;
  /** Changes the fields that are given. @returns undefined if there is no such display. @throws AppError `display_exists` */
  change(id: string, changes: DisplayChanges, permit: Permit): Promise<Display | undefined>;
  /** @returns whether it existed */
  end(id: string, permit: Permit): Promise<boolean>;
  /** Deletes displays that expired, or were approved and never fetched. */
  prune(): Promise<void>;
}

/** Fields that are left out stay as they are. A field that is undefined has no limit. */
type DisplayChanges = Partial<Pick<NewDisplay, 'name' | 'cameras' | 'may' | 'expiresAt'>>;

/** Seconds that an approved screen has to fetch its credential: as long as a pairing code is valid. */
export const pairingLifetime = 600;

const full = { taken: 'display_exists', full: 'too_many_displays' } as const;

/** @param tokens API tokens of the kind `display` */
export function createDisplays(store: Store, tokens: ApiTokens, clock: Clock): Displays {
  const now = () => wholeSeconds(clock.now());
  return {
    list: tokens.list,
    find: tokens.find,

    approve: async (deviceHash, { name, owner, role, cameras, may, expiresAt }, permit) => {
      const id = randomUUID();
      await store.change(permit, async (on, { requireProof, grant, alert }) => {
        requireProof();
        await findOwner(on, owner);
        await requireRoom(on, { owner, kind: 'display', name }, full);
        const { numInsertedOrUpdatedRows: count } = await on
          .insertInto('api_tokens')
          .values({
            token_id: id,
            kind: 'display',
            token_hash: null,
            device_hash: deviceHash,
            name,
            username: owner,
            role: grant(role),
            cameras: camerasText(cameras),
            access: accessText({ may }),
            created_at: now(),
            expires_at: expiresAt === undefined ? null : wholeSeconds(expiresAt),
          })
          .onConflict((conflict) => conflict.column('device_hash').doNothing())
          .executeTakeFirstOrThrow();
        if (count !== 1n) throw new AppError('pairing_code_unknown');
        alert('display_paired', { user: owner, object: name });
      });
      return (await tokens.find(id)) as Display;
    },

    change: (id, changes, permit) =>
      store.change(permit, async (on, { requireProof }) => {
        requireProof();
        const before = await tokens.find(id, on);
        if (before === undefined) return undefined;
        const columns = columnsOf(changes);
        if (Object.keys(columns).length === 0) return before;
        if (changes.name !== undefined)
          await requireRoom(on, { owner: before.owner, kind: 'display', name: changes.name, id }, full);
        await on.updateTable('api_tokens').set(columns).where('token_id', '=', id).execute();
        return tokens.find(id, on);
      }),

    end: tokens.revoke,

    prune: async () => {
      const over = (on: Reading) =>
        on
          .selectFrom('api_tokens')
          .select('token_id')
          .where('kind', '=', 'display')
          .where(({ eb, or, and }) =>
            or([
              eb('expires_at', '<=', now()),
              and([eb('token_hash', 'is', null), eb('created_at', '<=', now() - 2 * pairingLifetime)]),
            ]),
          );
      // Writes nothing when there is none, because a write clears what is remembered about all users.
      const ids = (await over(store).execute()).map(({ token_id: id }) => id);
      if (ids.length === 0) return;
      await store.change(unconditional, (on) =>
        on.deleteFrom('api_tokens').where('token_id', 'in', ids).execute(),
      );
    },
  };
}

/** Writes only the fields that are given, so that two changes at once do not undo each other. */
function columnsOf(changes: DisplayChanges) {
  const { name, cameras, may, expiresAt } = changes;
  return {
    ...(name !== undefined && { name }),
    ...('cameras' in changes && { cameras: camerasText(cameras) }),
    ...('may' in changes && { access: accessText({ may }) }),
    ...('expiresAt' in changes && {
      expires_at: expiresAt === undefined ? null : wholeSeconds(expiresAt),
    }),
  };
}

function camerasText(cameras: ReadonlySet<string> | undefined): string | null {
  return cameras === undefined ? null : JSON.stringify([...cameras]);
}

/** Capabilities of displays: they only show, so they move no camera, share nothing and do not talk. */
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
  /** `null` for all that its user may see. */
  readonly cameras: string[] | null;
  readonly may: Array<(typeof displayMay)[number]>;
  readonly created_at: number;
  /** `null` if it lasts until it is ended. */
  readonly until: number | null;
  /** `null` if it was not seen yet. */
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
