import type { ClientConfig } from 'pg';
import type { Clock } from '../../clock.ts';
import { Client, PostgresError, postgresError } from './client.ts';
import { requireOwnStore } from './migrate-postgres.ts';

/** What is known of the changes that all processes make; a number that is not known is NaN, which is equal to nothing. */
export interface Heartbeat {
  /** Stays the same while nothing has changed that is remembered. */
  version(): number;
  /** Stays the same while no custom role has changed. */
  rolesVersion(): number;
  /** When the question was sent that was answered last, by `elapsed`. */
  knownAt(): number;
  /** Forgets what is remembered: a change of this process begins, or ends without saying how. */
  forget(): void;
  /** Whoever read an account has read beside it what `roles` of the counters is. */
  sawRoles(roles: number): void;
  /** A change of this process was committed. */
  changed(to: Counters): void;
  close(): Promise<void>;
}

/** The one row of `store_version`. */
export interface Counters {
  /** Raised by each change. */
  readonly version: number;
  /** The `version` that has last changed a custom role. */
  readonly roles: number;
}

interface Answer extends Counters {
  /** The server takes no changes. */
  readonly standby: boolean;
}

export interface HeartbeatOptions {
  readonly config: ClientConfig;
  /** Asks the same on another connection. It settles in a bounded time. */
  readonly askElsewhere?: (question: string) => Promise<readonly Answer[]>;
  /** Told whenever its connection is lost. */
  readonly onLost: () => void;
  /** Told when it stops, once of each cause, and when it goes on. */
  readonly onTrouble: (error: Error) => void;
  readonly onRecovery: () => void;
  /** Milliseconds that never go back. */
  readonly elapsed?: () => number;
  /** It goes on while a machine sleeps, when the other may stand still. */
  readonly clock: Clock;
}

/** The channel of `NOTIFY`; what is said there is `version` and `roles`, by a blank. */
export const channel = 'postern_changes';

/** Held, shared, by each process that works with the store: whoever can have it alone is alone. */
export const presenceLock = 7_065_163_001;

/** Milliseconds for which an answer is good, from the moment of asking. */
const goodFor = 1_000;

/** Milliseconds after which a connection that does not answer is given up; until then a slow one may be alive. */
const lostAfter = 3_000;

// Milliseconds between two questions, so that a late or lost one is made up for.
const interval = 250;

/** Milliseconds after which the question is asked on another connection too: a lost packet holds up one of them. */
const late = 200;

const question = 'SELECT version, roles, pg_is_in_recovery() AS standby FROM store_version';

/**
 * Asks several times a second, on a connection of its own, what the counters are, and listens for changes in between. What it
 * heard is good for one second from the moment when it *asked*: an answer may have been on its way for long.
 * @throws StoreError when it cannot begin
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { config, askElsewhere, onLost, onTrouble, onRecovery, clock } = options;
  const { elapsed = () => performance.now() } = options;
  let asked = { at: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  let counters: Counters = { version: 0, roles: 0 };
  // Whatever the counters are: it never comes back to a number that it had.
  let version = 0;
  let rolesVersion = 0;
  /** What was told since it stopped. */
  const troubles = new Set<string>();
  let isClosed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const isKnown = () => {
    const wall = clock.now() - asked.wall;
    return elapsed() - asked.at < goodFor && wall < goodFor && wall > -goodFor;
  };
  const forget = () => {
    version += 1;
  };
  /** What is lower was on its way while something changed. */
  const hear = (heard: Counters) => {
    if (heard.version <= counters.version) return;
    forget();
    if (heard.roles !== counters.roles) rolesVersion += 1;
    counters = heard;
  };

  /** Whatever was known may be of another store: another server has taken over, or a backup has come back. */
  const takeOver = (found: Counters) => {
    forget();
    rolesVersion += 1;
    counters = found;
  };

  const askBy = async (put: (question: string) => Promise<readonly Answer[]>, isFirst: boolean) => {
    const sent = { at: elapsed(), wall: clock.now() };
    const { version: before } = counters;
    const [found] = await put(question);
    if (found === undefined) throw new PostgresError('PostgreSQL: store_version is empty');
    if (found.standby) throw new PostgresError('PostgreSQL: it is a read-only copy of another server');
    // In the very moment from which the answer counts. A lower version means another store, or a notification that someone else sent.
    if (isFirst || found.version < before) takeOver(found);
    else hear(found);
    if (sent.at > asked.at) asked = sent;
  };

  const ask = async (on: Client, isFirst: boolean): Promise<void> => {
    const giveUp = setTimeout(() => on.cut(), lostAfter);
    try {
      await askBy(async (text) => (await on.query<Answer>(text)).rows, isFirst);
    } finally {
      clearTimeout(giveUp);
    }
  };

  /** @returns ends it */
  const askElsewhereWhenLate = (): (() => void) => {
    let isAsking = false;
    const again = setInterval(() => {
      // While its own connection is being made, an answer may be another server's.
      if (isAsking || client === undefined || askElsewhere === undefined) return;
      isAsking = true;
      // Its own connection says what is wrong.
      void askBy(askElsewhere, false)
        .catch(() => undefined)
        .finally(() => (isAsking = false));
    }, late).unref();
    return () => clearInterval(again);
  };

  const connect = async (): Promise<Client> => {
    const made = new Client(config);
    made.on('notification', ({ payload = '' }) => {
      const [heard = Number.NaN, roles = Number.NaN] = payload.split(' ').map(Number);
      if (made === client) hear({ version: heard, roles });
    });
    const late = setTimeout(() => made.cut(), 2 * lostAfter);
    try {
      await made.connect();
      await made.query(`LISTEN ${channel}`);
      await made.query('SELECT pg_advisory_lock_shared($1)', [presenceLock]);
      await requireOwnStore(made);
      await ask(made, true);
      return made;
    } catch (error) {
      made.cut();
      throw postgresError(error);
    } finally {
      clearTimeout(late);
    }
  };

  const beat = async () => {
    const isInTime = askElsewhereWhenLate();
    let pause = interval;
    try {
      if (client === undefined) client = await connect();
      else await ask(client, false);
      if (troubles.size > 0) onRecovery();
      troubles.clear();
    } catch (error) {
      // Streams end when nothing is known for much longer.
      if (client !== undefined) pause = 0;
      client?.cut();
      client = undefined;
      if (isClosed) return;
      onLost();
      const trouble = postgresError(error);
      if (!troubles.has(trouble.message)) onTrouble(trouble);
      troubles.add(trouble.message);
    } finally {
      isInTime();
    }
    if (isClosed) client?.cut();
    else timer = setTimeout(() => void beat(), pause).unref();
  };

  client = await connect();
  timer = setTimeout(() => void beat(), interval).unref();

  return {
    version: () => (isKnown() ? version : Number.NaN),
    rolesVersion: () => (isKnown() ? rolesVersion : Number.NaN),
    knownAt: () => asked.at,
    forget,
    sawRoles: (roles) => {
      if (roles <= counters.roles) return;
      rolesVersion += 1;
      counters = { ...counters, roles };
    },
    changed: (to) => {
      forget();
      hear(to);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      // A server that does not answer is not waited for.
      const late = setTimeout(() => last?.cut(), goodFor).unref();
      await last?.end().catch(() => undefined);
      clearTimeout(late);
    },
  };
}
