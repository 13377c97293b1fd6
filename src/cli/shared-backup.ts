import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationDirectory, loadConfiguration, type LoadedConfiguration } from '../config/load.ts';
import { ConfigurationError } from '../config/problem.ts';
import { foreignJwtSecrets } from '../accounts/sessions/jwt-secret.ts';
import { withoutPassword } from '../store/postgres/client.ts';
import type { CommandContext } from './frame/context.ts';

/**
 * Our backup covers files only: PostgreSQL's own programs copy the database at `store.url`.
 * @throws Error that names these programs; ConfigurationError when it is not known where the store is
 */
export function requireFilesAlone(context: CommandContext, command: keyof typeof instead): void {
  const loaded = loadedOrFiles(context);
  if (loaded?.configuration.store.url === undefined) return;
  const words = instead[command](quoted(withoutPassword(loaded.configuration.store.url)));
  throw new Error(words.concat(othersOf(loaded, context)).join('\n'));
}

const instead = {
  backup: (database: string) => [
    'the store is at store.url, and PostgreSQL copies it while the gates run:',
    `  pg_dump --format=custom --file=postern.dump --dbname=${database}`,
  ],
  restore: (database: string) => [
    'the store is at store.url, and PostgreSQL restores it. Stop every gate, then:',
    `  pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${database} postern.dump`,
    'give the gates another JWT secret before they start, so that no session that was ended comes back; look at "postern tokens list" too',
    'for a backup of files take store.url out of config.yml first',
  ],
};

function othersOf(
  { directory, trustedHeadersFile, configuration }: LoadedConfiguration,
  context: CommandContext,
) {
  const files = [join(directory, 'config.yml'), trustedHeadersFile];
  const { certificate, key } = configuration.tls.files ?? {};
  for (const file of [certificate, key]) if (file !== undefined) files.push(file);
  const secrets = foreignJwtSecrets(context.environment, directory);
  return [
    `what is not in it, keep or put back beside it: ${[...files, ...secrets].join(', ')}, the password of the database`,
  ];
}

/** A configuration that is not valid does not stop a copy of files, unless the store is elsewhere. */
function loadedOrFiles({ environment, root }: CommandContext): LoadedConfiguration | undefined {
  try {
    return loadConfiguration(environment, root);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const file = join(configurationDirectory(environment), 'config.yml');
    if (existsSync(file) && /postgres(?:ql)?:\/\//.test(readFileSync(file, 'utf8'))) throw error;
    return undefined;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
