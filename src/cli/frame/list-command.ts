import { Command } from 'commander';
import type { Clock } from '../../clock.ts';
import type { Activity } from '../../store/store.ts';
import type { CommandContext } from './command.ts';
import { type StoreWork, onActivity, onStore } from './on-store.ts';

interface Listing<T> {
  readonly description: string;
  /** Whether `--user` limits it. */
  readonly byUser: boolean;
  /** @returns the entries that the API lists too */
  readonly find: (work: StoreWork, user: string | undefined) => AsyncIterable<T>;
  /** One line for a terminal. */
  readonly cells: (listed: T) => readonly string[];
}

/** `list` of a group of commands: tab-separated lines, or one JSON object per line. */
export function listCommand<T>(
  context: CommandContext,
  { description, byUser, find, cells }: Listing<T>,
): Command {
  const list = new Command('list').description(description);
  if (byUser) list.option('--user <name>', 'of this user only');
  return list
    .option('--json', 'prints one JSON object per line')
    .action(({ user, json }: { readonly user?: string; readonly json?: true }) =>
      onStore(context, async (work) => {
        for await (const listed of find(work, user))
          work.say(json === undefined ? cells(listed).join('\t') : JSON.stringify(listed));
      }),
    );
}

/** Last use of each entry. */
interface Seen<T> {
  list(): Promise<ReadonlyMap<string, T>>;
  close(): Promise<void>;
}

/** @returns last use by id; empty, with a warning, when it cannot be read: the list does without */
export function seenOf<T>(
  { keeping, clock, say }: StoreWork,
  what: string,
  create: (activity: Activity, options: { clock: Clock; onError: () => void }) => Seen<T>,
): Promise<ReadonlyMap<string, T>> {
  return onActivity(keeping, async (activity) => {
    const seen = create(activity, { clock, onError: () => undefined });
    try {
      return await seen.list();
    } finally {
      await seen.close();
    }
  }).catch((error: unknown) => {
    say(`${what} cannot be read: ${String(error)}`, 'stderr');
    return new Map<string, T>();
  });
}
