import { Command } from 'commander';
import { createApiTokenUses, type ApiTokenUse } from '../api-tokens/uses.ts';
import { createApiTokens } from '../api-tokens/api-tokens.ts';
import { listedDisplay, type ListedDisplay } from './displays.ts';
import { unconditional } from '../../store/permit.ts';
import type { CommandContext } from '../../cli/frame/command.ts';
import { listCommand, seenOf } from '../../cli/frame/list-command.ts';
import { localTime } from '../../cli/frame/output.ts';
import { onStore, type StoreWork } from '../../cli/frame/on-store.ts';

export function displaysCommand(context: CommandContext): Command {
  return new Command('displays')
    .description('manages the displays: screens that stay signed in')
    .addCommand(
      listCommand(context, {
        description: 'lists the displays: id, user, name, what it shows, until when, last seen',
        byUser: true,
        find: findDisplays,
        cells,
      }),
    )
    .addCommand(
      new Command('end')
        .description('ends a display')
        .argument('<id>', 'the id, from the list')
        .action((id: string) => onStore(context, (work) => end(work, id))),
    );
}

// Each look-up asks the store.
const displaysOf = ({ store, clock }: Pick<StoreWork, 'store' | 'clock'>) =>
  createApiTokens(store, { clock, storeVersion: () => Number.NaN, kind: 'display' });

async function* findDisplays(work: StoreWork, user: string | undefined) {
  const seen: ReadonlyMap<string, ApiTokenUse> = await seenOf(
    work,
    'when displays were seen last',
    createApiTokenUses,
  );
  for (const display of await displaysOf(work).list(user))
    yield listedDisplay(display, seen.get(display.id), work.clock.now());
}

async function end({ store, clock, record, say }: StoreWork, id: string): Promise<void> {
  const displays = displaysOf({ store, clock });
  const found = await displays.find(id);
  if (found === undefined || !(await displays.revoke(id, unconditional)))
    throw new Error('No such display: postern displays list shows their ids');
  record({ event: 'display_ended', object: found.name, detail: { id, owner: found.owner } });
  say(`ended ${found.name} of ${found.owner}`);
}

const remarks = {
  good: [],
  waiting: ['NOT FETCHED YET'],
  expired: ['EXPIRED'],
  suspended: ['SUSPENDED: its user is blocked'],
};

function cells(listed: ListedDisplay): readonly string[] {
  const { id, username, name, cameras, may, until, last_seen_at: seenAt, state } = listed;
  const from = listed.last_seen_from === null ? '' : ` from ${listed.last_seen_from}`;
  return [
    id,
    username,
    name,
    `${cameras === null ? 'all cameras of its user' : cameras.join(',')}: ${may.join(',')}`,
    until === null ? 'until it is ended' : `until ${localTime(until * 1000)}`,
    seenAt === null ? 'never seen' : `seen ${localTime(seenAt * 1000)}${from}`,
    ...remarks[state],
  ];
}
