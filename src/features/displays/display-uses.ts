import { boundedCache } from '../../bounded-cache.ts';
import type { Clock } from '../../clock.ts';
import { unconditional, type Reading } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';
import { createWriteBehind } from '../../store/write-behind.ts';
import type { DisplayGeneration } from '../../policy/token-scope.ts';
import { noteUse, rotationColumns, rotationOf, type Rotation } from './rotation.ts';

/** A display that was ended, because two screens have its credential. */
interface CopiedDisplay {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
}

/**
 * Notes the generations of credentials that screens use. A decision only notes a use. It is judged a moment later, and ends the display if
 * two screens use its credential.
 */
export interface DisplayUses {
  note(id: string, generation: DisplayGeneration): void;
  /** Judges everything noted so far. Never rejects: uses that cannot be written are judged later. */
  settle(): Promise<void>;
  /** Judges pending uses and stops. */
  close(): Promise<void>;
}

export interface DisplayUsesOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Called once for each display that was ended. */
  readonly onCopied: (display: CopiedDisplay) => void;
  readonly onError: (error: unknown) => void;
}

interface Use {
  readonly generation: DisplayGeneration;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Noted {
  readonly id: string;
  readonly uses: readonly Use[];
}

/** Milliseconds after which the same generation is judged again: another gate may have seen another one. */
const again = 30_000;
const interval = 250;
const batch = 500;
const most = 10_000;
/** Changes of generation of one display that wait to be judged; two screens in turn need three. */
const mostOfDisplay = 64;

export function createDisplayUses({ store, clock, onCopied, onError }: DisplayUsesOptions): DisplayUses {
  const latest = boundedCache<string, Use>(most);

  const rowsOf = (on: Reading, ids: readonly string[]) =>
    on
      .selectFrom('api_tokens')
      .select(['token_id', 'name', 'username', 'generation', 'rotated_at', 'rotation'])
      .where('kind', '=', 'display')
      .where('token_id', 'in', ids)
      .execute();

  /** Reads again: another gate may have judged in the meantime. */
  const write = async ({ id, uses }: Noted) => {
    const copied = await store.change(unconditional, async (on, { alert }) => {
      const [row] = await rowsOf(on, [id]);
      if (row === undefined) return undefined;
      const judged = judge(rotationOf(row), uses);
      if (judged !== 'copied') {
        await on.updateTable('api_tokens').set(rotationColumns(judged)).where('token_id', '=', id).execute();
        return undefined;
      }
      await on.deleteFrom('api_tokens').where('token_id', '=', id).execute();
      alert('display_copied', { user: row.username, object: row.name });
      return { id, name: row.name, owner: row.username };
    });
    if (copied !== undefined) onCopied(copied);
  };

  const behind = createWriteBehind<Noted>({
    interval,
    batch,
    most,
    onError,
    merge: (earlier, later) => ({
      id: later.id,
      uses: [...earlier.uses, ...later.uses].slice(-mostOfDisplay),
    }),
    write: async (all) => {
      const rows = await rowsOf(
        store,
        all.map(({ id }) => id),
      );
      const found = new Map(rows.map((row) => [row.token_id, rotationOf(row)]));
      for (const noted of all) {
        const rotation = found.get(noted.id);
        // Most uses change nothing, and every write clears what is remembered about all users.
        if (rotation !== undefined && judge(rotation, noted.uses) !== rotation) await write(noted);
      }
    },
  });

  return {
    note: (id, generation) => {
      const at = clock.now();
      const before = latest.get(id);
      if (before?.generation.key === generation.key && Math.abs(at - before.at) < again) return;
      const use = { generation, at };
      latest.set(id, use);
      behind.put({ id, uses: [use] }, id);
    },
    settle: behind.flush,
    close: behind.close,
  };
}

/** @returns the same object if nothing changed */
function judge(rotation: Rotation, uses: readonly Use[]): Rotation | 'copied' {
  let judged = rotation;
  for (const { generation, at } of uses) {
    const next = noteUse(judged, generation, at);
    if (next === 'copied') return next;
    judged = next;
  }
  return judged;
}
