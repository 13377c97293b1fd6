import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { newPassword, username } from '../accounts/credentials.ts';
import { planImport, readRecorderUsers } from '../accounts/import-users.ts';
import { createPasswordHasher } from '../accounts/password-hash.ts';
import { createUsers, type Users } from '../accounts/users.ts';
import { loadConfiguration } from '../config/load.ts';
import { definedRoles } from '../policy/grant.ts';
import { openStore, storePath } from '../store/store.ts';
import { print, type CommandContext } from './context.ts';
import { readPassword } from './read-password.ts';

interface Accounts {
  readonly users: Users;
  /** Roles that are defined. */
  readonly roles: readonly string[];
  /** Tells what was done, once it is done. */
  readonly say: (line: string) => void;
}

export function usersCommand(context: CommandContext): Command {
  const withAccounts = async (work: (accounts: Accounts) => Promise<void>) => {
    const { configuration, directory } = loadConfiguration(context.environment, context.root);
    const store = await openStore(storePath(directory), 5_000);
    const lines: string[] = [];
    try {
      const users = createUsers(store, () => Date.now() / 1000);
      await work({
        users,
        roles: definedRoles(configuration.auth.roles),
        say: (line) => lines.push(line),
      });
    } finally {
      await store.destroy();
    }
    // A running server sees the change within a millisecond; by now that has passed.
    for (const line of lines) print(line);
  };
  const command = (name: string, description: string) => new Command(name).description(description);

  return command('users', 'manages the accounts')
    .addCommand(
      command('list', 'lists every user with the role').action(() =>
        withAccounts(async ({ users, say }) => {
          for (const { username: name, role } of await users.list()) say(`${name}\t${role}`);
        }),
      ),
    )
    .addCommand(
      command('add', 'adds a user; the password comes from a prompt or from standard input')
        .argument('<name>', '', parseName)
        .option('--role <role>', 'admin, viewer or a custom role', 'viewer')
        .action((name: string, { role }: { role: string }) =>
          withAccounts(async ({ users, roles, say }) => {
            requireRole(role, roles);
            await users.add({ username: name, role, passwordHash: await hashOfNewPassword() });
            say(`added ${name} as ${role}`);
          }),
        ),
    )
    .addCommand(
      command('set-password', 'gives a user a new password and ends the sessions')
        .argument('<name>')
        .action((name: string) =>
          withAccounts(async ({ users, say }) => {
            await users.setPassword(name, await hashOfNewPassword());
            say(`changed the password of ${name}`);
          }),
        ),
    )
    .addCommand(
      command('set-role', 'gives a user another role and ends the sessions')
        .argument('<name>')
        .argument('<role>')
        .action((name: string, role: string) =>
          withAccounts(async ({ users, roles, say }) => {
            requireRole(role, roles);
            await users.setRole(name, role);
            say(`${name} is ${role} now`);
          }),
        ),
    )
    .addCommand(
      command('remove', 'removes a user and ends the sessions')
        .argument('<name>')
        .action((name: string) =>
          withAccounts(async ({ users, say }) => {
            await users.remove(name);
            say(`removed ${name}`);
          }),
        ),
    )
    .addCommand(
      command('import', "takes over the users of a recorder's database, with their passwords")
        .requiredOption('--from <file>', "the recorder's SQLite file; it is only read")
        .option('--dry-run', 'says what would be done and changes nothing')
        .action(({ from, dryRun }: { from: string; dryRun?: true }) =>
          withAccounts(async ({ users, roles, say }) => {
            const existing = new Set((await users.list()).map((user) => user.username));
            const plan = planImport(readRecorderUsers(from), existing, new Set(roles));
            if (dryRun === undefined) for (const { user } of plan.imported) await users.add(user);
            const verb = dryRun === undefined ? 'imported' : 'would import';
            for (const { user, formerRole } of plan.imported) {
              const was = formerRole === undefined ? '' : ` (the role ${formerRole} is not defined)`;
              say(`${verb} ${user.username} as ${user.role}${was}`);
            }
            for (const { name, why } of plan.skipped) say(`skipped ${name}: ${why}`);
          }),
        ),
    );
}

async function hashOfNewPassword(): Promise<string> {
  const parsed = v.safeParse(newPassword, await readPassword(process.stdin, process.stderr));
  if (!parsed.success) throw new Error(parsed.issues[0].message);
  return createPasswordHasher().hash(parsed.output);
}

function parseName(name: string): string {
  const parsed = v.safeParse(username, name);
  if (!parsed.success) throw new InvalidArgumentError(parsed.issues[0].message);
  return parsed.output;
}

function requireRole(role: string, roles: readonly string[]): void {
  if (!roles.includes(role)) throw new Error(`there is no role ${role}; there are ${roles.join(', ')}`);
}
