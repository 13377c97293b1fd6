import type { Selectable } from 'kysely';
import { boundedCache } from '../../bounded-cache.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { ActivityTables } from '../../store/activity-schema.ts';
import { createRowWriter } from '../../store/row-writer.ts';
import type { Activity } from '../../store/store.ts';
import { readIfPossible, type RequestLog } from '../../telemetry/request-log.ts';

/** Time and address of a token's last use. */
export interface ApiTokenUse {
  /** Milliseconds since the epoch, of whole seconds. */
  readonly at: number;
  /** Address of the client; absent when unknown. */
  readonly address: string | undefined;
}

/** The last use of each API token, for display: no decision depends on it, and none waits for it. */
export interface ApiTokenUses {
  /** Records a use, at most once a minute. @param address of the client; called only when the use is recorded */
  note(tokenId: string, address: () => string): void;
  /** @returns uses by token id, including those not written yet */
  list(): Promise<ReadonlyMap<string, ApiTokenUse>>;
  /** Deletes the uses of all other tokens. */
  prune(tokenIds: ReadonlySet<string>): Promise<void>;
  /** Writes pending uses and stops. */
  close(): Promise<void>;
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
  const noted = boundedCache<string, number>(mostRemembered);
  const uses = createRowWriter<'token_id', Selectable<ActivityTables['api_token_uses']>>({
    activity,
    table: 'api_token_uses',
    key: 'token_id',
    columns: { last_used_at: 'later', address: 'later' },
    interval: writeInterval,
    batch: 500,
    most: mostRemembered,
    onError,
  });
  return {
    note: (tokenId, address) => {
      const at = clock.now();
      const before = noted.get(tokenId);
      if (before !== undefined && at >= before && at - before < leastInterval) return;
      noted.set(tokenId, at);
      uses.put({ token_id: tokenId, last_used_at: wholeSeconds(at), address: address() || null });
    },
    list: async () =>
      new Map(
        (await uses.list()).map((row) => [
          row.token_id,
          { at: row.last_used_at * 1000, address: row.address ?? undefined },
        ]),
      ),
    prune: uses.keep,
    close: uses.close,
  };
}

/** A failure to read the last use must not prevent a revocation. */
export async function usesOf(
  uses: Pick<ApiTokenUses, 'list'>,
  logger: RequestLog,
): Promise<ReadonlyMap<string, ApiTokenUse>> {
  return (
    (await readIfPossible(uses.list(), logger, 'the last use of API tokens cannot be read')) ?? new Map()
  );
}
