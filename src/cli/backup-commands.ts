import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { keepRoles } from '../accounts/roles/kept-roles.ts';
import { createRolesFile } from '../accounts/roles/roles-file.ts';
import { foreignJwtSecrets } from '../accounts/sessions/jwt-secret.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { systemClock } from '../clock.ts';
import { acceptConfiguration } from '../config/applied-configuration.ts';
import {
  type LoadedConfiguration,
  configurationDirectory,
  configurationReader,
  loadConfiguration,
  trustedHeadersFileOf,
} from '../config/load.ts';
import { ConfigurationError } from '../config/problem.ts';
import type { Installation } from '../store/backup/contents.ts';
import { makeBackup } from '../store/backup/make-backup.ts';
import type { Keeping } from '../store/backup/merge.ts';
import { carryOut, dropStaging, pendingPlan } from '../store/backup/replacement.ts';
import { type Outlook, considerRestore, restore } from '../store/backup/restore.ts';
import { withoutPassword } from '../store/postgres/client.ts';
import { claimDirectory } from '../store/sqlite/directory-lock.ts';
import { version } from '../version.ts';
import { keepAudit } from './frame/on-store.ts';
import type { CommandContext } from './frame/command.ts';
import { complain, print } from './frame/output.ts';
import { readText } from '../config/read-file.ts';

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copies everything Postern keeps into a new directory, while Postern runs')
    .option('--to <directory>', 'where backups go; without it: backups, below the configuration directory')
    .action(async ({ to }: { to?: string }) => {
      requireFilesAlone(context, 'backup');
      const installation = installationOf(context, failForCertificate);
      const { directory } = installation;
      const made = await makeBackup(
        installation,
        resolve(to ?? join(directory, 'backups')),
        systemClock.now(),
        version,
      );
      await keepAudit({ directory, storeUrl: undefined }, [{ event: 'backup_made', object: made.path }]);
      for (const name of made.files) print(`copied ${name}`);
      for (const what of [...made.missing, ...foreignJwtSecrets(context.environment, directory)]) {
        print(`not in it: ${what}`);
      }
      print(`the backup is ${made.path}`);
      print('anyone who can read it can read the accounts and make sessions: keep it as safe as Postern');
    });
}

/** A configuration with mistakes is copied too. The certificate that it names is then missing, and the command fails. */
function failForCertificate(error: ConfigurationError): void {
  process.stderr.write(
    `${error.message}\npostern: the backup lacks a certificate that config.yml names: solve these problems to include it\n`,
  );
  process.exitCode = 1;
}

/** @param onMistakes gets the mistakes of a configuration; the certificate that it names is then unknown */
function installationOf(
  { environment, root }: CommandContext,
  onMistakes: (error: ConfigurationError) => void,
): Installation {
  const tlsFilesOf = (): Installation['tlsFiles'] => {
    try {
      return loadConfiguration(withPlaceholders(environment), root).configuration.tls.files;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      onMistakes(error);
      return undefined;
    }
  };
  return {
    directory: configurationDirectory(environment),
    trustedHeadersFile: trustedHeadersFileOf(environment, root),
    tlsFiles: tlsFilesOf(),
  };
}

/** A backup does not need the secrets that config.yml takes from the environment: a nightly job may not have them. */
function withPlaceholders(environment: CommandContext['environment']): CommandContext['environment'] {
  const path = join(configurationDirectory(environment), 'config.yml');
  const text = existsSync(path) ? readText(path) : '';
  const named = [...text.matchAll(/\{((?:SERVICE|FRIGATE)_\w+)\}/g)].map(([, name = '']) => [name, name]);
  return { ...Object.fromEntries(named), ...environment };
}

interface Options {
  readonly yes?: true;
  readonly keepSessions?: true;
  readonly keepTokens?: true;
  readonly keepShares?: true;
}

export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('replaces everything Postern keeps with a backup; stop Postern first')
    .argument('[directory]', 'the backup; leave it out to finish an interrupted restore')
    .option('--yes', 'does not ask')
    .option('--keep-sessions', 'keeps the sessions of the backup valid, even those ended since')
    .option('--keep-tokens', 'keeps the API tokens and screens of the backup, even those ended since')
    .option('--keep-shares', 'keeps the shares of the backup, even those ended since')
    .action(async (path: string | undefined, options: Options) => {
      requireFilesAlone(context, 'restore');
      // A damaged configuration is what a restore is for.
      const installation = installationOf(context, () => undefined);
      mkdirSync(installation.directory, { recursive: true, mode: 0o700 });
      const lock = claimDirectory(installation.directory);
      let restored: AuditEntry | undefined;
      try {
        const finished = finishPending(installation.directory);
        if (finished !== undefined) await acceptRestored(installation.directory);
        if (finished !== undefined) restored = { event: 'backup_restored', object: finished };
        if (path === undefined) {
          if (finished === undefined) throw new Error('which backup? postern restore <directory>');
          return;
        }
        if (finished === resolve(path)) return;
        const { yes, keepSessions = false, keepTokens = false, keepShares = false } = options;
        const keep = { keepSessions, keepTokens, keepShares };
        const now = systemClock.now();
        const outlook = await considerRestore(installation, path, {
          keep,
          tlsFilesOf: tlsFilesIn(context),
          now,
          keepRoles: keepRolesIn(context),
        });
        tell(installation, outlook, keep);
        if (yes !== true && !(await isConfirmed())) {
          dropStaging(installation.directory);
          throw new Error('nothing was changed');
        }
        const kept = restore(installation.directory, outlook, now);
        if (outlook.targets.has('config.yml')) await acceptRestored(installation.directory);
        restored = { event: 'backup_restored', object: resolve(path) };
        print(`restored; ${whereThePreviousIs(kept)}`);
      } finally {
        lock.release();
        const keeping = { directory: installation.directory, storeUrl: undefined };
        if (restored !== undefined) await keepAudit(keeping, [restored]);
      }
    });
}

/** The restored config.yml was not cut off, whatever the one before it had. */
async function acceptRestored(directory: string): Promise<void> {
  await acceptConfiguration(directory).catch((error: unknown) => complain((error as Error).message));
}

/** @returns the backup of an interrupted restore, once that is finished */
function finishPending(directory: string): string | undefined {
  const plan = pendingPlan(directory);
  if (plan === undefined) return undefined;
  carryOut(directory, plan);
  const previous = whereThePreviousIs(join(directory, plan.kept));
  print(`finished the restore of ${plan.source} that was cut off; ${previous}`);
  return plan.source;
}

/** @param kept created when something has to be moved there */
function whereThePreviousIs(kept: string): string {
  return existsSync(kept) ? `what was there is in ${kept}` : 'nothing was there before';
}

function tell(
  { directory, trustedHeadersFile }: Installation,
  outlook: Outlook,
  { keepSessions }: Keeping,
): void {
  const { backup, targets, leftOut, changes } = outlook;
  print(`${backup.path} is a complete backup of ${backup.manifest.made_at}`);
  print(`in ${resolve(directory)} it replaces: ${[...targets.values()].join(', ')}`);
  for (const name of leftOut) {
    const where = name === 'proxy_trusted_headers.conf' ? `, the one in use is ${trustedHeadersFile}` : '';
    print(`stays in the backup, since its place is not below that directory: ${name}${where}`);
  }
  for (const line of changes) print(line);
  print(
    keepSessions
      ? 'sessions stay valid, even those ended since the backup'
      : 'every session ends: everyone has to sign in again',
  );
}

function tlsFilesIn({ environment, root }: CommandContext): (file: string) => Installation['tlsFiles'] {
  return (file) => {
    try {
      return configurationReader(environment, root, file)(readText(file)).tls.files;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      print('the config.yml of the backup has problems here: postern config check lists them');
      return undefined;
    }
  };
}

function keepRolesIn({
  environment,
  root,
}: CommandContext): Parameters<typeof considerRestore>[2]['keepRoles'] {
  const read = configurationReader(environment, root, 'config.yml');
  const rolesIn = (file: string) => read(readText(file)).auth.defined;
  return async ({ present, staging }, roles) => {
    if (roles.length === 0) return [];
    try {
      const defined = { present: rolesIn(present), restored: rolesIn(join(staging, 'config.yml')) };
      const check = (text: string) => {
        read(text);
        return () => {};
      };
      return await keepRoles(roles, defined, createRolesFile(staging, check));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return [
        `config.yml of now or of the backup has problems: roles that it does not define make their users viewers (${roles.join(', ')})`,
      ];
    }
  };
}

async function isConfirmed(): Promise<boolean> {
  process.stderr.write('Type "yes" to continue: ');
  for await (const line of createInterface({ input: process.stdin })) return line.trim() === 'yes';
  process.stderr.write('\n');
  return false;
}

/**
 * Our backup covers files only: PostgreSQL's own programs copy the database at `store.url`.
 * @throws Error that names these programs; ConfigurationError when it is not known where the store is
 */
function requireFilesAlone(context: CommandContext, command: keyof typeof instead): void {
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
    if (existsSync(file) && /postgres(?:ql)?:\/\//.test(readText(file))) throw error;
    return undefined;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
