import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../clock.ts';
import { createUsers } from '../accounts/users/users.ts';
import { closeJournal, filesToWrite, readJournal, requireWritable, writeFiles } from '../adopt/files.ts';
import { isSameDirectory, readFrigate } from '../adopt/frigate-directory.ts';
import { CannotAdopt } from '../adopt/frigate-file.ts';
import { planAdoption, weakKeys, type Own, type Plan, type Wishes } from '../adopt/plan.ts';
import { describeNext } from '../adopt/next-steps.ts';
import { describePorts } from '../adopt/ports.ts';
import { describeFound, describePlan } from '../adopt/report.ts';
import { isLoopback } from '../config/listen.ts';
import { configurationDirectory, trustedHeadersFileOf } from '../config/load.ts';
import { resolveTimeZone } from '../config/time-zone.ts';
import { parseTrustedHeaders } from '../config/trusted-headers-file.ts';
import { readUserRoles, storePath } from '../store/sqlite/open-store.ts';
import { checkAdoption, runningHere } from './adopt-check.ts';
import { say } from './adopt-frame.ts';
import { undoAdoption } from './adopt-undo.ts';
import { askWhether } from './frame/prompts.ts';
import type { CommandContext } from './frame/command.ts';
import { onStore } from './frame/on-store.ts';
import { print } from './frame/output.ts';
import { importUsers } from './users-command.ts';
import { readText } from '../config/read-file.ts';

interface Arguments {
  readonly yes?: true;
  readonly writeFrigate?: true;
  readonly undo?: true;
  readonly check?: URL;
  readonly database?: string;
  readonly upstream?: string;
}

export function adoptCommand(context: CommandContext): Command {
  return new Command('adopt')
    .description(
      "takes over a Frigate with its users, passwords, roles and proxy: writes Postern's config.yml, and a config.yml for Frigate that trusts Postern (docs/adopt.md)",
    )
    .argument('[directory]', "Frigate's configuration directory, with config.yml and frigate.db")
    .option('--yes', 'does it without asking')
    .option(
      '--write-frigate',
      "replaces Frigate's config.yml, and keeps a copy; by default the new one is written beside it",
    )
    .option('--database <file>', "Frigate's database, if it is not where its config.yml says")
    .option(
      '--upstream <url>',
      'where Postern reaches Frigate; by default http://frigate:8971',
      parseUpstream,
    )
    .option('--check <url>', 'looks at Postern from outside as imported users, and changes nothing', parseUrl)
    .option('--undo', 'puts everything back')
    .action(async (directory: string | undefined, given: Arguments) => {
      if (given.undo !== undefined) return undoAdoption(context);
      if (given.check !== undefined) {
        if (!(await checkAdoption(given.check, context))) process.exitCode = 1;
        return;
      }
      if (directory === undefined)
        throw new CannotAdopt(
          "name Frigate's configuration directory, such as postern adopt /opt/frigate/config",
        );
      return adopt(directory, given, context);
    });
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('It is no http or https URL.');
  if (url.protocol === 'http:' && !isLoopback({ host: url.hostname.replace(/^\[|\]$/g, ''), port: 80 }))
    throw new InvalidArgumentError(
      'Without TLS it has to be on this machine, such as http://localhost:8971.',
    );
  return url;
}

function parseUpstream(text: string): string {
  const url = URL.parse(text);
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.pathname !== '/' ||
    url.username !== ''
  )
    throw new InvalidArgumentError('It is no URL such as http://frigate:8971.');
  return url.origin;
}

async function adopt(directory: string, given: Arguments, context: CommandContext): Promise<void> {
  const own = readOwnPlace(context);
  if (isSameDirectory(directory, own.directory))
    throw new CannotAdopt(`${directory} is Postern's own configuration directory: name Frigate's`);
  const { schemaText } = await import('../config/json-schema.ts');
  const frigate = readFrigate(directory, given.database);
  const wishes: Wishes = {
    writeFrigate: given.writeFrigate ?? false,
    upstream: given.upstream,
    timeZone: machineZone(context),
    newSecret: randomBytes(32).toString('base64url'),
    schema: schemaText(),
  };
  const all = planAdoption(frigate, own, wishes);
  const withoutKeys = await askAboutWeak(all, given);
  const plan = withoutKeys.length === 0 ? all : planAdoption(frigate, own, { ...wishes, withoutKeys });
  const due = filesToWrite(plan);
  say(describeFound(plan));
  const isWhole = readJournal(own.directory)?.done !== false;
  if (due.length === 0 && plan.people.imported.length === 0 && isWhole) {
    say(['', 'Nothing to do: the files and users are as adopt leaves them.', ...notesOf(plan)]);
    await checkHere(plan, context);
    return;
  }
  requireWritable(due, own.directory);
  const isRunning = (await runningHere(plan.configuration, context)) !== undefined;
  say([
    '',
    `To do, for Postern in ${own.directory}:`,
    ...describePlan(plan, due),
    ...(isRunning ? [] : await describePorts(plan.configuration)),
    ...notesOf(plan),
    '',
  ]);
  if (given.yes === undefined && !(await isWanted())) return;
  await writeFiles(plan);
  if (plan.people.imported.length > 0) await importPeople(plan, context);
  await closeJournal(own.directory);
  say(['Done.', '', ...describeNext(plan, isRunning)]);
  // Changed files count only once Frigate and Postern have started again.
  if (due.length === 0) await checkHere(plan, context);
}

/** @returns keys of Frigate that are not taken over: those that weaken Postern, unless someone on a terminal wants them */
async function askAboutWeak(plan: Plan, { yes }: Arguments): Promise<readonly string[]> {
  const isAsked = yes === undefined && process.stdin.isTTY;
  const left: string[] = [];
  for (const [key, warning] of weakKeys(plan)) {
    const question = `${warning}.\nTake this value of Frigate over?`;
    if (!isAsked || !(await askWhether(question, process.stdin, process.stderr, 'no'))) left.push(key);
  }
  return left;
}

async function checkHere({ configuration }: Plan, context: CommandContext): Promise<void> {
  const url = await runningHere(configuration, context);
  if (url === undefined) return;
  print(`From outside, at ${url.origin}:`);
  await checkAdoption(url, context);
}

async function isWanted(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new CannotAdopt('nothing was done: add --yes to do it');
  const isYes = await askWhether('Do this?', process.stdin, process.stderr);
  if (!isYes) print('Nothing was done.');
  return isYes;
}

const notesOf = ({ notes }: Plan) => notes.map((note) => `  note: ${note}`);

function importPeople({ people, headersFile }: Plan, { environment, root }: CommandContext): Promise<void> {
  const withList = headersFile === undefined ? {} : { SERVICE_TRUSTED_HEADERS_FILE: headersFile };
  return onStore({ environment: { ...environment, ...withList }, root }, (work) =>
    importUsers(people, createUsers(work.store, systemClock), work),
  );
}

/** @throws CannotAdopt, ConfigurationError */
function readOwnPlace({ environment, root }: CommandContext): Own {
  const directory = resolve(configurationDirectory(environment));
  const file = join(directory, 'config.yml');
  const listed = trustedHeadersFileOf(environment, root);
  const text = readText(listed);
  return {
    directory,
    text: existsSync(file) ? readText(file) : undefined,
    users: readUserRoles(storePath(directory)),
    environment,
    owner: ownerOf(directory),
    headers: { file: listed, text, names: parseTrustedHeaders(text, listed) },
  };
}

/** A directory that is not there yet will belong to this user. */
function ownerOf(directory: string): string {
  const status = statSync(directory, { throwIfNoEntry: false });
  const [user, group] = [status?.uid ?? process.getuid?.() ?? 0, status?.gid ?? process.getgid?.() ?? 0];
  return `${user}:${group}`;
}

/** The zone of this machine; `undefined` in a container, which has none. */
function machineZone({ environment }: CommandContext): string | undefined {
  const zone = resolveTimeZone(undefined, environment, { refuse: () => undefined });
  return zone === 'UTC' ? undefined : zone;
}
