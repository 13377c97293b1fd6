import { Command } from 'commander';
import { createUsers } from '../accounts/users.ts';
import { loadConfiguration } from '../config/load.ts';
import { AppError } from '../errors.ts';
import { createLiveSessions, type LiveSessions } from '../sessions/live-sessions.ts';
import { createRevocations } from '../sessions/revocations.ts';
import { createSessionRegistry, type Place, type SeenSession } from '../sessions/session-registry.ts';
import { endSession } from '../sessions/sessions.ts';
import { activityPath, openActivity, openStore, storePath, type Store } from '../store/store.ts';
import { print, type CommandContext } from './context.ts';

interface StoreWork {
  readonly store: Store;
  /** Configuration directory. */
  readonly directory: string;
  /** Seconds. */
  readonly sessionLength: number;
  /** Tells what was done, once it is done. */
  readonly say: (line: string) => void;
}

// Milliseconds to wait for the server, whose writes take some.
const lockTimeout = 5_000;

const now = () => Date.now() / 1000;

export function sessionsCommand(context: CommandContext): Command {
  const withStore = async (work: (surroundings: StoreWork) => Promise<void>) => {
    const { configuration, directory } = loadConfiguration(context.environment, context.root);
    const store = await openStore(storePath(directory), lockTimeout);
    const lines: string[] = [];
    try {
      const { sessionLength } = configuration.auth;
      await work({ store, directory, sessionLength, say: (line) => lines.push(line) });
    } finally {
      await store.destroy();
    }
    // A running server sees the change within a millisecond; by now that has passed.
    for (const line of lines) print(line);
  };

  const withSessions = (work: (liveSessions: LiveSessions, say: StoreWork['say']) => Promise<void>) =>
    withStore(async ({ store, directory, sessionLength, say }) => {
      const activity = await openActivity(activityPath(directory), lockTimeout);
      const registry = createSessionRegistry({
        activity,
        now,
        onFault: () => undefined,
        onRecovery: () => undefined,
      });
      const revocations = createRevocations(store, now);
      const sessions = { end: endSession({ revocations, sessionLength, now }) };
      try {
        await work(
          createLiveSessions({ registry, revocations, sessions, users: createUsers(store, now) }),
          say,
        );
      } finally {
        await registry.close();
        await activity.destroy();
      }
    });

  /** Without the activity database: whatever is wrong with it, a user's sessions can be ended. */
  const endAll = (user: string) =>
    withStore(async ({ store, say }) => {
      await createUsers(store, now).endSessions(user);
      say(`ended every session of ${user}`);
    });

  const endOne = (id: string) =>
    withSessions(async (liveSessions, say) => {
      const found = await liveSessions.find(id);
      if (found === undefined) throw new AppError('session_unknown');
      await liveSessions.end(found);
      say(`ended a session of ${found.username}`);
    });

  return new Command('sessions')
    .description('lists live sessions, and ends them')
    .allowExcessArguments(false)
    .addCommand(
      new Command('list')
        .description('lists who is logged in, seen last first')
        .option('--user <name>', 'of this user alone')
        .option('--json', 'prints a JSON object for each session, one a line')
        .action(({ user, json }: { user?: string; json?: true }) =>
          withSessions(async (liveSessions, say) => {
            for await (const session of all(liveSessions, user))
              say(json === undefined ? lineOf(session) : JSON.stringify(recordOf(session)));
          }),
        ),
    )
    .addCommand(
      new Command('end')
        .description('ends one session, or all of a user')
        .argument('[id]', 'of the session, as sessions list says it')
        .option('--user <name>', 'every session of this user')
        .action(async (id: string | undefined, { user }: { user?: string }) => {
          if (id !== undefined && user === undefined) await endOne(id);
          else if (id === undefined && user !== undefined) await endAll(user);
          else throw new Error('the id of a session or --user is needed, not both');
        }),
    );
}

const pageSize = 500;

async function* all(liveSessions: LiveSessions, username: string | undefined) {
  let before: Place | undefined;
  do {
    const { sessions, next } = await liveSessions.list({ username, before, limit: pageSize });
    yield* sessions;
    before = next;
  } while (before !== undefined);
}

function lineOf({ id, username, beganAt, lastSeenAt, address, agent }: SeenSession): string {
  const times = [beganAt, lastSeenAt].map((seconds) => new Date(seconds * 1000).toISOString());
  return [id, username, ...times, address ?? '-', agent ?? '-'].join('\t');
}

/** As `GET /api/sessions` shows it. */
function recordOf({ id, username, beganAt, lastSeenAt, expiresAt, address, agent }: SeenSession): object {
  return {
    id,
    username,
    began_at: beganAt,
    last_seen_at: lastSeenAt,
    expires_at: expiresAt,
    address,
    agent,
  };
}
