import type { ServerFacts } from '../../store/postgres/look-at-server.ts';
import { StoreError } from '../../store/store.ts';
import { fault, ok, skipped, type Finding, type Probe } from './probe.ts';

/** Milliseconds. Tokens and limits of several gates go by the clocks of their machines. */
const farApart = 5_000;

const change =
  '`store.url`: the address, user and password of a PostgreSQL of version 15 or later itself, no copy of it and no pooling proxy in transaction mode; a user that owns the database; `max_connections` of eleven for each process of every gate; and a time service (NTP) on every machine. [growth.md](growth.md) has the steps.';

export const storeProbe: Probe = {
  name: 'store',
  meaning:
    'With `--config` of a gate that has `store.url`: from this machine PostgreSQL can be reached, is of version 15 or later, no read-only copy and behind no pooling proxy in transaction mode; the user may make tables; its clock is no more than 5 seconds away from this one; and for the processes of this gate there are connections.',
  change,
  run: async ({ context: { configuration, clock } }) => {
    const url = configuration?.store.url;
    if (configuration === undefined || url === undefined)
      return [skipped('no store.url in the file of --config: the store is in files')];
    const { lookAtServer } = await import('../../store/postgres/look-at-server.ts');
    try {
      return findings(await lookAtServer(url, clock.now), configuration.server.workers);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return [fault('a connection to store.url', 'PostgreSQL 15 or later', error.message, 'store.url')];
    }
  },
};

function findings(facts: ServerFacts, workers: number): readonly Finding[] {
  const { version, mayMakeTables, ahead, doubt, connections, taken, ofProcess } = facts;
  const processes = Math.floor(Math.max(0, connections) / ofProcess);
  // The primary of several has a store of its own.
  const needed = workers === 1 ? 1 : workers + 1;
  const seconds = `${(ahead / 1_000).toFixed(1)} seconds ahead`;
  const room = `for ${processes}; ${taken} of ${connections} connections are taken by gates now`;
  return [
    ok('a connection to store.url', 'PostgreSQL 15 or later', `PostgreSQL ${version}`),
    mayMakeTables
      ? ok('the right to make tables', 'yes', 'yes')
      : fault(
          'the right to make tables',
          'yes',
          'no',
          'make the user of store.url the owner of the database: ALTER DATABASE ... OWNER TO ...',
        ),
    Math.abs(ahead) - doubt > farApart
      ? fault('the clock of the database', 'within 5 seconds', seconds, 'a time service on both machines')
      : ok('the clock of the database', 'within 5 seconds', seconds),
    processes < needed
      ? fault('connections for processes', `for ${needed}`, room, 'max_connections in postgresql.conf')
      : ok('connections for processes', `for ${needed}`, room),
  ];
}
