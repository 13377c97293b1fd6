import type { Row } from './target-table.ts';

/** What a URI stands for, before the recorder is asked which camera a row of its database belongs to. */
export type Target =
  | { readonly kind: 'public' }
  | { readonly kind: 'own-account' }
  | { readonly kind: 'neutral' }
  | { readonly kind: 'admin-only' }
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'cameras'; readonly cameras: readonly string[] }
  | {
      readonly kind: 'recorded';
      readonly in: 'events';
      readonly ids: readonly string[];
      /** Named beside the ids. */
      readonly cameras: readonly string[];
      /** Whether an id that there is not leaves the target unresolved. */
      readonly allThere: boolean;
    }
  | { readonly kind: 'recorded'; readonly in: 'exports' | 'reviews'; readonly ids: readonly string[] };

/** A target, and the row of the table that said so. */
export interface ResolvedTarget {
  readonly target: Target;
  readonly row: Row;
}

/** Which cameras the recorder's database knows for something. */
export interface RecordedCameras {
  /** @returns camera by id, of the events that there are */
  camerasOfEvents(ids: readonly string[]): ReadonlyMap<string, string>;
  /** @param name id of an export, or the file name of its video or thumbnail */
  camerasOfExport(name: string): readonly string[];
  camerasOfReview(id: string): readonly string[];
}

/**
 * Asks the recorder which cameras a target stands for.
 * @param strict whether every id has to be there, whatever the target says: the upstream could know one that we do not
 * @returns `unresolved` when there is no such row, so that what is deleted or misspelt opens nothing
 */
export function completeTarget(target: Target, recorded: RecordedCameras, strict = false): Target {
  if (target.kind !== 'recorded') return target;
  if (target.in === 'events') {
    const found = recorded.camerasOfEvents(target.ids);
    const isMissing = found.size < target.ids.length || (strict && found.size === 0);
    if ((target.allThere || strict) && isMissing) return { kind: 'unresolved' };
    return { kind: 'cameras', cameras: [...new Set([...found.values(), ...target.cameras])] };
  }
  const find = target.in === 'exports' ? recorded.camerasOfExport : recorded.camerasOfReview;
  const cameras = target.ids.flatMap((id) => find(id));
  return cameras.length === 0 ? { kind: 'unresolved' } : { kind: 'cameras', cameras: [...new Set(cameras)] };
}
