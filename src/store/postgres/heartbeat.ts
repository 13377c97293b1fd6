import type { ClientConfig } from 'pg';
import type { Clock } from '../../clock.ts';
import { Client, PostgresError, postgresError } from './client.ts';
import { requireOwnStore } from './migrate-postgres.ts';

/** The latest change, by any process, that this one knows of. An unknown number is NaN, which equals nothing. */
export interface Heartbeat {
  /** Stays the same while nothing that may be remembered has changed. */
  version(): number;
  /** Stays the same while no custom role has changed. */
  rolesVersion(): number;
  /** When the question answered last was sent, by `elapsed`. */
  knownAt(): number;
  /** Forgets the versions: a change of this process begins, or ends with an unknown result. */
  forget(): void;
  /** Called when an account was read together with `roles` of the counters. */
  sawRoles(roles: number): void;
  /** Called when a change of this process was committed. */
  changed(to: Counters): void;
  close(): Promise<void>;
}

/** The one row of `store_version`. */
export interface Counters {
  /** Raised by each change. */
  readonly version: number;
  /** The `version` of the last change to a custom role. */
  readonly roles: number;
}

interface HeartbeatAnswer extends Counters {
  /** The server accepts no changes. */
  readonly standby: boolean;
}

export interface HeartbeatOptions {
  readonly config: ClientConfig;
  /** Asks the same on another connection. It settles in a bounded time. */
  readonly askElsewhere?: (question: string) => Promise<readonly HeartbeatAnswer[]>;
  /** Called whenever its connection is lost. */
  readonly onLost: () => void;
  /** Called when it stops, once per cause, and when it resumes. */
  readonly onTrouble: (error: Error) => void;
  readonly onRecovery: () => void;
  /** Milliseconds that never go back. */
  readonly elapsed?: () => number;
  /** Keeps running while a machine sleeps, when the other clock may stop. */
  readonly clock: Clock;
}

/** The channel of `NOTIFY`; a message is `version` and `roles`, separated by a space. */
export const channel = 'postern_changes';

/** Each process that works with the store holds it as a shared lock: a process that gets it exclusively is alone. */
export const presenceLock = 7_065_163_001;

/** Milliseconds for which an answer is valid, counted from the question. */
const goodFor = 1_000;

/** Milliseconds after which a silent connection is given up; until then it may just be slow. */
const lostAfter = 3_000;

// Milliseconds between two questions: short enough to make up for a late or lost one.
const interval = 250;

/** Milliseconds after which the question is sent on another connection too: a lost packet delays only one of them. */
const late = 200;

const question = 'SELECT version, roles, pg_is_in_recovery() AS standby FROM store_version';

/**
 * Asks for the counters several times a second, on its own connection, and listens for changes in between. An answer is valid
 * for one second from when it was *requested*, because it may have been on its way for long.
 * @throws StoreError when it cannot begin
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { config, askElsewhere, onLost, onTrouble, onRecovery, clock } = options;
  const { elapsed = () => performance.now() } = options;
  let asked = { at: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  let counters: Counters = { version: 0, roles: 0 };
  // Independent of the counters: it never repeats an earlier number.
  let version = 0;
  let rolesVersion = 0;
  /** Troubles reported since it stopped. */
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
  /** A lower number is older: it was on its way while something changed. */
  const accept = (received: Counters) => {
    if (received.version <= counters.version) return;
    forget();
    if (received.roles !== counters.roles) rolesVersion += 1;
    counters = received;
  };

  /** Remembered values may be from another store: after a failover or a restored backup. */
  const takeOver = (found: Counters) => {
    forget();
    rolesVersion += 1;
    counters = found;
  };

  const askBy = async (put: (question: string) => Promise<readonly HeartbeatAnswer[]>, isFirst: boolean) => {
    const sent = { at: elapsed(), wall: clock.now() };
    const { version: before } = counters;
    const [found] = await put(question);
    if (found === undefined) throw new PostgresError('PostgreSQL: store_version is empty');
    if (found.standby) throw new PostgresError('PostgreSQL: it is a read-only copy of another server');
    // Immediately, because the answer counts from then. A lower version means another store, or a notification that someone else
    // sent.
    if (isFirst || found.version < before) takeOver(found);
    else accept(found);
    if (sent.at > asked.at) asked = sent;
  };

  const ask = async (on: Client, isFirst: boolean): Promise<void> => {
    const giveUp = setTimeout(() => on.cut(), lostAfter);
    try {
      await askBy(async (text) => (await on.query<HeartbeatAnswer>(text)).rows, isFirst);
    } finally {
      clearTimeout(giveUp);
    }
  };

  /** @returns cancels it */
  const askElsewhereWhenLate = (): (() => void) => {
    let isAsking = false;
    const again = setInterval(() => {
      // While its own connection is reopened, another one may lead to a different server.
      if (isAsking || client === undefined || askElsewhere === undefined) return;
      isAsking = true;
      // Errors are reported by its own connection.
      void askBy(askElsewhere, false)
        .catch(() => undefined)
        .finally(() => (isAsking = false));
    }, late).unref();
    return () => clearInterval(again);
  };

  const connect = async (): Promise<Client> => {
    const made = new Client(config);
    made.on('notification', ({ payload = '' }) => {
      const [received = Number.NaN, roles = Number.NaN] = payload.split(' ').map(Number);
      if (made === client) accept({ version: received, roles });
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
    const cancelLateQuestion = askElsewhereWhenLate();
    let pause = interval;
    try {
      if (client === undefined) client = await connect();
      else await ask(client, false);
      if (troubles.size > 0) onRecovery();
      troubles.clear();
    } catch (error) {
      // Streams end when the versions stay unknown for much longer.
      if (client !== undefined) pause = 0;
      client?.cut();
      client = undefined;
      if (isClosed) return;
      onLost();
      const trouble = postgresError(error);
      if (!troubles.has(trouble.message)) onTrouble(trouble);
      troubles.add(trouble.message);
    } finally {
      cancelLateQuestion();
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
      accept(to);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      // Does not wait for a server that does not answer.
      const late = setTimeout(() => last?.cut(), goodFor).unref();
      await last?.end().catch(() => undefined);
      clearTimeout(late);
    },
  };
}
