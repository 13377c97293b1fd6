import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { createUsers } from '../accounts/users.ts';
import { listedSession } from '../sessions/listed-session.ts';
import { createActiveSessions, type ActiveSessions } from '../sessions/active-sessions.ts';
import { createRevocations } from '../sessions/revocations.ts';
import { createSessionRegistry, type Place, type SeenSession } from '../sessions/last-seen.ts';
import { endSession } from '../sessions/sessions.ts';
import { unconditional } from '../store/permit.ts';
import { askWhatToKeep, endedInWords, withKeepOptions, type KeepOptions } from './ask-what-to-keep.ts';
import type { CommandContext } from './context.ts';
import { localTime } from './local-time.ts';
import { onActivity } from './on-activity.ts';
import { onStore, type StoreWork } from './on-store.ts';

export function sessionsCommand(context: CommandContext): Command {
  const withSessions = (
    work: (activeSessions: ActiveSessions, output: Pick<StoreWork, 'record' | 'say'>) => Promise<void>,
  ) =>
    onStore(context, async ({ store, keeping, configuration, record, say }) => {
      const { sessionLength } = configuration.auth;
      await onActivity(keeping, async (activity) => {
        const registry = createSessionRegistry({
          activity,
          clock: systemClock,
          onFault: () => undefined,
          onRecovery: () => undefined,
        });
        const revocations = createRevocations(store, systemClock);
        const sessions = { end: endSession({ revocations, sessionLength, clock: systemClock }) };
        const users = createUsers(store, systemClock);
        try {
          await work(createActiveSessions({ registry, revocations, sessions, users }), { record, say });
        } finally {
          await registry.close();
        }
      });
    });

  /** Without the activity database: whatever is wrong with it, a user's sessions can be ended. */
  const endAll = (user: string, options: KeepOptions) =>
    onStore(context, async ({ store, record, say }) => {
      const keep = await askWhatToKeep(store, user, options);
      const { ended } = await createUsers(store, systemClock).endSessions(user, unconditional, { keep });
      record({ event: 'session_ended', object: user, detail: ended });
      say(`ended every session of ${user}${endedInWords(ended)}`);
    });

  const endOne = (id: string) =>
    withSessions(async (activeSessions, { record, say }) => {
      const found = await activeSessions.find(id);
      if (found === undefined)
        throw new Error('There is no such session: postern sessions list shows their ids');
      await activeSessions.end(found, unconditional);
      record({ event: 'session_ended', object: found.username, detail: { session: id } });
      say(`ended a session of ${found.username}`);
    });

  return new Command('sessions')
    .description('manages the sessions')
    .allowExcessArguments(false)
    .addCommand(
      new Command('list')
        .description('lists the active sessions: id, user, logged in, last seen, address and client')
        .option('--user <name>', 'of this user only')
        .option('--json', 'prints one JSON object a line')
        .action(({ user, json }: { user?: string; json?: true }) =>
          withSessions(async (activeSessions, { say }) => {
            for await (const session of all(activeSessions, user))
              say(json === undefined ? lineOf(session) : JSON.stringify(listedSession(session)));
          }),
        ),
    )
    .addCommand(
      withKeepOptions(
        new Command('end')
          .description('ends one session, or all of a user with the API tokens and shares')
          .argument('[id]', 'of the session, as sessions list says it')
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

const pageSize = 500;

async function* all(activeSessions: ActiveSessions, username: string | undefined) {
  let before: Place | undefined;
  do {
    const { sessions, next } = await activeSessions.list({ username, before, limit: pageSize });
    yield* sessions;
    before = next;
  } while (before !== undefined);
}

function lineOf({ id, username, beganAt, lastSeenAt, address, agent }: SeenSession): string {
  const times = [beganAt, lastSeenAt].map(localTime);
  return [id, username, ...times, address ?? '-', agent ?? '-'].join('\t');
}
