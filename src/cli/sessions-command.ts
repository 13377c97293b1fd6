import { Command } from 'commander';
import { createUsers } from '../accounts/users/users.ts';
import {
  listedSession,
  type ListedSession,
  createActiveSessions,
} from '../accounts/sessions/active-sessions.ts';
import { createRevocations } from '../accounts/sessions/revocations.ts';
import { createSessionRegistry, type Place } from '../accounts/sessions/last-seen.ts';
import { endSession } from '../accounts/sessions/sessions.ts';
import { unconditional } from '../store/permit.ts';
import { askWhatToKeep, endedInWords, withKeepOptions, type KeepOptions } from './ask-what-to-keep.ts';
import type { CommandContext } from './frame/command.ts';
import { listCommand } from './frame/list-command.ts';
import { localTime } from './frame/output.ts';
import { type StoreWork, onStore, openKeptActivity } from './frame/on-store.ts';

export function sessionsCommand(context: CommandContext): Command {
  /** Without the activity database: even when that is damaged, a user's sessions can be ended. */
  const endAll = (user: string, options: KeepOptions) =>
    onStore(context, async ({ store, clock, record, say }) => {
      const keep = await askWhatToKeep({ store, clock }, user, options);
      const { ended } = await createUsers(store, clock).endSessions(user, unconditional, { keep });
      record({ event: 'session_ended', object: user, detail: ended });
      say(`ended every session of ${user}${endedInWords(ended)}`);
    });

  const endOne = (id: string) =>
    onStore(context, async (work) => {
      const { activeSessions, close } = await openActiveSessions(work);
      try {
        const found = await activeSessions.find(id);
        if (found === undefined) throw new Error('No such session: postern sessions list shows their ids');
        await activeSessions.end(found, unconditional);
        work.record({ event: 'session_ended', object: found.username, detail: { session: id } });
        work.say(`ended a session of ${found.username}`);
      } finally {
        await close();
      }
    });

  return new Command('sessions')
    .description('manages the sessions')
    .addCommand(
      listCommand(context, {
        description: 'lists the active sessions: id, user, signed in, last seen, address and client',
        byUser: true,
        find: findSessions,
        cells,
      }),
    )
    .addCommand(
      withKeepOptions(
        new Command('end')
          .description('ends one session, or all of a user with the API tokens and shares')
          .argument('[id]', 'the id of the session, from sessions list')
          .option('--user <name>', 'every session of this user'),
      ).action(
        async (id: string | undefined, { user, ...keep }: KeepOptions & { readonly user?: string }) => {
          if (id !== undefined && user === undefined) await endOne(id);
          else if (id === undefined && user !== undefined) await endAll(user, keep);
          else throw new Error('the id of a session or --user is needed, not both');
        },
      ),
    );
}

/** With the activity database, which has to be closed afterwards. */
async function openActiveSessions({ store, clock, keeping, configuration }: StoreWork) {
  const activity = await openKeptActivity(keeping);
  const ignored = () => undefined;
  const registry = createSessionRegistry({
    activity,
    clock,
    onFault: ignored,
    onRecovery: ignored,
  });
  const revocations = createRevocations(store, clock);
  const { sessionLength } = configuration.auth;
  const sessions = { end: endSession({ revocations, sessionLength, clock }) };
  const users = createUsers(store, clock);
  return {
    activeSessions: createActiveSessions({ registry, revocations, sessions, users }),
    close: async () => {
      await registry.close();
      await activity.destroy();
    },
  };
}

const pageSize = 500;

async function* findSessions(work: StoreWork, username: string | undefined) {
  const { activeSessions, close } = await openActiveSessions(work);
  try {
    let before: Place | undefined;
    do {
      const { sessions, next } = await activeSessions.list({ username, before, limit: pageSize });
      for (const session of sessions) yield listedSession(session);
      before = next;
    } while (before !== undefined);
  } finally {
    await close();
  }
}

function cells(listed: ListedSession): readonly string[] {
  const times = [listed.began_at, listed.last_seen_at].map((time) => localTime(time * 1000));
  return [listed.id, listed.username, ...times, listed.address ?? '-', listed.agent ?? '-'];
}
