import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { removeImported } from '../accounts/users/import-users.ts';
import { hashOf, readJournal, removeJournal, restoreFiles } from '../adopt/files.ts';
import { configurationDirectory } from '../config/load.ts';
import { storePath } from '../store/sqlite/open-store.ts';
import type { CommandContext } from './frame/command.ts';
import { onStore } from './frame/on-store.ts';
import { print } from './frame/output.ts';
import { say, withOwnList } from './adopt-frame.ts';

/** Puts back what adopt changed. @throws CannotAdopt, ConfigurationError */
export async function undoAdoption(context: CommandContext): Promise<void> {
  const directory = resolve(configurationDirectory(context.environment));
  const journal = readJournal(directory);
  if (journal === undefined) {
    removeJournal(directory);
    print(`Nothing to undo: nothing was adopted in ${directory}.`);
    return;
  }
  if (existsSync(storePath(directory)) && journal.users.length > 0)
    await removePeople(journal.users, context);
  say([
    ...(await restoreFiles(directory, journal)),
    'Done: restart Frigate with its own ports, and stop Postern.',
  ]);
}

function removePeople(
  users: ReadonlyArray<{ readonly username: string; readonly role: string; readonly hash: string }>,
  context: CommandContext,
): Promise<void> {
  return onStore(withOwnList(context), async ({ store, record, say: tell }) => {
    const imported = users.map(({ username, role, hash }) => ({
      username,
      role,
      isHash: (passwordHash: string) => hashOf(passwordHash) === hash,
    }));
    const { removed, stayed } = await removeImported(store, imported);
    for (const name of removed) {
      record({ event: 'user_removed', object: name });
      tell(`removed ${name}, as imported`);
    }
    for (const name of stayed) tell(`kept ${name}, who was changed since or is the last admin`);
  });
}
