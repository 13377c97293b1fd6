import { isDeepStrictEqual } from 'node:util';
import {
  onceItAnswers,
  momentsBy,
  never,
  readInTime,
  readTogether,
  type Moment,
} from '../../store/slow-store.ts';
import type { Reading } from '../../store/permit.ts';
import { readStoredRoles, type StoredRoles } from './role-definitions.ts';
import type { Clock, Timers } from '../../clock.ts';

/** Reads the roles of the store again whenever their version changes. */
export interface RoleReading {
  /** The same object as long as the roles are the same. */
  known(): StoredRoles;
  /**
   * Whether these roles are still those of the store. While the version is unknown, because heartbeats go unanswered, they
   * count as current for a second after they were requested, as everything a process remembers.
   */
  areCurrent(roles: StoredRoles): boolean;
  /** Brings them up to date, with one read for all who wait for the same version. @throws AppError `store_unavailable` */
  renew(): Promise<void>;
  /** Adopts the roles that a transaction reads before it writes. @throws errors of the transaction */
  renewIn(on: Reading): Promise<void>;
  /** Called when an account was read together with this version of the roles. */
  saw(version: number): void;
  /** Adopts the roles that a transaction has committed. */
  adopt(roles: StoredRoles): void;
  /** @param changed called whenever the roles or their order change */
  onChange(changed: () => void): void;
}

export interface RoleReadingOptions {
  readonly store: Reading;
  /** While it stays the same number, the roles have not changed; NaN: unknown. */
  readonly version: () => number;
  readonly timers: Timers;
  readonly clock: Clock;
  /** As `StoredRoles.isShared`. */
  readonly isShared: boolean;
}

interface Known {
  readonly roles: StoredRoles;
  /** Read before the roles, which may be newer. NaN: unknown. */
  readonly version: number;
  readonly asked: Moment;
  /** Version that `saw` was called with before the roles were read. */
  readonly seen: number;
}

/** @throws errors of the store, when it cannot be asked now */
export async function openRoleReading(options: RoleReadingOptions): Promise<RoleReading> {
  const { store, version, timers, clock, isShared } = options;
  const read = (on: Reading = store) => readStoredRoles(on, isShared);
  const moments = momentsBy(clock, timers);
  let seen = 0;
  let known: Known = {
    version: version(),
    asked: moments.present(),
    seen,
    roles: await onceItAnswers(() => read()),
  };
  let latest = 0;
  let onChange = () => {};

  const isSame = (roles: StoredRoles) => isDeepStrictEqual(listed(roles), listed(known.roles));
  const take = (roles: StoredRoles, stamp: Omit<Known, 'roles'>) => {
    const former = known;
    const isOld = isSame(roles);
    known = { ...stamp, roles: isOld ? former.roles : roles };
    if (isOld) return;
    try {
      onChange();
    } catch (error) {
      // No decision uses these, nor earlier ones.
      known = { ...unknown, roles: former.roles };
      throw error;
    }
  };
  // A version seen since then may not be in what is being read.
  const readFor = readTogether(async (of: number, seenBefore: number) => {
    const stamp = { version: of, asked: moments.present(), seen: seenBefore };
    const number = (latest += 1);
    const roles = await readInTime(() => read(), timers);
    // A read that began later has finished earlier and is newer.
    if (number === latest) take(roles, stamp);
  });
  const areCurrent = (roles: StoredRoles) => {
    if (roles !== known.roles) return false;
    const now = version();
    return (
      now === known.version || (Number.isNaN(now) && known.seen === seen && moments.isRecent(known.asked))
    );
  };
  const adopt = (roles: StoredRoles) => {
    if (isSame(roles)) return;
    latest += 1;
    // Its version becomes known with the next read.
    take(roles, unknown);
  };
  return {
    known: () => known.roles,
    areCurrent,
    renew: async () => {
      if (areCurrent(known.roles)) return;
      await readFor(version(), seen);
    },
    saw: (at) => {
      seen = Math.max(seen, at);
    },
    renewIn: async (on) => adopt(await read(on)),
    adopt,
    onChange: (changed) => {
      onChange = changed;
    },
  };
}

// Milliseconds.
const pause = 500;

/**
 * Reads the roles again even when no request asks for them: the recorder needs them too, and this gate may have no users right
 * now.
 * @returns stops it
 */
export function followRoles(
  { known, areCurrent, renew }: RoleReading,
  { after }: Pick<Timers, 'after'>,
): () => void {
  let cancel = () => {};
  const look = () => {
    // A request is answered with the error; here no request is waiting.
    if (!areCurrent(known())) void renew().catch(() => undefined);
    cancel = after(pause, look);
  };
  cancel = after(pause, look);
  return () => cancel();
}

const unknown = { version: Number.NaN, asked: never, seen: 0 };

/** Keeps the order, because the first one of several wins. */
function listed({ definitions, groups, personal }: StoredRoles): unknown {
  const sorted = (cameras: readonly string[]) => [...cameras].sort();
  return [
    [...definitions].map(([name, { cameras, access }]) => [name, sorted(cameras), access]),
    [...groups].map(([name, cameras]) => [name, sorted(cameras)]),
    [...personal].sort(),
  ];
}
