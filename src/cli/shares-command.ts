import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { listedShare, type ListedShare } from '../shares/listed-share.ts';
import { createShareOpenings, type ShareOpening } from '../shares/share-openings.ts';
import { createShares, type Shares } from '../shares/shares.ts';
import { unconditional } from '../store/permit.ts';
import type { Activity } from '../store/store.ts';
import type { CommandContext } from './context.ts';
import { localTime } from './local-time.ts';
import { onActivity } from './on-activity.ts';
import { onStore, type StoreWork } from './on-store.ts';

interface SharesWork extends Omit<StoreWork, 'store'> {
  readonly shares: Shares;
}

export function sharesCommand(context: CommandContext): Command {
  const withShares = (work: (given: SharesWork) => Promise<void>) =>
    onStore(context, ({ store, ...others }) => work({ shares: createShares(store, systemClock), ...others }));
  const command = (name: string, description: string) => new Command(name).description(description);

  return command('shares', 'manages the shares')
    .addCommand(
      command('list', 'lists the shares: id, what, maker, until when, openings')
        .option('--user <name>', 'of this user only')
        .option('--json', 'prints one JSON object a line')
        .action(({ user, json }: { user?: string; json?: true }) =>
          withShares((given) => list(given, user, json === true)),
        ),
    )
    .addCommand(
      command('end', 'ends a share')
        .argument('<id>', 'as the list says')
        .action((id: string) => withShares((given) => end(given, id))),
    )
    .addCommand(
      command('end-all', 'ends all shares, or all of a user')
        .option('--user <name>', 'of this user only')
        .action(({ user }: { user?: string }) =>
          withShares(async ({ shares, record, say }) => {
            const ended = await shares.endAll(user, unconditional);
            if (ended > 0)
              record({
                event: 'share_ended',
                detail: { count: ended, ...(user !== undefined && { made_by: user }) },
              });
            say(
              `ended ${ended} ${ended === 1 ? 'share' : 'shares'}${user === undefined ? '' : ` of ${user}`}`,
            );
          }),
        ),
    );
}

async function list(
  { shares, keeping, say }: SharesWork,
  user: string | undefined,
  asJson: boolean,
): Promise<void> {
  const openings = await onActivity(keeping, openingsIn).catch((error: unknown) => {
    say(`how often shares were opened cannot be read: ${String(error)}`, 'stderr');
    return new Map<string, ShareOpening>();
  });
  for (const share of await shares.list('everybody')) {
    if (user !== undefined && share.creator.user !== user) continue;
    const listed = listedShare(share, openings.get(share.id));
    say(asJson ? JSON.stringify(listed) : lineOf(listed));
  }
}

async function end({ shares, record, say }: SharesWork, id: string): Promise<void> {
  const found = await shares.find(id);
  if (found === undefined || !(await shares.end(id, unconditional)))
    throw new Error('There is no such share: postern shares list shows their ids');
  const { user } = found.creator;
  record({ event: 'share_ended', object: id, detail: { made_by: user } });
  say(`ended a share of ${user}`);
}

function lineOf(listed: ListedShare): string {
  const { id, kind, event, cameras, label, openings } = listed;
  const thing = event ?? listed.export;
  const last = listed.last_opened_at;
  return [
    id,
    [kind, thing, `of ${cameras.join(', ')}`].filter((part) => part !== undefined).join(' '),
    listed.made_by,
    `until ${localTime(listed.expires_at * 1000)}`,
    last === null
      ? 'never opened'
      : `opened ${openings === 1 ? 'once' : `${openings} times`}, last ${localTime(last * 1000)}`,
    ...(listed.has_password ? ['with a password'] : []),
    ...(label === null ? [] : [label]),
  ].join('\t');
}

async function openingsIn(activity: Activity): Promise<ReadonlyMap<string, ShareOpening>> {
  const openings = createShareOpenings(activity, { clock: systemClock, onError: () => undefined });
  try {
    return await openings.list();
  } finally {
    await openings.close();
  }
}
