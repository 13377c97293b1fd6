import { Command } from 'commander';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../clock.ts';
import type { Installation } from '../store/backup/contents.ts';
import { carryOut, dropStaging, pendingPlan } from '../store/backup/replacement.ts';
import type { Keeping } from '../store/backup/merge.ts';
import { considerRestore, restore, type Outlook } from '../store/backup/restore.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { configurationReader } from '../config/load.ts';
import { ConfigurationError } from '../config/problem.ts';
import { claimDirectory } from '../store/sqlite/directory-lock.ts';
import { installationOf } from './backup-command.ts';
import { keepAudit } from './frame/command-audit.ts';
import type { CommandContext } from './frame/context.ts';
import { print } from './frame/output.ts';
import { requireFilesAlone } from './shared-backup.ts';

interface Options {
  readonly yes?: true;
  readonly keepSessions?: true;
  readonly keepTokens?: true;
  readonly keepShares?: true;
}

export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('replaces everything the gate keeps with a backup; stop the gate first')
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
        });
        tell(installation, outlook, keep);
        if (yes !== true && !(await isConfirmed())) {
          dropStaging(installation.directory);
          throw new Error('nothing was changed');
        }
        const kept = restore(installation.directory, outlook, now);
        restored = { event: 'backup_restored', object: resolve(path) };
        print(`restored; ${whereTheFormerIs(kept)}`);
      } finally {
        lock.release();
        const keeping = { directory: installation.directory, storeUrl: undefined };
        if (restored !== undefined) await keepAudit(keeping, [restored]);
      }
    });
}

/** @returns the backup of an interrupted restore, once that is finished */
function finishPending(directory: string): string | undefined {
  const plan = pendingPlan(directory);
  if (plan === undefined) return undefined;
  carryOut(directory, plan);
  const former = whereTheFormerIs(join(directory, plan.kept));
  print(`finished the restore of ${plan.source} that was cut off; ${former}`);
  return plan.source;
}

/** @param kept created when something has to be moved there */
function whereTheFormerIs(kept: string): string {
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
      return configurationReader(environment, root, file)(readFileSync(file, 'utf8')).tls.files;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      print('the config.yml of the backup has problems here: postern config check lists them');
      return undefined;
    }
  };
}

async function isConfirmed(): Promise<boolean> {
  process.stderr.write('Type "yes" to continue: ');
  for await (const line of createInterface({ input: process.stdin })) return line.trim() === 'yes';
  process.stderr.write('\n');
  return false;
}
