import { Command } from 'commander';
import * as v from 'valibot';
import {
  type CustomRoleChanges,
  customRolesInFile,
  customRolesInStore,
} from '../accounts/roles/custom-roles.ts';
import { accessInWords, defineRoles, readStoredRoles } from '../accounts/roles/role-definitions.ts';
import { createRolesFile } from '../accounts/roles/roles-file.ts';
import { readPersonalRoles } from '../accounts/users/personal-roles.ts';
import { createUserList } from '../accounts/users/user-list.ts';
import { createUsers } from '../accounts/users/users.ts';
import { loadConfiguration } from '../config/load.ts';
import { ConfigurationError } from '../config/problem.ts';
import { roleAccess } from '../config/role-access.ts';
import { AppError } from '../errors.ts';
import { capabilities } from '../policy/capability.ts';
import { isBuiltIn, isRoleName } from '../policy/names.ts';
import { type ConfiguredAccess, accessOfRole, scheduleIn } from '../policy/role-access.ts';
import { unconditional } from '../store/permit.ts';
import { type CommandContext, parseMay, parseNames } from './frame/command.ts';
import { listCommand } from './frame/list-command.ts';
import { type StoreWork, onStore } from './frame/on-store.ts';
import { checkWritten } from './frame/written-configuration.ts';

/** False: the option with `--no-` takes away what the role has. */
interface SetOptions {
  readonly cameras?: readonly string[] | false;
  readonly groups?: readonly string[] | false;
  readonly may?: readonly string[] | false;
  readonly from?: string | false;
  readonly until?: string | false;
  readonly hours?: string | false;
  readonly history?: string;
}

export function rolesCommand(context: CommandContext): Command {
  return new Command('roles')
    .description('manages the roles: which cameras, what they may do, and when')
    .addCommand(
      listCommand(context, {
        description: 'lists the roles: name, cameras, groups, what they may do, schedule, users; by tabs',
        byUser: false,
        find: findNamedRoles,
        cells,
      }),
    )
    .addCommand(
      new Command('show')
        .description('shows everything about a role')
        .argument('<name>')
        .option('--json', 'prints one JSON object')
        .action((name: string, { json }: { readonly json?: true }) =>
          onStore(context, (work) => show(work, name, json === true)),
        ),
    )
    .addCommand(
      new Command('set')
        .description('defines a role, or changes what is named and leaves the rest; of viewer, may alone')
        .argument('<name>')
        .option('--cameras <names>', 'with commas between them', parseNames)
        .option('--no-cameras', 'none but those of its groups')
        .option('--groups <names>', 'groups of cameras, with commas between them', parseNames)
        .option('--no-groups', 'no group')
        .option('--may <words>', `of ${capabilities.join(', ')}, with commas between them`, parseMay)
        .option('--no-may', 'what a role may by default')
        .option('--from <time>', 'such as 2026-12-20 or 2026-12-20T18:00')
        .option('--no-from', 'from no time on')
        .option('--until <time>', 'such as 2027-01-05')
        .option('--no-until', 'without an end')
        .option('--hours <hours>', 'such as 07:00-19:00')
        .option('--no-hours', 'at all hours')
        .option('--history <which>', 'from: no recording from before --from; all: every recording')
        .action((name: string, options: SetOptions) =>
          onStore(context, (work) => set(context, work, name, options)),
        ),
    )
    .addCommand(
      new Command('remove')
        .description('removes a role; its users get another one, and their sessions end')
        .argument('<name>')
        .option('--reassign-to <role>', 'the new role of its users', 'viewer')
        .action((name: string, { reassignTo }: { readonly reassignTo: string }) =>
          onStore(context, (work) => remove(context, work, name, reassignTo)),
        ),
    );
}

/** Without those that were made for one person. */
async function* findNamedRoles(work: StoreWork) {
  const personal = await readPersonalRoles(work.store);
  for await (const role of findRoles(work)) if (!personal.has(role.name)) yield role;
}

async function* findRoles({ store, configuration: { auth } }: StoreWork) {
  const { byRole } = await createUserList(store).counts();
  for (const name of auth.roles.keys()) {
    const { cameras, may } = accessOfRole(name, auth.roles);
    const definition = auth.defined.definitions.get(name);
    yield {
      name,
      cameras: definition?.cameras ?? [],
      access: definition?.access ?? null,
      /** Null: every camera. */
      allowed_cameras: cameras === 'all' ? null : [...cameras],
      may: [...may],
      users: byRole[name] ?? 0,
    };
  }
}

type ListedRole = ReturnType<typeof findRoles> extends AsyncGenerator<infer T> ? T : never;

function cells({ name, access, allowed_cameras: allowed, may, users }: ListedRole): readonly string[] {
  return [
    name,
    allowed === null ? 'every camera' : allowed.join(',') || '-',
    access?.groups?.join(',') ?? '-',
    may.join(',') || '-',
    accessInWords(scheduleIn(access ?? undefined)).join('; ') || '-',
    String(users),
  ];
}

async function show(work: StoreWork, name: string, asJson: boolean): Promise<void> {
  for await (const role of findRoles(work)) {
    if (role.name !== name) continue;
    if (asJson) return work.say(JSON.stringify(role));
    const [, allowed = '', groups = '', may = '', schedule = '', users = ''] = cells(role);
    const lines = { name, cameras: allowed, groups, may, schedule, users };
    for (const [key, value] of Object.entries(lines)) work.say(`${key.padEnd(9)} ${value}`);
    return;
  }
  throw new AppError('role_unknown');
}

async function set(
  context: CommandContext,
  work: StoreWork,
  name: string,
  { cameras: wanted, history, ...options }: SetOptions,
): Promise<void> {
  const { configuration, record, say } = work;
  if (name !== 'viewer' && !isRoleName(name))
    throw new Error(
      'the name of a role has 1 to 64 letters, digits, dots and underscores, and is not that of a built-in role, nor none',
    );
  if ([wanted, history, ...Object.values(options)].every((option) => option === undefined))
    throw new Error('name what to set, such as --cameras or --may; postern roles set --help has the options');
  const isViewer = name === 'viewer';
  if (isViewer && wanted !== undefined && wanted !== false) throw new Error('the viewer sees every camera');
  if (history !== undefined && history !== 'from' && history !== 'all')
    throw new Error('--history is from or all');
  const previous = configuration.auth.defined.definitions.get(name);
  const cameras = wanted === false ? [] : (wanted ?? previous?.cameras ?? []);
  const access = changedAccess(name, previous?.access, {
    ...options,
    ...(history !== undefined && { history: history === 'from' ? history : (false as const) }),
  });
  await (await roleChanges(context, work)).set(name, { cameras, access }, unconditional);
  record({ event: 'role_defined', object: name, detail: { cameras, access: accessInWords(access) } });
  const parts = [...(cameras.length > 0 ? [`cameras: ${cameras.join(', ')}`] : []), ...accessInWords(access)];
  say(`defined the role ${name}; ${parts.join('; ') || 'as by default'}`);
}

/** @returns null when nothing is left but the default. @throws ConfigurationError for what config.yml could not have */
function changedAccess(
  role: string,
  previous: ConfiguredAccess | undefined,
  changes: Readonly<Record<string, string | readonly string[] | false | undefined>>,
): ConfiguredAccess | null {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged: Readonly<Record<string, unknown>> = { ...previous, ...Object.fromEntries(given) };
  const entries = Object.entries(merged).filter(([, value]) => value !== false && value !== undefined);
  if (entries.length === 0) return null;
  const read = v.safeParse(roleAccess, Object.fromEntries(entries));
  if (read.success) return read.output;
  throw new ConfigurationError(
    read.issues.map((issue) => ({
      path: ['auth.role_access', role, ...(issue.path ?? []).map(({ key }) => String(key))].join('.'),
      found: JSON.stringify(issue.input),
      allowed: issue.message,
    })),
  );
}

async function remove(
  context: CommandContext,
  work: StoreWork,
  name: string,
  successor: string,
): Promise<void> {
  const { configuration, record, say } = work;
  const { roles } = configuration.auth;
  if (isBuiltIn(name)) throw new Error('a built-in role cannot be removed');
  if (!roles.has(name)) throw new AppError('role_unknown');
  if (successor === name || !roles.has(successor)) throw new Error(`there is no role ${successor}`);
  const changes = await roleChanges(context, work);
  const { reassigned, left } = await changes.remove(name, successor, unconditional);
  const detail = {
    reassigned,
    ...(successor === 'viewer' ? {} : { reassign_to: successor }),
    ...(left !== undefined && { still_defined: true }),
  };
  record({ event: 'role_removed', object: name, detail });
  const users = `${reassigned === 1 ? '1 user is' : `${reassigned} users are`} ${successor} now`;
  if (left === undefined) return say(`removed the role ${name}; ${users}`);
  say(users);
  throw new Error(
    `could not remove the role ${name} from config.yml; it is still defined, and no user has it. Remove it again`,
    { cause: left },
  );
}

/** Changes roles and camera groups where the gate changes them: in a shared store, or else in config.yml. */
export async function roleChanges(
  context: CommandContext,
  { store, clock, configuration, keeping: { directory } }: StoreWork,
): Promise<CustomRoleChanges> {
  const users = createUsers(store, clock, () => configuration.auth.oidc?.issuer);
  const { change } = store;
  if (configuration.store.url === undefined) {
    const rolesFile = createRolesFile(directory, checkWritten(context, directory));
    return customRolesInFile({
      store,
      change,
      users,
      rolesFile,
      reading: { adopt: () => {} },
      defined: () => configuration.auth.defined,
    });
  }
  const { environment, root } = context;
  const declared = loadConfiguration(environment, root, 'ignored').configuration.auth.defined;
  return customRolesInStore({
    store,
    change,
    users,
    definitions: defineRoles(declared, await readStoredRoles(store)),
    reading: { adopt: () => {} },
    cameras: configuration.cameras,
  });
}
