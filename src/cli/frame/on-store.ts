import { withRoles, readStoredRoles } from '../../accounts/roles/role-definitions.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { Configuration } from '../../config/configuration.ts';
import { loadConfiguration } from '../../config/load.ts';
import { lookedForByOthers } from '../../store/sqlite/open-store.ts';
import type { Store } from '../../store/store.ts';
import { keepAudit } from './command-audit.ts';
import type { CommandContext } from './context.ts';
import { keepingOf, openKeptStore, type Keeping } from './open-kept.ts';
import { print } from './output.ts';

export interface StoreWork {
  readonly store: Store;
  /** With the custom roles of a store that several gates share. */
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
      configuration: withRoles(
        configuration,
        configuration.store.url === undefined ? undefined : await readStoredRoles(store),
      ),
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
