import { LRUCache } from 'lru-cache';
import { wholeSeconds, type Clock } from '../clock.ts';
import type { Activity } from '../store/store.ts';
import { createWriteBehind } from '../store/write-behind.ts';

/** When and from where a token was used last. */
export interface ApiTokenUse {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of the client; undefined when nobody said. */
  readonly address: string | undefined;
}

/** The last use of each API token, to look at: no decision depends on it, and none waits for it. */
export interface ApiTokenUses {
  /**
   * The token was used, which is kept once a minute at most.
   * @param address of the client; asked for only when it is kept
   */
  note(tokenId: string, address: () => string): void;
  /** @returns by id of the token; those that are not written yet included */
  list(): Promise<ReadonlyMap<string, ApiTokenUse>>;
  /** Forgets the uses of tokens that there are not any more. */
  prune(tokenIds: ReadonlySet<string>): Promise<void>;
  /** Writes what is pending and stops. */
  close(): Promise<void>;
}

interface NotedUse extends ApiTokenUse {
  readonly tokenId: string;
}

export interface ApiTokenUsesOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const mostRemembered = 10_000;
// Milliseconds.
const leastInterval = 60_000;
const writeInterval = 5_000;

export function createApiTokenUses(
  activity: Activity,
  { clock, onError }: ApiTokenUsesOptions,
): ApiTokenUses {
  const noted = new LRUCache<string, NotedUse>({ max: mostRemembered });
  const behind = createWriteBehind<NotedUse>({
    write: (uses) => write(activity, uses),
    interval: writeInterval,
    batch: 500,
    most: mostRemembered,
    onError,
  });
  return {
    note: (tokenId, address) => {
      const at = clock.now();
      const before = noted.get(tokenId)?.at;
      if (before !== undefined && at >= before && at - before < leastInterval) return;
      const use = { tokenId, at, address: address() || undefined };
      noted.set(tokenId, use);
      behind.put(use, tokenId);
    },

    list: async () => {
      const rows = await activity.selectFrom('api_token_uses').selectAll().execute();
      const uses = new Map<string, ApiTokenUse>(
        rows.map((row) => [row.token_id, { at: row.last_used_at * 1000, address: row.address ?? undefined }]),
      );
      for (const [tokenId, { at, address }] of noted.entries()) uses.set(tokenId, { at, address });
      return uses;
    },

    prune: async (tokenIds) => {
      await behind.flush();
      const rows = await activity.selectFrom('api_token_uses').select('token_id').execute();
      for (const { token_id: id } of rows) {
        if (tokenIds.has(id)) continue;
        noted.delete(id);
        await activity.deleteFrom('api_token_uses').where('token_id', '=', id).execute();
      }
    },

    close: behind.close,
  };
}

async function write(activity: Activity, uses: readonly NotedUse[]): Promise<void> {
  // In one order, so that of two processes one waits for the other, and not each for the other.
  const sorted = uses.toSorted((one, other) => (one.tokenId < other.tokenId ? -1 : 1));
  await activity
    .insertInto('api_token_uses')
    .values(
      sorted.map(({ tokenId, at, address }) => ({
        token_id: tokenId,
        last_used_at: wholeSeconds(at),
        address: address ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('token_id').doUpdateSet(({ ref }) => ({
        last_used_at: ref('excluded.last_used_at'),
        address: ref('excluded.address'),
      })),
    )
    .execute();
}
