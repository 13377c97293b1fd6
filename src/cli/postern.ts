#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigurationError, describeProblem } from '../config/problem.ts';
import { AppError } from '../errors.ts';
import { programDirectory as root } from '../program-directory.ts';
import { StoreError } from '../store/store.ts';
import { auditCommand } from './audit-command.ts';
import { backupCommand } from './backup-command.ts';
import { configCommand } from './config-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { explainCommand } from './explain-command.ts';
import { storeCommand } from './store-command.ts';
import { sessionsCommand } from './sessions-command.ts';
import { outliveOutput } from './output.ts';
import { restoreCommand } from './restore-command.ts';
import { tokensCommand } from './tokens-command.ts';
import { usersCommand } from './users-command.ts';

const program = new Command('postern')
  .description(
    'Manages a Postern gate and looks at it. But for explain and doctor it works on what the gate keeps, whether that runs or not; a restore and a copy of the store need it stopped.',
  )
  .addCommand(usersCommand({ environment: process.env, root }))
  .addCommand(sessionsCommand({ environment: process.env, root }))
  .addCommand(tokensCommand({ environment: process.env, root }))
  .addCommand(auditCommand({ environment: process.env, root }))
  .addCommand(configCommand({ environment: process.env, root }))
  .addCommand(explainCommand({ environment: process.env, root }))
  .addCommand(doctorCommand({ environment: process.env, root }))
  .addCommand(backupCommand({ environment: process.env, root }))
  .addCommand(restoreCommand({ environment: process.env, root }))
  .addCommand(storeCommand({ environment: process.env, root }));

/** An argument too many may be a password: it is not repeated. */
function hideArguments(command: Command): void {
  command.configureOutput({
    outputError: (text, write) =>
      write(text.startsWith('error: too many arguments') ? 'error: too many arguments\n' : text),
  });
  for (const child of command.commands) hideArguments(child);
}
hideArguments(program);

/** What the operator can do something about is said of the store by itself. */
function messageOf(error: unknown): string {
  if (error instanceof AppError && error.cause instanceof StoreError) return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

outliveOutput();
try {
  await program.parseAsync();
} catch (error) {
  const lines =
    error instanceof ConfigurationError ? error.problems.map(describeProblem) : [messageOf(error)];
  for (const line of lines) process.stderr.write(`postern: ${line}\n`);
  process.exitCode = error instanceof ConfigurationError ? 78 : 1;
}
