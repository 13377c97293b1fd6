import { Command } from 'commander';
import { join, resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Installation } from '../backup/contents.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { configurationDirectory, loadConfiguration, trustedHeadersFileOf } from '../config/load.ts';
import { ConfigurationError } from '../config/problem.ts';
import { foreignJwtSecrets } from '../sessions/jwt-secret.ts';
import { version } from '../version.ts';
import { complain, keepAudit } from './command-audit.ts';
import type { CommandContext } from './context.ts';
import { print } from './output.ts';
import { requireFilesAlone } from './shared-backup.ts';

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copies all that the gate keeps into a directory of its own, while the gate runs')
    .option('--to <directory>', 'where backups go; without it: backups, below the configuration directory')
    .action(async ({ to }: { to?: string }) => {
      requireFilesAlone(context, 'backup');
      const installation = installationOf(context);
      const { directory } = installation;
      const made = await makeBackup(
        installation,
        resolve(to ?? join(directory, 'backups')),
        systemClock.now(),
        version,
      );
      await keepAudit({ directory, storeUrl: undefined }, [
        { event: 'backup_made', object: made.path },
      ]).catch(complain);
      for (const name of made.files) print(`copied ${name}`);
      for (const what of [...made.missing, ...foreignJwtSecrets(context.environment, directory)]) {
        print(`not in it: ${what}`);
      }
      print(`the backup is ${made.path}`);
      print('who can read it can read the accounts, and make sessions: keep it as safe as the gate');
    });
}

/** A configuration that is no good is copied too; then nobody knows which certificate it means. */
export function installationOf({ environment, root }: CommandContext): Installation {
  return {
    directory: configurationDirectory(environment),
    trustedHeadersFile: trustedHeadersFileOf(environment, root),
    tlsFiles: tlsFilesOf({ environment, root }),
  };
}

function tlsFilesOf({ environment, root }: CommandContext): Installation['tlsFiles'] {
  try {
    return loadConfiguration(environment, root).configuration.tls.files;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write('postern: config.yml has problems: a certificate that it names is not looked for\n');
    return undefined;
  }
}
