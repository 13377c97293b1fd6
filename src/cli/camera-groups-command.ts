import { isNamelessRole } from '../policy/names.ts';
import { Command } from 'commander';
import type { GroupChange } from '../accounts/roles/role-preview.ts';
import { AppError } from '../errors.ts';
import { isGroupName } from '../policy/names.ts';
import { rolesWith } from '../policy/role-access.ts';
import { unconditional } from '../store/permit.ts';
import { type CommandContext, parseNames } from './frame/command.ts';
import { listCommand } from './frame/list-command.ts';
import { onStore, type StoreWork } from './frame/on-store.ts';
import { roleChanges } from './roles-command.ts';

export function cameraGroupsCommand(context: CommandContext): Command {
  return new Command('camera-groups')
    .description('manages the groups of cameras, which roles name')
    .addCommand(
      listCommand(context, {
        description: 'lists the groups: name, cameras, roles with the group; by tabs',
        byUser: false,
        find: findGroups,
        cells: ({ name, cameras, roles }) => [name, cameras.join(','), roles.join(',') || '-'],
      }),
    )
    .addCommand(
      new Command('set')
        .description('defines a group and lists the roles that gain or lose cameras')
        .argument('<name>')
        .argument('<cameras>', 'with commas between them', parseNames)
        .option('--dry-run', 'shows what would change, and changes nothing')
        .action((name: string, cameras: readonly string[], { dryRun }: { readonly dryRun?: true }) =>
          onStore(context, (work) => define(context, work, { name, cameras, isDryRun: dryRun === true })),
        ),
    )
    .addCommand(
      new Command('remove')
        .description('removes a group that no role uses')
        .argument('<name>')
        .action((name: string) => onStore(context, (work) => remove(context, work, name))),
    );
}

async function* findGroups({ configuration: { auth } }: StoreWork) {
  for (const [name, cameras] of auth.defined.groups)
    yield { name, cameras, roles: rolesWith(name, auth.defined) };
}

async function define(
  context: CommandContext,
  work: StoreWork,
  { name, cameras, isDryRun }: { name: string; cameras: readonly string[]; isDryRun: boolean },
): Promise<void> {
  const { record, say } = work;
  if (!isGroupName(name))
    throw new Error(
      'the name of a group has 1 to 64 letters, digits, dots, hyphens and underscores, and is not . or ..',
    );
  const changes = await roleChanges(context, work);
  const made = isDryRun
    ? await changes.previewGroup(name, cameras)
    : await changes.setGroup(name, cameras, unconditional);
  if (!isDryRun) {
    const detail = { cameras, roles: made.map(({ role }) => role) };
    record({ event: 'camera_group_defined', object: name, detail });
  }
  say(`${isDryRun ? 'would define' : 'defined'} the group ${name}: ${cameras.join(', ')}`);
  for (const change of made) say(inWords(change));
}

function inWords({ role, users, gains, loses }: GroupChange): string {
  const parts = [
    ...(gains.length > 0 ? [`gains ${gains.join(', ')}`] : []),
    ...(loses.length > 0 ? [`loses ${loses.join(', ')}`] : []),
  ];
  return `${isNamelessRole(role) ? 'guest' : role} (${users === 1 ? '1 user' : `${users} users`}) ${parts.join(' and ')}`;
}

async function remove(context: CommandContext, work: StoreWork, name: string): Promise<void> {
  const { configuration, record, say } = work;
  const { defined } = configuration.auth;
  if (!defined.groups.has(name)) throw new AppError('camera_group_unknown');
  const roles = rolesWith(name, defined);
  if (roles.length > 0) throw new Error(`roles use this group: ${roles.join(', ')}`);
  await (await roleChanges(context, work)).removeGroup(name, unconditional);
  record({ event: 'camera_group_removed', object: name });
  say(`removed the group ${name}`);
}
