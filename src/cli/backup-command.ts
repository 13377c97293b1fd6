import { Command } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Installation } from '../store/backup/contents.ts';
import { makeBackup } from '../store/backup/make-backup.ts';
import { configurationDirectory, loadConfiguration, trustedHeadersFileOf } from '../config/load.ts';
import { ConfigurationError } from '../config/problem.ts';
import { foreignJwtSecrets } from '../accounts/sessions/jwt-secret.ts';
import { version } from '../version.ts';
import { keepAudit } from './frame/command-audit.ts';
import type { CommandContext } from './frame/context.ts';
import { print } from './frame/output.ts';
import { requireFilesAlone } from './shared-backup.ts';

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copies everything the gate keeps into a new directory, while the gate runs')
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
      print('anyone who can read it can read the accounts and make sessions: keep it as safe as the gate');
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
export function installationOf(
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
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const named = [...text.matchAll(/\{((?:SERVICE|FRIGATE)_\w+)\}/g)].map(([, name = '']) => [name, name]);
  return { ...Object.fromEntries(named), ...environment };
}
