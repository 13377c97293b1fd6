import { camerasByRole } from '../../../policy/role-access.ts';
import type { Configuration } from '../../../config/configuration.ts';
import type { ServerFacts } from '../../../store/postgres/look-at-server.ts';
import { StoreError } from '../../../store/store.ts';
import { finding, info, skipped, type DoctorCheck, type Finding } from '../check.ts';
import type { FilesOfGate } from './examination.ts';

/** The file of `--config` has no problem. */
export const config: DoctorCheck<FilesOfGate> = {
  name: 'config',
  run: async ({ options: { config }, context: { problems, configuration } }) => {
    if (config === undefined) return [skipped('give --config path/of/config.yml')];
    if (problems.length > 0) {
      return problems.map(({ path, found, allowed }) => finding(path, allowed, found, `${path}: ${allowed}`));
    }
    if (configuration === undefined) return [];
    return [
      finding(config, 'no problem', 'no problem', false),
      ...configuration.warnings.map((warning) => info(config, warning)),
      ...unseenCameras(configuration),
    ];
  },
};

function unseenCameras({ cameras, auth, store }: Configuration): Finding[] {
  // A role that was made in the UI may exist there.
  if (store.url !== undefined) return [];
  const granted = [...camerasByRole(auth.roles).values()];
  return (cameras ?? [])
    .filter((camera) => !granted.some((some) => some.has(camera)))
    .map((camera) => info(`cameras.${camera}`, 'only admin and viewer see it: no custom role has it'));
}

/** Milliseconds. Tokens and limits of several gates depend on the clocks of their machines. */
const farApart = 5_000;

/** Gates can share the PostgreSQL at the `store.url` of `--config`. */
export const store: DoctorCheck<FilesOfGate> = {
  name: 'store',
  run: async ({ context: { configuration, clock } }) => {
    const url = configuration?.store.url;
    if (configuration === undefined || url === undefined)
      return [skipped('no store.url in the file of --config: the store is in files')];
    const { lookAtServer } = await import('../../../store/postgres/look-at-server.ts');
    try {
      return findingsOf(await lookAtServer(url, clock.now));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return [finding('a connection to store.url', 'PostgreSQL 15 or later', error.message, 'store.url')];
    }
  },
};

function findingsOf(facts: ServerFacts): readonly Finding[] {
  const { version, mayMakeTables, ahead, doubt, connections, taken, ofProcess } = facts;
  const gates = Math.floor(Math.max(0, connections) / ofProcess);
  return [
    finding('a connection to store.url', 'PostgreSQL 15 or later', `PostgreSQL ${version}`, false),
    finding(
      'the right to make tables',
      'yes',
      mayMakeTables ? 'yes' : 'no',
      !mayMakeTables &&
        'make the user of store.url the owner of the database: ALTER DATABASE ... OWNER TO ...',
    ),
    finding(
      'the clock of the database',
      'within 5 seconds',
      `${(ahead / 1_000).toFixed(1)} seconds ahead`,
      Math.abs(ahead) - doubt > farApart && 'a time service on both machines',
    ),
    finding(
      'connections for gates',
      'for 1',
      `for ${gates}; ${taken} of ${connections} connections are taken by gates now`,
      gates < 1 && 'max_connections in postgresql.conf',
    ),
  ];
}
