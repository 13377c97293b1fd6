import { Command } from 'commander';
import { listedShare, type ListedShare, createShares } from './shares.ts';
import { createShareUnlocks } from './share-unlocks.ts';
import { unconditional } from '../../store/permit.ts';
import type { CommandContext } from '../../cli/frame/command.ts';
import { listCommand, seenOf } from '../../cli/frame/list-command.ts';
import { localTime } from '../../cli/frame/output.ts';
import { onStore, type StoreWork } from '../../cli/frame/on-store.ts';

export function sharesCommand(context: CommandContext): Command {
  return new Command('shares')
    .description('manages the shares')
    .addCommand(
      listCommand(context, {
        description: 'lists the shares: id, what, creator, expiry, how often opened',
        byUser: true,
        find: findShares,
        cells,
      }),
    )
    .addCommand(
      new Command('end')
        .description('ends a share')
        .argument('<id>', 'the id, from the list')
        .action((id: string) => onStore(context, (work) => end(work, id))),
    )
    .addCommand(
      new Command('end-all')
        .description('ends all shares, or all of a user')
        .option('--user <name>', 'of this user only')
        .action(({ user }: { user?: string }) => onStore(context, (work) => endAll(work, user))),
    );
}

async function* findShares(work: StoreWork, user: string | undefined) {
  const openings = await seenOf(work, 'how often shares were opened', createShareUnlocks);
  for (const share of await createShares(work.store, work.clock).list('all'))
    if (user === undefined || share.creator.user === user) yield listedShare(share, openings.get(share.id));
}

async function end({ store, clock, record, say }: StoreWork, id: string): Promise<void> {
  const shares = createShares(store, clock);
  const found = await shares.find(id);
  if (found === undefined || !(await shares.end(id, unconditional)))
    throw new Error('No such share: postern shares list shows their ids');
  const { user } = found.creator;
  record({ event: 'share_ended', object: id, detail: { made_by: user } });
  say(`ended a share of ${user}`);
}

async function endAll({ store, clock, record, say }: StoreWork, user: string | undefined): Promise<void> {
  const ended = await createShares(store, clock).endAll(user, unconditional);
  if (ended > 0)
    record({
      event: 'share_ended',
      detail: { count: ended, ...(user !== undefined && { made_by: user }) },
    });
  say(`ended ${ended} ${ended === 1 ? 'share' : 'shares'}${user === undefined ? '' : ` of ${user}`}`);
}

function cells(listed: ListedShare): readonly string[] {
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
  ];
}
