import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { clockAt } from './clock-at.ts';
import { projectRoot, type GatewayOptions } from './start-gateway.ts';

const fixtures = join(projectRoot, 'test', 'support', 'earlier-stores');

/** What belongs to the database of an earlier release: test/support/earlier-stores/README.md says how it is made. */
export interface EarlierStore {
  readonly passwords: Readonly<Record<string, string>>;
  readonly generatedPassword: string;
  /** By whose it is, or what became of it. */
  readonly tokens: Readonly<Record<string, string>>;
  /** What a gateway needs for the tokens to be good: their secret, and the time right after they were issued. */
  readonly gatewayOptions: Pick<GatewayOptions, 'environment' | 'clock'>;
}

interface Description extends Omit<EarlierStore, 'gatewayOptions'> {
  /** When it was made. */
  readonly at: string;
  readonly secret: string;
}

export function hasEarlierStore(version: number): boolean {
  return existsSync(join(fixtures, `v${version}.sql`));
}

export function hasEarlierActivity(version: number): boolean {
  return existsSync(join(fixtures, `activity-v${version}.sql`));
}

/** Puts the activity database of an earlier release into a configuration directory. @param version of its schema */
export function putEarlierActivity(version: number, directory: string): void {
  put(`activity-v${version}.sql`, join(directory, 'activity.db'));
}

/** Puts the database of an earlier release into a configuration directory. @param version of its schema */
export function putEarlierStore(version: number, directory: string): EarlierStore {
  put(`v${version}.sql`, join(directory, 'postern.db'));
  const { at, secret, ...store } = JSON.parse(
    readFileSync(join(fixtures, `v${version}.json`), 'utf8'),
  ) as Description;
  const clock = clockAt(Date.parse(at) + 1_000);
  return { ...store, gatewayOptions: { environment: { SERVICE_JWT_SECRET: secret }, clock } };
}

function put(statements: string, path: string): void {
  const file = new DatabaseSync(path);
  file.exec('PRAGMA journal_mode = WAL');
  file.exec(readFileSync(join(fixtures, statements), 'utf8'));
  file.close();
}
