import { hash, randomBytes } from 'node:crypto';
import type { ExpressionBuilder, Selectable } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Creator } from '../../access/creator.ts';
import { unconditional, type Permit, type Reading } from '../../store/permit.ts';
import { askTogether } from '../../store/slow-store.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { ShareUnlock } from './share-unlocks.ts';

/** Something of the recorder shared with anyone who has the link. Times are milliseconds since the epoch. */
export interface Share {
  /** Not secret. */
  readonly id: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly secretHash: string;
  readonly kind: 'event' | 'export' | 'camera';
  /** Id of the event or the export; absent when a camera is shared. */
  readonly object: string | undefined;
  /** The shared camera, or that of the event or export at the time of sharing. */
  readonly camera: string;
  /** Recordings are shared from then on; for an event or export, when it began. */
  readonly from: number;
  readonly until: number;
  readonly passwordHash: string | undefined;
  /** The creator's label for it. */
  readonly label: string | undefined;
  readonly creator: Creator;
  /** Whether it ends when its creator loses `share`; false: made before the word existed. */
  readonly needsWord: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
}

type NewShare = Omit<Share, 'id' | 'secretHash' | 'needsWord' | 'createdAt'>;

/** Creator of the shares that are meant, or `all`. */
type Whose = Creator | 'all';

/** Every change checks its permit in its own transaction, and throws the permit's errors. */
export interface Shares {
  /** @returns active shares, newest first */
  list(whose: Whose): Promise<Share[]>;
  /** @returns undefined when it does not exist or is over */
  find(id: string): Promise<Share | undefined>;
  /** @param most shares per creator @returns the secret too, which is stored nowhere @throws AppError `too_many_shares` */
  add(
    wanted: NewShare,
    most: number,
    permit: Permit,
  ): Promise<{ readonly share: Share; readonly secret: string }>;
  /** @returns whether it existed */
  end(id: string, permit: Permit): Promise<boolean>;
  /** @param user omit for all users. @returns the number of ended shares */
  endAll(user: string | undefined, permit: Permit): Promise<number>;
  /** Deletes shares that are over. @returns the ids of all others */
  prune(): Promise<ReadonlySet<string>>;
}

const idForm = /^[\w-]{16,64}$/;

/** It begins with no hyphen: commands take it as an argument. */
function newShareId(): string {
  const id = randomBytes(15).toString('base64url');
  return id.startsWith('-') ? newShareId() : id;
}

export function isShareId(text: string): boolean {
  return idForm.test(text);
}

/**
 * Whether an identity is the creator: a proxy may use the name of an account. An API token sees only what it created itself.
 */
export function isCreator(creator: Creator, { user, source, tokenId }: Creator): boolean {
  if (source === 'api-token') return tokenId !== undefined && creator.tokenId === tokenId;
  return creator.user === user && wayOf(creator) === wayOf({ source });
}

/** Whether the creator has an account here: a proxy's user has none. */
export function isOfAccount(creator: Pick<Creator, 'source'>): boolean {
  return wayOf(creator) === 'account';
}

function wayOf({ source }: Pick<Creator, 'source'>): 'account' | 'proxy' | 'internal' {
  return source === 'proxy' || source === 'internal' ? source : 'account';
}

export function createShares(store: Store, clock: Clock): Shares {
  const inTime = ({ eb }: { readonly eb: ExpressionBuilder<Tables, 'shares'> }) =>
    eb('expires_at', '>', wholeSeconds(clock.now()));
  const current = (on: Reading) => on.selectFrom('shares').selectAll().where(inTime);
  const findTogether = askTogether<string, Selectable<Tables['shares']>>(String, async (ids) => {
    const found = await current(store).where('share_id', 'in', ids).execute();
    return new Map(found.map((row) => [row.share_id, row]));
  });

  return {
    list: async (whose) => {
      const all = current(store).orderBy('created_at', 'desc').orderBy('share_id');
      if (whose === 'all') return (await all.execute()).map(shareOf);
      // Uses an index, because others may have any number of shares.
      const named = await all.where('username', '=', whose.user).execute();
      return named.map(shareOf).filter(({ creator }) => isCreator(creator, whose));
    },

    find: async (id) => {
      const row = await findTogether(id);
      return row && shareOf(row);
    },

    add: async (wanted, most, permit) => {
      const secret = randomBytes(32).toString('base64url');
      const share: Share = {
        ...wanted,
        id: newShareId(),
        secretHash: hash('sha256', secret, 'hex'),
        needsWord: true,
        createdAt: clock.now(),
      };
      await store.change(permit, async (on, { alert }) => {
        const others = await current(on).where('username', '=', wanted.creator.user).execute();
        if (others.length >= most) throw new AppError('too_many_shares');
        await on.insertInto('shares').values(rowOf(share)).execute();
        const { user } = wanted.creator;
        alert('share_made', { user, by: user, object: `${share.kind} of ${share.camera}` });
      });
      return { share, secret };
    },

    end: async (id, permit) => {
      const result = await store.change(permit, (on) =>
        on.deleteFrom('shares').where('share_id', '=', id).executeTakeFirst(),
      );
      return result.numDeletedRows > 0n;
    },

    endAll: async (user, permit) => {
      const result = await store.change(permit, (on) => {
        const all = on.deleteFrom('shares');
        return (user === undefined ? all : all.where('username', '=', user)).executeTakeFirst();
      });
      return Number(result.numDeletedRows);
    },

    prune: async () => {
      const over = await store
        .selectFrom('shares')
        .select('share_id')
        .where((eb) => eb.not(inTime({ eb })))
        .execute();
      // An empty delete would still clear the caches of all processes.
      if (over.length > 0)
        await store.change(unconditional, (on) =>
          on
            .deleteFrom('shares')
            .where((eb) => eb.not(inTime({ eb })))
            .execute(),
        );
      const left = await current(store).select('share_id').execute();
      return new Set(left.map(({ share_id: id }) => id));
    },
  };
}

function rowOf(share: Share): Selectable<Tables['shares']> {
  const { creator } = share;
  return {
    share_id: share.id,
    secret_hash: share.secretHash,
    kind: share.kind,
    object: share.object ?? null,
    camera: share.camera,
    starts_at: wholeSeconds(share.from),
    ends_at: wholeSeconds(share.until),
    password_hash: share.passwordHash ?? null,
    label: share.label ?? null,
    username: creator.user,
    role: creator.role,
    source: creator.source,
    // The share is deleted with the account.
    account: wayOf(creator) === 'account' ? creator.user : null,
    token_id: creator.tokenId ?? null,
    needs_word: share.needsWord ? 1 : 0,
    created_at: wholeSeconds(share.createdAt),
    expires_at: wholeSeconds(share.expiresAt),
  };
}

function shareOf(row: Selectable<Tables['shares']>): Share {
  return {
    id: row.share_id,
    secretHash: row.secret_hash,
    kind: row.kind,
    object: row.object ?? undefined,
    camera: row.camera ?? '',
    from: row.starts_at * 1000,
    until: row.ends_at * 1000,
    passwordHash: row.password_hash ?? undefined,
    label: row.label ?? undefined,
    creator: { user: row.username, role: row.role, source: row.source, tokenId: row.token_id ?? undefined },
    needsWord: row.needs_word === 1,
    createdAt: row.created_at * 1000,
    expiresAt: row.expires_at * 1000,
  };
}

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
  /** `null` if it was not opened yet. */
  readonly last_opened_at: number | null;
}

/** @param unlocks omit when it was not opened yet */
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
