import { userInfo } from 'node:os';
import { readStoredRoles, withRoles } from '../../accounts/roles/role-definitions.ts';
import { type AuditEntry, boundEntry } from '../../audit/audit-entry.ts';
import { createAuditTable } from '../../audit/audit-table.ts';
import { systemClock, systemTimers, type Clock } from '../../clock.ts';
import type { Configuration } from '../../config/configuration.ts';
import { type LoadedConfiguration, loadConfiguration } from '../../config/load.ts';
import {
  activityPath,
  lookedForByOthers,
  openActivity,
  openStore,
  storePath,
} from '../../store/sqlite/open-store.ts';
import type { Activity, Store } from '../../store/store.ts';
import { readTrustedClock } from '../../store/trusted-time.ts';
import type { CommandContext } from './command.ts';
import { complain, print } from './output.ts';

export interface StoreWork {
  readonly store: Store;
  /** Goes on from the latest time that Postern saved. */
  readonly clock: Clock;
  /** With the roles of the store. */
  readonly configuration: Configuration;
  readonly keeping: Keeping;
  /** Records a change in the audit. */
  readonly record: (entry: AuditEntry) => void;
  /** Prints a change, once it is done. */
  readonly say: (line: string, to?: 'stderr') => void;
}

/** Works on the accounts' database, with or without a running server. @throws what the work throws */
export async function onStore(
  context: CommandContext,
  work: (given: StoreWork) => Promise<void>,
): Promise<void> {
  const loaded = loadConfiguration(context.environment, context.root, 'ignored');
  const { configuration } = loaded;
  const keeping = keepingOf(loaded);
  const store = await openKeptStore(keeping);
  const lines: Array<readonly [line: string, to: 'stderr' | undefined]> = [];
  const entries: AuditEntry[] = [];
  try {
    await work({
      store,
      clock: await readTrustedClock(store, { machine: systemClock, elapsed: systemTimers.elapsed }),
      configuration: withRoles(configuration, await readStoredRoles(store)),
      keeping,
      record: (entry) => entries.push(entry),
      say: (line, to) => lines.push([line, to]),
    });
  } finally {
    await store.destroy();
    // Changes made before a failure are recorded and printed too.
    if (configuration.audit.keepDays > 0) await keepAudit(keeping, entries);
    // When a change is printed, a running gate has it; with a shared store that may take a second.
    if (lines.length > 0) await lookedForByOthers();
    for (const [line, to] of lines) {
      if (to === 'stderr') process.stderr.write(`${line}\n`);
      else print(line);
    }
  }
}

/** Where a gate keeps its data. */
export interface Keeping {
  /** Configuration directory. */
  readonly directory: string;
  /** `undefined` if the data is in files of the directory. */
  readonly storeUrl: string | undefined;
}

export function keepingOf({ configuration, directory }: LoadedConfiguration): Keeping {
  return { directory, storeUrl: configuration.store.url };
}

/** Milliseconds to wait for a write of the server. */
const lockTimeout = 5_000;

/** Opens the accounts' database, with or without running gates. @throws DatabaseError, DirectoryBusyError, StoreError */
export async function openKeptStore({ directory, storeUrl }: Keeping): Promise<Store> {
  if (storeUrl === undefined) return openStore(storePath(directory), lockTimeout);
  const { openSharedStore } = await import('../../store/postgres/open-store.ts');
  const ignored = () => undefined;
  const { store } = await openSharedStore(storeUrl, {
    clock: systemClock,
    onTrouble: ignored,
    onRecovery: ignored,
  });
  return store;
}

/** Opens the activity database, with or without running gates. @throws DatabaseError, StoreError */
export async function openKeptActivity({ directory, storeUrl }: Keeping): Promise<Activity> {
  if (storeUrl === undefined) return openActivity(activityPath(directory), lockTimeout);
  const { openSharedActivity } = await import('../../store/postgres/open-store.ts');
  return openSharedActivity(storeUrl);
}

/** Works on the activity database. @throws what the work throws */
export async function onActivity<T>(keeping: Keeping, work: (activity: Activity) => Promise<T>): Promise<T> {
  const activity = await openKeptActivity(keeping);
  try {
    return await work(activity);
  } finally {
    await activity.destroy();
  }
}

/** Records a command in the audit under the name of the operating system's user; a failure is logged, the command stays done. */
export async function keepAudit(keeping: Keeping, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const at = systemClock.now();
  const who = { user: operatingUser(), source: 'cli' };
  try {
    const bounded = entries.map((entry) => ({ entry: boundEntry({ ...entry, ...who }), at }));
    await onActivity(keeping, (activity) => createAuditTable(activity).add(bounded, unlimited));
  } catch {
    complain('it is done, but the audit has no record of it');
  }
}

// The server prunes what exceeds the limit.
const unlimited = { session: Number.POSITIVE_INFINITY, refusal: Number.POSITIVE_INFINITY };

function operatingUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have no name, only a number.
    return `uid ${process.getuid?.() ?? ''}`;
  }
}
