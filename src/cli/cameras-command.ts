import { Command } from 'commander';
import { createLostCameras, type LostCameras } from '../accounts/cameras/lost-cameras.ts';
import { cameraRenames } from '../accounts/cameras/rename-camera.ts';
import { createRolesFile } from '../accounts/roles/roles-file.ts';
import { loadConfiguration } from '../config/load.ts';
import { meantHint } from '../config/wrong-value.ts';
import { unconditional } from '../store/permit.ts';
import type { CommandContext } from './frame/command.ts';
import { listCommand } from './frame/list-command.ts';
import { onActivity, onStore, type StoreWork } from './frame/on-store.ts';
import { checkWritten } from './frame/written-configuration.ts';

export function camerasCommand(context: CommandContext): Command {
  return new Command('cameras')
    .description('manages cameras that Frigate renamed or dropped')
    .addCommand(
      listCommand(context, {
        description: 'lists them: previous name, likely new name, people who lose it; by tabs',
        byUser: false,
        find: findLost,
        cells: ({ camera, likely, people }) => [camera, likely ?? '-', people.join(',') || '-'],
      }),
    )
    .addCommand(
      new Command('rename')
        .description('moves roles, groups, tokens, screens, shares, requests and stops to the new name')
        .argument('<old>')
        .argument('<new>')
        .option('--json', 'prints what was moved as one JSON object')
        .action((camera: string, to: string, { json }: { readonly json?: true }) =>
          onStore(context, (work) => rename(context, work, { camera, to, isJson: json === true })),
        ),
    );
}

async function* findLost(work: StoreWork) {
  const lost = await withLost(work, (cameras) => cameras.list());
  for (const { camera, likely = null, holders } of lost) yield { camera, likely, ...holders };
}

/** Looks at the cameras that the gate has read. */
function withLost<T>(
  { store, clock, configuration, keeping }: StoreWork,
  use: (cameras: LostCameras) => Promise<T>,
): Promise<T> {
  const { defined } = configuration.auth;
  return onActivity(keeping, (activity) =>
    use(
      createLostCameras({
        store,
        activity,
        defined: () => defined,
        clock,
        logger: { warn: () => undefined },
      }),
    ),
  );
}

async function rename(
  context: CommandContext,
  work: StoreWork,
  { camera, to, isJson }: { readonly camera: string; readonly to: string; readonly isJson: boolean },
): Promise<void> {
  const { store, clock, configuration, keeping, record, say } = work;
  const { environment, root } = context;
  const present = await withLost(work, (cameras) => cameras.present());
  if (present.length === 0) throw new Error('Postern has not read the cameras of Frigate yet');
  if (present.includes(camera)) throw new Error(`Frigate still has the camera ${camera}`);
  if (!present.includes(to))
    throw new Error(`Frigate has no camera ${to}${meantHint(to, present)}; it has ${present.join(', ')}`);
  const declared = loadConfiguration(environment, root, 'ignored').configuration;
  const { rename: renameIt } = cameraRenames({
    change: store.change,
    rolesFile: createRolesFile(keeping.directory, checkWritten(context, keeping.directory)),
    reading: { adopt: () => {} },
    isShared: configuration.store.url !== undefined,
    declared: { cameras: declared.cameras, defined: declared.auth.defined },
    defined: () => configuration.auth.defined,
    clock,
  });
  const { holders, left, fault } = await renameIt(camera, to, unconditional);
  const { roles, groups, people } = holders;
  const detail = { to, roles, groups, people, ...(left.length > 0 && { left }) };
  record({ event: 'camera_renamed', object: camera, detail });
  if (left.length === 0) await withLost(work, (cameras) => cameras.forget(camera));
  if (isJson) say(JSON.stringify({ camera, to, ...holders, places: left }));
  else say(`moved ${camera} to ${to}: ${inWords(holders)}`);
  if (fault !== undefined)
    throw new Error(
      `could not write the new name to config.yml; ${left.join(', ')} still have the previous one. Run the command again`,
      { cause: fault },
    );
  if (left.length > 0) say(`change ${camera} to ${to} in config.yml: ${left.join(', ')}`, 'stderr');
}

type Holders = Awaited<ReturnType<LostCameras['list']>>[number]['holders'];

function inWords({
  roles,
  groups,
  people,
  tokens,
  displays,
  shares,
  requests,
  stops,
  invitations,
}: Holders): string {
  const counts = { tokens, screens: displays, shares, requests, stops };
  const parts = [
    ...(roles.length > 0 ? [`roles ${roles.join(', ')}`] : []),
    ...(groups.length > 0 ? [`groups ${groups.join(', ')}`] : []),
    ...(people.length > 0 ? [`people ${people.join(', ')}`] : []),
    ...(invitations > 0 ? [`invitations: ${invitations}`] : []),
    ...Object.entries(counts).flatMap(([name, found]) =>
      found.length > 0 ? [`${name}: ${found.length}`] : [],
    ),
  ];
  return parts.join('; ') || 'nothing had it';
}
