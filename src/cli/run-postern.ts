import { Command } from 'commander';
import { ConfigurationError, describeProblem } from '../config/problem.ts';
import { AppError } from '../errors.ts';
import { StoreError } from '../store/store.ts';
import { auditCommand } from './audit-command.ts';
import { backupCommand } from './backup-command.ts';
import { configCommand } from './config-command.ts';
import type { CommandContext } from './context.ts';
import { doctorCommand } from './doctor-command.ts';
import { explainCommand } from './explain-command.ts';
import { complain } from './output.ts';
import { storeCommand } from './store-command.ts';
import { sessionsCommand } from './sessions-command.ts';
import { sharesCommand } from './shares-command.ts';
import { restoreCommand } from './restore-command.ts';
import { tokensCommand } from './tokens-command.ts';
import { usersCommand } from './users-command.ts';

/** An argument too many may be a password: it is not repeated. */
function hideArguments(command: Command): void {
  command.configureOutput({
    outputError: (text, write) =>
      write(text.startsWith('error: too many arguments') ? 'error: too many arguments\n' : text),
  });
  for (const child of command.commands) hideArguments(child);
}

/** What the operator can do something about is said of the store by itself. */
function messageOf(error: unknown): string {
  if (error instanceof AppError && error.cause instanceof StoreError) return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Runs the command that the arguments name, on the standard streams; what went wrong is told there, and is the
 * `process.exitCode`: 78 for a faulty configuration (sysexits.h), else 1. A command line that is none exits at once.
 * @param args without those of Node
 */
export async function runPostern(context: CommandContext, args: readonly string[]): Promise<void> {
  const program = new Command('postern')
    .description(
      'Manages a Postern gate and looks at it. But for explain and doctor it works on what the gate keeps, whether that runs or not; a restore and a copy of the store need it stopped.',
    )
    .addCommand(usersCommand(context))
    .addCommand(sessionsCommand(context))
    .addCommand(tokensCommand(context))
    .addCommand(sharesCommand(context))
    .addCommand(auditCommand(context))
    .addCommand(configCommand(context))
    .addCommand(explainCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(storeCommand(context));
  hideArguments(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const lines =
      error instanceof ConfigurationError ? error.problems.map(describeProblem) : [messageOf(error)];
    for (const line of lines) complain(line);
    process.exitCode = error instanceof ConfigurationError ? 78 : 1;
  }
}
