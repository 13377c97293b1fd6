import { Command } from 'commander';
import { ConfigurationError, describeProblem } from '../config/problem.ts';
import { loadConfiguration } from '../config/load.ts';
import { featureOfCommand } from '../policy/features.ts';
import { AppError } from '../errors.ts';
import { version } from '../version.ts';
import { StoreError } from '../store/store.ts';
import { adoptCommand } from './adopt-command.ts';
import { auditCommand } from './audit-command.ts';
import { backupCommand, restoreCommand } from './backup-commands.ts';
import { camerasCommand } from './cameras-command.ts';
import { cameraGroupsCommand } from './camera-groups-command.ts';
import { clockCommand } from './clock-command.ts';
import { configCommand } from './config-command.ts';
import type { CommandContext } from './frame/command.ts';
import { doctorCommand } from './doctor-command.ts';
import { explainCommand } from './explain-command.ts';
import { complain, print } from './frame/output.ts';
import { rolesCommand } from './roles-command.ts';
import { storeCommand } from './store-command.ts';
import { sessionsCommand } from './sessions-command.ts';
import { displaysCommand, notificationsCommand, sharesCommand, tokensCommand } from '../features/commands.ts';
import { usersCommand } from './users-command.ts';

/** Commander would repeat an argument too many, which may be a password. */
function hideArguments(command: Command): void {
  command.configureOutput({
    outputError: (text, write) =>
      write(text.startsWith('error: too many arguments') ? 'error: too many arguments\n' : text),
  });
  for (const child of command.commands) hideArguments(child);
}

/** @throws Error when the subcommand manages what is switched off */
function requireFeature({ environment, root }: CommandContext, subcommand: string): void {
  const feature = featureOfCommand(subcommand);
  if (feature === undefined) return;
  const { features } = loadConfiguration(environment, root, 'ignored').configuration;
  if (!features.has(feature))
    throw new Error(`postern ${subcommand} is off, by features.${feature} in config.yml`);
}

/** A fault of the store that an operator can mend needs no more than its message. */
function messageOf(error: unknown): string {
  if (error instanceof AppError && error.cause instanceof StoreError) return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Runs a command on the standard streams. Errors are printed there, and set `process.exitCode`: 78 for a faulty
 * configuration (sysexits.h), else 1. A command line that cannot be parsed exits at once.
 * @param args without those of Node
 */
export async function runPostern(context: CommandContext, args: readonly string[]): Promise<void> {
  const program = new Command('postern')
    .description(
      'Manages and checks Postern. It works whether Postern runs or not, but explain and doctor need it running, and restore and store copy need it stopped.',
    )
    .version(version, '-V, --version', 'prints the version')
    .addCommand(new Command('version').description('prints the version').action(() => print(version)))
    .addCommand(adoptCommand(context))
    .addCommand(usersCommand(context))
    .addCommand(rolesCommand(context))
    .addCommand(cameraGroupsCommand(context))
    .addCommand(camerasCommand(context))
    .addCommand(sessionsCommand(context))
    .addCommand(tokensCommand(context))
    .addCommand(displaysCommand(context))
    .addCommand(notificationsCommand(context))
    .addCommand(sharesCommand(context))
    .addCommand(auditCommand(context))
    .addCommand(clockCommand(context))
    .addCommand(configCommand(context))
    .addCommand(explainCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(storeCommand(context));
  hideArguments(program);
  program.hook('preSubcommand', (_, subcommand) => requireFeature(context, subcommand.name()));
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const lines =
      error instanceof ConfigurationError ? error.problems.map(describeProblem) : [messageOf(error)];
    for (const line of lines) complain(line);
    process.exitCode = error instanceof ConfigurationError ? 78 : 1;
  }
}
