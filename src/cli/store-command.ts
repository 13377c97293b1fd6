import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { loadConfiguration, type LoadedConfiguration } from '../config/load.ts';
import { storeUrlOf } from '../config/resolve-store.ts';
import { ownJwtSecretFile } from '../config/own-files.ts';
import { foreignJwtSecrets } from '../accounts/sessions/jwt-secret.ts';
import { type CopiedTables, tablesToCopy } from '../store/postgres/copy-into.ts';
import { withoutPassword } from '../store/postgres/client.ts';
import { claimDirectory } from '../store/sqlite/directory-lock.ts';
import { activityPath, storePath } from '../store/sqlite/open-store.ts';
import { keepAudit, openKeptActivity, openKeptStore } from './frame/on-store.ts';
import type { CommandContext } from './frame/command.ts';
import { print } from './frame/output.ts';

export function storeCommand(context: CommandContext): Command {
  return new Command('store').description('manages the store of Postern').addCommand(
    new Command('copy')
      .description(
        'takes accounts, sessions, API tokens and the audit over from the files into an empty PostgreSQL; Postern must be stopped',
      )
      .option(
        '--to <url>',
        "postgres://user:{SERVICE_DATABASE_PASSWORD}@host/database, with the variable's value in place of its name; without it store.url",
      )
      .action(async ({ to }: { readonly to?: string }) => {
        const loaded = loadConfiguration(context.environment, context.root);
        const url = to === undefined ? loaded.configuration.store.url : storeUrlOf('--to', to, context);
        if (url === undefined) throw new Error('where to? postern store copy --to postgres://...');
        const copied = await copyFiles(loaded.directory, url);
        if (loaded.configuration.audit.keepDays > 0) {
          const keeping = { directory: loaded.directory, storeUrl: url };
          await keepAudit(keeping, [{ event: 'store_copied', object: withoutPassword(url) }]);
        }
        tell(copied, url, loaded, context);
      }),
  );
}

/** @throws DatabaseError, DirectoryBusyError, StoreError; then nothing has changed at either place */
async function copyFiles(directory: string, url: string): Promise<CopiedTables> {
  const path = storePath(directory);
  if (!existsSync(path)) throw new Error(`there is no ${path}: nothing was ever kept here`);
  claimDirectory(directory).release();
  // Upgrades files of an older program.
  for (const open of [openKeptStore, openKeptActivity])
    await (await open({ directory, storeUrl: undefined })).destroy();
  const opened = new DisposableStack();
  opened.adopt(claimDirectory(directory), (lock) => lock.release());
  try {
    const tables = [path, activityPath(directory)].flatMap((file) => opened.use(tablesToCopy(file)).tables);
    const { copyInto } = await import('../store/postgres/copy-into.ts');
    return await copyInto(url, tables);
  } finally {
    opened.dispose();
  }
}

function tell(
  copied: CopiedTables,
  url: string,
  { directory, configuration }: LoadedConfiguration,
  { environment }: CommandContext,
): void {
  for (const [table, count] of copied) print(`copied ${table}: ${count}, as many as there are`);
  print(`all of it is in ${withoutPassword(url)}`);
  if (configuration.auth.defined.definitions.size > 0)
    print(
      `the custom roles (${[...configuration.auth.defined.definitions.keys()].join(', ')}) stay in config.yml`,
    );
  print('what is next:');
  if (configuration.store.url === undefined)
    print('  set store.url in config.yml, and give every gate that file');
  const given = foreignJwtSecrets(environment, directory);
  print(
    given.length > 0
      ? `  give every gate the same JWT secret, so that sessions stay valid (here: ${given.join(', ')})`
      : `  give every gate the JWT secret that is in ${ownJwtSecretFile(directory)}, as SERVICE_JWT_SECRET or as a secret file, so that sessions stay valid`,
  );
  print('  start the gates; the files stay as they are, for the way back');
}
