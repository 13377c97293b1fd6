import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readFrigate } from '../../../src/adopt/frigate-directory.ts';
import { planAdoption, type Own, type Wishes } from '../../../src/adopt/plan.ts';
import { parseTrustedHeaders } from '../../../src/config/trusted-headers-file.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

/** Cameras of the sample's events. */
export const cameras = 'cameras: {front_door: {}, back_yard: {}, garage: {}, side_yard: {}, driveway: {}}\n';

/** A file of each release, with accounts. */
export const files = {
  '0.16': `version: 0.16-0\n${cameras}tls: {enabled: true}\n`,
  '0.17': `version: 0.17-0 # by Frigate\n${cameras}\nauth:\n  enabled: true # people\n  roles:\n    operator: [garage, driveway]\n`,
  '0.18': `version: 0.18-0\n${cameras}auth: {roles: {operator: [garage, driveway]}}\nnetworking: {listen: {external: 0.0.0.0:9971, internal: 5001}}\n`,
} as const;

/** @returns a new directory as Frigate has it, with the sample's users */
export function frigateDirectory(text: string, name = 'config.yml'): string {
  const directory = join(temporaryDirectory(), 'frigate');
  mkdirSync(directory);
  writeFileSync(join(directory, name), text, { mode: 0o640 });
  copyFileSync(join(projectRoot, 'test', 'support', 'recorder.db'), join(directory, 'frigate.db'));
  return directory;
}

/** Replaces the users of a directory, as a release has them. */
export function replaceUsers(
  directory: string,
  columns: string,
  ...rows: ReadonlyArray<readonly string[]>
): void {
  const path = join(directory, 'frigate.db');
  writeFileSync(path, '');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE user (${columns})`);
  for (const row of rows)
    database.prepare(`INSERT INTO user VALUES (${row.map(() => '?').join(', ')})`).run(...row);
  database.close();
}

export function changeDatabase(directory: string, sql: string): void {
  const database = new DatabaseSync(join(directory, 'frigate.db'));
  database.exec(sql);
  database.close();
}

const list = join(projectRoot, 'proxy_trusted_headers.conf');
const headers = `proxy_set_header X-Proxy-Secret $http_x_proxy_secret;\nproxy_set_header Remote-User $http_remote_user;\nproxy_set_header Remote-Groups $http_remote_groups;\n`;

/** Postern without a configuration. */
export function ownPlace(given: Partial<Own> = {}): Own {
  return {
    directory: join(temporaryDirectory(), 'postern'),
    text: undefined,
    users: [],
    environment: {},
    owner: '1000:101',
    headers: { file: list, text: headers, names: parseTrustedHeaders(headers, list) },
    ...given,
  };
}

export const secret = 'a-new-secret';
export const schema = '{"of": "config.yml"}\n';

export function planOf(directory: string, own = ownPlace(), wishes: Partial<Wishes> = {}) {
  return planAdoption(readFrigate(directory, undefined), own, {
    writeFrigate: false,
    upstream: undefined,
    timeZone: undefined,
    newSecret: secret,
    schema,
    ...wishes,
  });
}
