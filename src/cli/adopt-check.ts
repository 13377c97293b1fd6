import { connect } from 'node:net';
import { resolve } from 'node:path';
import { systemClock } from '../clock.ts';
import { givenJwtSecret } from '../accounts/sessions/jwt-secret.ts';
import { createUsers } from '../accounts/users/users.ts';
import { linesOf, lookAs, type Visitor } from '../adopt/check.ts';
import { frigateFault, readFrigateNow } from './adopt-fault.ts';
import { readJournal } from '../adopt/files.ts';
import { CannotAdopt, readFrigateFile } from '../adopt/frigate-file.ts';
import type { Configuration } from '../config/configuration.ts';
import { configurationDirectory, loadConfiguration } from '../config/load.ts';
import { accessOfRole } from '../policy/role-access.ts';
import { askRecorderOf } from './ask-recorder.ts';
import type { CommandContext } from './frame/command.ts';
import { onStore } from './frame/on-store.ts';
import { say, withOwnList } from './adopt-frame.ts';
import { readText } from '../config/read-file.ts';

/**
 * Looks at Postern from outside as one user of each role, of those that were imported.
 * @returns whether each sees Frigate's page with its cameras
 * @throws CannotAdopt, ConfigurationError
 */
export async function checkAdoption(url: URL, context: CommandContext): Promise<boolean> {
  const { environment, root } = withOwnList(context);
  const { configuration, directory } = loadConfiguration(environment, root, 'ignored');
  if (!configuration.auth.enabled)
    throw new CannotAdopt(
      'Postern has no accounts of its own here, so a proxy signs people in: open Frigate through that proxy',
    );
  const journal = readJournal(resolve(directory));
  const secret = givenJwtSecret(environment, directory)?.secret;
  if (secret === undefined)
    throw new CannotAdopt(`Postern has not started with ${directory} yet: start it, then check`);
  // A Frigate that does not believe Postern would look like a fault of each user.
  const fault = await faultOf(configuration, journal?.frigate);
  if (fault?.isSure === true) return blame(fault.sentence);
  const names = journal?.users.map(({ username }) => username) ?? [];
  const visitors = await visitorsOf(names, { environment, root });
  const cameras = journal === undefined ? [] : camerasOf(journal.frigate);
  const seen = await Promise.all(
    visitors.map((visitor) =>
      lookAs(visitor, {
        url,
        secret,
        cookieName: configuration.auth.cookieName,
        proxySecret: configuration.proxy.authSecret,
        directory,
        cameras,
        clock: systemClock,
      }),
    ),
  );
  const isGood = seen.length > 0 && !seen.some(({ isFault }) => isFault);
  if (!isGood && fault !== undefined) return blame(fault.sentence);
  say(seen.length === 0 ? ['Postern has no user to look as: import or add one'] : linesOf(seen));
  return isGood;
}

function blame(sentence: string): false {
  say([`FAULT  ${sentence}`]);
  return false;
}

/**
 * Asks Frigate as Postern does.
 * @param path of Frigate's file
 * @returns why it does not believe Postern; unsure where only Postern may reach it. `undefined` when it does
 */
async function faultOf(
  configuration: Configuration,
  path: string | undefined,
): Promise<{ readonly sentence: string; readonly isSure: boolean } | undefined> {
  const says = await askRecorderOf(configuration);
  if (says === undefined) return undefined;
  const sentence = frigateFault({
    says,
    upstream: configuration.upstream ?? '',
    secret: configuration.recorder.authSecret,
    file: path === undefined ? undefined : readFrigateNow(path),
  });
  const isSure = !('fault' in says.read && says.read.fault === 'no_answer');
  return sentence === undefined ? undefined : { sentence, isSure };
}

/** @param names whom to look as; empty: anyone */
async function visitorsOf(names: readonly string[], context: CommandContext): Promise<readonly Visitor[]> {
  const visitors: Visitor[] = [];
  await onStore(context, async ({ store, clock, configuration }) => {
    const users = createUsers(store, clock);
    for (const { username } of await users.list()) {
      const user = names.length === 0 || names.includes(username) ? await users.find(username) : undefined;
      if (user === undefined || user.blocked !== undefined || user.issuer !== undefined) continue;
      if (visitors.some(({ role }) => role === user.role)) continue;
      const { cameras } = accessOfRole(user.role, configuration.auth.roles);
      visitors.push({
        username,
        role: user.role,
        generation: user.generation,
        cameras: cameras === 'all' ? undefined : [...cameras],
      });
    }
  });
  return visitors;
}

/** The cameras of Frigate's file, if it can be read here. */
function camerasOf(path: string): readonly string[] {
  try {
    return readFrigateFile(readText(path), path).cameras;
  } catch {
    return [];
  }
}

/** @returns the address of a Postern on this machine that has started with this configuration; `undefined` if none answers */
export async function runningHere(
  { listen, tls, auth }: Configuration,
  { environment }: CommandContext,
): Promise<URL | undefined> {
  const address = listen.authenticated;
  const directory = configurationDirectory(environment);
  if (!auth.enabled || address === undefined || 'path' in address) return undefined;
  if (givenJwtSecret(environment, directory) === undefined) return undefined;
  const { promise, resolve: answer } = Promise.withResolvers<boolean>();
  const connection = connect({ host: 'localhost', port: address.port, timeout: 1_000 });
  connection.on('connect', () => answer(true));
  connection.on('timeout', () => answer(false));
  connection.on('error', () => answer(false));
  const isThere = await promise;
  connection.destroy();
  return isThere ? new URL(`${tls.enabled ? 'https' : 'http'}://localhost:${address.port}`) : undefined;
}
