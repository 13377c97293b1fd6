/**
 * Reads a pipe in place of each file that the gate and its commands read, and prints a line for each. A read that waits holds this
 * process: run it as one that can be killed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findJwtSecret } from '../../src/accounts/sessions/jwt-secret.ts';
import { readRecorderUsers } from '../../src/accounts/users/import-users.ts';
import { readFrigate } from '../../src/adopt/frigate-directory.ts';
import { createConfigurationFile } from '../../src/config/configuration-file.ts';
import { readHousePicture } from '../../src/config/house-picture.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { storeKeyOf } from '../../src/config/resolve-store.ts';
import { findRecorderDatabase } from '../../src/events/find-recorder-database.ts';
import { recorderDatabaseFault } from '../../src/events/recorder-database.ts';
import { findCertificate, selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { keepMadeRoles } from '../../src/recorder/role-changes.ts';
import { readRecorderCertificate } from '../../src/recorder/upstream-pool.ts';
import { makeBackup } from '../../src/store/backup/make-backup.ts';
import { readBackup } from '../../src/store/backup/contents.ts';
import { pendingPlan } from '../../src/store/backup/replacement.ts';
import { openActivity, openStore, readUserRoles } from '../../src/store/sqlite/open-store.ts';
import { claimDirectory } from '../../src/store/sqlite/directory-lock.ts';
import { programDirectory } from '../../src/version.ts';

interface Place {
  /** Name of the pipe, below a new directory. */
  readonly pipe: string;
  readonly read: (directory: string, pipe: string) => unknown;
  /** Runs first, while the pipe is not there yet. */
  readonly before?: (directory: string) => unknown;
}

const text = (directory: string, name: string, content: string) => {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), content);
};
const here = (directory: string) => ({
  SERVICE_CONFIG_DIR: directory,
  CREDENTIALS_DIRECTORY: join(directory, 'secrets'),
  SERVICE_OPTIONS_FILE: join(directory, 'options.json'),
});
const load = (directory: string) => loadConfiguration(here(directory), programDirectory);
const jwtSecret = (directory: string) => findJwtSecret(here(directory), directory);
const store = async (directory: string) => (await openStore(join(directory, 'postern.db'), 100)).destroy();
const edit = (directory: string) => createConfigurationFile(directory, () => () => undefined);
const files = (directory: string) => ({
  certificate: join(directory, 'cert.pem'),
  key: join(directory, 'key.pem'),
});
const certificate = (directory: string) =>
  findCertificate(files(directory), directory, { now: Date.now() }, () => undefined);
const backup = (directory: string) =>
  makeBackup(
    { directory, trustedHeadersFile: join(directory, 'trusted.conf'), tlsFiles: undefined },
    join(directory, 'backups'),
    0,
    'test',
  );
const frigate = (directory: string) => readFrigate(directory, undefined);
const frigateFile = 'cameras: {front: {ffmpeg: {inputs: []}}}\n';

const places: Readonly<Record<string, Place>> = {
  'config.yml': { pipe: 'config.yml', read: load },
  'config.yml, to edit it': { pipe: 'config.yml', read: (at) => edit(at).check(() => undefined) },
  'config.yml.new': {
    pipe: 'config.yml.new',
    read: (at) => edit(at).change('settings changed', () => undefined),
  },
  'trusted headers': {
    pipe: 'trusted.conf',
    read: (at, pipe) =>
      loadConfiguration({ ...here(at), SERVICE_TRUSTED_HEADERS_FILE: pipe }, programDirectory),
  },
  'secret file': { pipe: 'secrets/SERVICE_JWT_SECRET', read: jwtSecret },
  'key of the store': { pipe: 'secrets/SERVICE_STORE_KEY', read: (at) => storeKeyOf(here(at)) },
  'options file': { pipe: 'options.json', read: jwtSecret },
  '.jwt_secret': { pipe: '.jwt_secret', read: jwtSecret },
  certificate: { pipe: 'cert.pem', read: certificate },
  key: { pipe: 'key.pem', read: certificate, before: (at) => text(at, 'cert.pem', '') },
  'self-signed certificate': {
    pipe: 'tls/self-signed.pem',
    before: (at) => text(at, 'tls/self-signed.key', ''),
    read: async (at) => void (await selfSignedCertificate(at, Date.now())),
  },
  "recorder's certificate": { pipe: 'recorder.pem', read: (_, pipe) => readRecorderCertificate(pipe) },
  'picture of the house': { pipe: 'house.png', read: (at) => readHousePicture(at, 'house.png') },
  'roles at the recorder': {
    pipe: 'recorder-roles.json',
    read: async (_, pipe) => void (await keepMadeRoles(pipe, () => undefined).at('here')),
  },
  'postern.db': { pipe: 'postern.db', read: store },
  'postern.db-wal': { pipe: 'postern.db-wal', read: store },
  'postern.db-journal': { pipe: 'postern.db-journal', before: store, read: store },
  'postern.db, for its users': { pipe: 'postern.db', read: (_, pipe) => void readUserRoles(pipe) },
  'activity.db': { pipe: 'activity.db', read: async (_, pipe) => (await openActivity(pipe, 100)).destroy() },
  'postern.lock': { pipe: 'postern.lock', read: claimDirectory },
  "recorder's database": {
    pipe: 'frigate.db',
    read: (_, pipe) => {
      throw new Error(recorderDatabaseFault(pipe));
    },
  },
  "recorder's database, to find it": { pipe: 'frigate.db', read: (at) => void findRecorderDatabase(at, []) },
  "recorder's database, for its users": { pipe: 'frigate.db', read: (_, pipe) => readRecorderUsers(pipe) },
  "adopt: Frigate's file": { pipe: 'config.yml', read: frigate },
  "adopt: Frigate's database": {
    pipe: 'frigate.db',
    before: (at) => text(at, 'config.yml', frigateFile),
    read: frigate,
  },
  'backup: config.yml': { pipe: 'config.yml', before: store, read: backup },
  'backup: .jwt_secret': { pipe: '.jwt_secret', before: store, read: backup },
  'backup: postern.db': { pipe: 'postern.db', read: backup },
  'restore: manifest': { pipe: 'manifest.json', read: readBackup },
  'restore: its plan': { pipe: 'restore.pending/plan.json', read: pendingPlan },
};

for (const [name, { pipe, before, read }] of Object.entries(places)) {
  const directory = mkdtempSync(join(tmpdir(), 'postern-pipes-'));
  const path = join(directory, pipe);
  let message = 'went on without it';
  try {
    await before?.(directory);
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    execFileSync('mkfifo', [path]);
    process.stdout.write(`${name}: `);
    await read(directory, path);
  } catch (error) {
    const { cause } = error as Error;
    message = [error, cause].map((one) => (one instanceof Error ? one.message : '')).join(' ');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  process.stdout.write(`${message.replaceAll(directory, '').replaceAll('\n', ' ')}\n`);
}
