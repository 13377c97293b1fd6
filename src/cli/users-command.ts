import { isNamelessRole } from '../policy/names.ts';
import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { writeStoredRole } from '../accounts/roles/role-definitions.ts';
import { createRolesFile } from '../accounts/roles/roles-file.ts';
import { createFactors } from '../accounts/second-factor/factors.ts';
import { newPassword, username } from '../accounts/users/credentials.ts';
import { type ImportPlan, planImport, readRecorderUsers } from '../accounts/users/import-users.ts';
import { createPasswordHasher } from '../accounts/users/password-hash.ts';
import { type ListedUser, createUserList, listedUser } from '../accounts/users/user-list.ts';
import { type Users, createUsers } from '../accounts/users/users.ts';
import { inviteCommand } from '../features/commands.ts';
import { plainText } from '../audit/audit-entry.ts';
import { type LastLogins, createLastLogins } from '../audit/last-logins.ts';
import { unreadReasons } from '../recorder/configuration-answer.ts';
import { unconditional } from '../store/permit.ts';
import { askRecorderOf } from './ask-recorder.ts';
import { type KeepOptions, askWhatToKeep, endedInWords, withKeepOptions } from './ask-what-to-keep.ts';
import type { CommandContext } from './frame/command.ts';
import { listCommand } from './frame/list-command.ts';
import { localTime } from './frame/output.ts';
import { type StoreWork, onActivity, onStore } from './frame/on-store.ts';
import { checkWritten } from './frame/written-configuration.ts';
import { readPassword } from './frame/prompts.ts';

interface Accounts extends Pick<StoreWork, 'store' | 'clock' | 'record' | 'say'> {
  readonly users: Users;
  /** Roles that are defined. */
  readonly roles: readonly string[];
}

export function usersCommand(context: CommandContext): Command {
  const withAccounts = (work: (accounts: Accounts) => Promise<void>) =>
    onStore(context, ({ store, clock, configuration, record, say }) =>
      work({
        users: createUsers(store, clock, () => configuration.auth.oidc?.issuer),
        store,
        clock,
        roles: [...configuration.auth.roles.keys()],
        record,
        say,
      }),
    );
  const command = (name: string, description: string) => new Command(name).description(description);
  /** A command that restores an account to its owner. */
  const recovery = (name: string, description: string) =>
    withKeepOptions(command(name, description).argument('<name>'));

  return command('users', 'manages the users')
    .addCommand(
      listCommand(context, {
        description:
          'lists the users: name, role and why, provider, last sign-in, blocked by, second factors; by tabs',
        byUser: false,
        find: findUsers,
        cells: userCells,
      }),
    )
    .addCommand(
      command('add', 'adds a user; the password comes from a prompt or from standard input')
        .argument('<name>', '', parseName)
        .option('--role <role>', 'admin, viewer or a custom role', 'viewer')
        .action((name: string, { role }: { role: string }) =>
          withAccounts(async ({ users, roles, record, say }) => {
            requireRole(role, roles);
            await users.add({ username: name, role, passwordHash: await hashOfNewPassword() }, unconditional);
            record({ event: 'user_added', object: name, detail: { role } });
            say(`added ${name} as ${role}`);
          }),
        ),
    )
    .addCommand(inviteCommand(context))
    .addCommand(
      recovery(
        'set-password',
        'gives a user a new password and ends the sessions, API tokens and shares',
      ).action((name: string, options: KeepOptions) =>
        withAccounts((accounts) => setPassword(accounts, name, options)),
      ),
    )
    .addCommand(
      command('set-role', 'gives a user another role and ends the sessions')
        .argument('<name>')
        .argument('<role>')
        .action((name: string, role: string) =>
          withAccounts(async ({ users, roles, record, say }) => {
            requireRole(role, roles);
            await users.setRole(name, role, unconditional);
            record({ event: 'user_role_changed', object: name, detail: { role } });
            say(`${name} is ${role} now`);
          }),
        ),
    )
    .addCommand(
      command(
        'block',
        'keeps a user out: ends the sessions, refuses sign-ins and API tokens, and closes shares',
      )
        .argument('<name>')
        .action((name: string) =>
          withAccounts(async ({ users, record, say }) => {
            const { isChanged } = await users.block(name, unconditional);
            if (isChanged) record({ event: 'user_blocked', object: name });
            say(`blocked ${name}`);
          }),
        ),
    )
    .addCommand(
      command('unblock', 'lets a blocked user in again')
        .argument('<name>')
        .action((name: string) =>
          withAccounts(async ({ users, record, say }) => {
            const { isChanged } = await users.unblock(name, unconditional);
            if (isChanged) record({ event: 'user_unblocked', object: name });
            say(`unblocked ${name}`);
          }),
        ),
    )
    .addCommand(
      command('remove', 'removes a user and ends the sessions, API tokens and shares')
        .argument('<name>')
        .action((name: string) =>
          withAccounts(async ({ users, record, say }) => {
            const issuer = (await users.find(name))?.issuer;
            await users.remove(name, unconditional);
            record({ event: 'user_removed', object: name });
            say(`removed ${name}`);
            if (issuer === undefined) return;
            say(
              `the next sign-in at ${issuer} adds ${name} again; to keep them out, use users block`,
              'stderr',
            );
          }),
        ),
    )
    .addCommand(
      recovery(
        'reset-factors',
        'takes all passkeys and codes of a user away and ends the sessions, API tokens and shares',
      ).action((name: string, options: KeepOptions) =>
        onStore(context, async ({ store, clock, record, say }) => {
          const keep = await askWhatToKeep({ store, clock }, name, options);
          const factors = createFactors(store, clock);
          const { ended } = await factors.resetFactors(name, unconditional, { keep });
          record({ event: 'factors_reset', object: name, detail: ended });
          say(`${name} now signs in with the password alone${endedInWords(ended)}`);
        }),
      ),
    )
    .addCommand(
      command('import', "takes over the users of a recorder's database, with their passwords")
        .requiredOption('--from <file>', "the recorder's SQLite file; it is only read")
        .option('--dry-run', 'shows what would be done, and changes nothing')
        .action(({ from, dryRun }: { from: string; dryRun?: true }) =>
          onStore(context, async (work) => {
            const users = createUsers(work.store, work.clock);
            const plan = await planOf(readRecorderUsers(from), users, work);
            try {
              if (dryRun === undefined) {
                await makeRoles(plan, context, work);
                await importUsers(plan, users, work);
              } else {
                for (const [role, cameras] of plan.roles) sayRole('would make', role, cameras, work);
                for (const user of plan.imported) sayUser('would import', user, work);
              }
            } finally {
              for (const { name, why } of plan.skipped) work.say(`skipped ${name}: ${why}`);
            }
          }),
        ),
    );
}

async function setPassword(
  { store, clock, users, record, say }: Accounts,
  name: string,
  options: KeepOptions,
): Promise<void> {
  const passwordHash = await hashOfNewPassword();
  const keep = await askWhatToKeep({ store, clock }, name, options);
  const { ended } = await users.setPassword(name, passwordHash, unconditional, { keep });
  record({ event: 'password_changed', object: name, detail: ended });
  say(`changed the password of ${name}${endedInWords(ended)}`);
}

/** Asks the recorder at `upstream` about imported roles that the gate does not have. */
async function planOf(
  found: ReturnType<typeof readRecorderUsers>,
  users: Users,
  { configuration, say }: Pick<StoreWork, 'configuration' | 'say'>,
): Promise<ImportPlan> {
  const existing = (await users.list()).map((user) => user.username);
  const roles = new Set(configuration.auth.roles.keys());
  const plan = planImport(found, existing, roles);
  if (!plan.lacksRoles) return plan;
  const said = await askRecorderOf(configuration);
  if (said === undefined) return plan;
  if ('fault' in said.read) {
    say(`the recorder was not asked about roles: ${unreadReasons[said.read.fault]}`, 'stderr');
    return plan;
  }
  const { cameras } = configuration;
  return planImport(found, existing, roles, { roles: said.read.configuration.roles, cameras });
}

/** Before any user has one of them. @throws when config.yml cannot be written, or would not be valid */
async function makeRoles(
  { roles }: ImportPlan,
  context: CommandContext,
  { store, configuration, keeping: { directory }, record, say }: StoreWork,
): Promise<void> {
  const file = createRolesFile(directory, checkWritten(context, directory));
  const isShared = configuration.store.url !== undefined;
  for (const [role, granted] of roles) {
    const cameras = [...granted];
    if (isShared) await store.change(unconditional, (on) => writeStoredRole(on, role, cameras));
    else await file.add('roles imported', role, cameras);
    record({ event: 'role_defined', object: role, detail: { cameras } });
    sayRole('made', role, granted, { say });
  }
}

function sayRole(
  done: string,
  role: string,
  cameras: ReadonlySet<string>,
  { say }: Pick<StoreWork, 'say'>,
): void {
  say(`${done} the role ${role}: ${[...cameras].join(', ')}`);
}

function sayUser(
  done: string,
  { username: name, role }: ImportPlan['imported'][number],
  { say }: Pick<StoreWork, 'say'>,
): void {
  say(`${done} ${name} as ${role}`);
}

/** Limit of an audit record. */
const namesOfRecord = 100;

/** Adds one after the other: if one fails, those before it are stored, recorded and printed. */
export async function importUsers(
  { imported }: ImportPlan,
  users: Users,
  { record, say }: Pick<StoreWork, 'record' | 'say'>,
): Promise<void> {
  const names: string[] = [];
  try {
    for (const user of imported) {
      await users.add(user, unconditional);
      names.push(`${user.username} ${user.role}`);
      sayUser('imported', user, { say });
    }
  } finally {
    while (names.length > 0) {
      record({ event: 'users_imported', detail: { users: names.splice(0, namesOfRecord) } });
    }
  }
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
  const others = roles.filter((name) => !isNamelessRole(name));
  if (!roles.includes(role)) throw new Error(`there is no role ${role}; there are ${others.join(', ')}`);
}

const pageSize = 500;

/** Every user, with all details. */
async function* findUsers({ store, configuration, keeping, say }: StoreWork) {
  const { issuer, label } = configuration.auth.oidc ?? { issuer: undefined, label: undefined };
  const users = createUserList(store);
  const lastLogins: LastLogins = (names) =>
    onActivity(keeping, (activity) => createLastLogins(activity)(names)).catch(() => {
      say('the last sign-ins cannot be read', 'stderr');
      return new Map<string, number>();
    });
  for (let after: string | undefined; ;) {
    const page = await users.listDetails({ after, limit: pageSize });
    const logins = await lastLogins(page.map(({ username }) => username));
    for (const user of page) yield listedUser(user, logins.get(user.username), { issuer, label });
    if (page.length < pageSize) return;
    after = page.at(-1)?.username;
  }
}

function userCells(user: ListedUser): readonly string[] {
  const {
    username,
    role,
    role_reason: reason,
    provider,
    provider_label: label,
    last_login: lastLogin,
  } = user;
  return [
    username,
    isNamelessRole(role) ? 'guest' : role,
    reason,
    label ?? provider,
    lastLogin === null ? null : localTime(lastLogin * 1000),
    user.blocked === null ? null : `blocked by ${user.blocked}`,
    user.second_factors.join(','),
  ].map((text) => (text ? plainText(text, 256) : '-'));
}
