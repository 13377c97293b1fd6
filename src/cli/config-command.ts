import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { acceptConfiguration, requireWhole } from '../config/applied-configuration.ts';
import { loadConfiguration, type LoadedConfiguration } from '../config/load.ts';
import { schemaName } from '../config/own-files.ts';
import { ConfigurationError, type Problem } from '../config/problem.ts';
import { readText } from '../config/read-file.ts';
import { requireForeignUpstream } from '../config/own-upstream.ts';
import { storeKeyOf } from '../config/resolve-store.ts';
import { findCertificate } from '../http/tls/certificate.ts';
import { readRecorderCertificate } from '../recorder/upstream-pool.ts';
import { recorderDatabaseFault } from '../events/recorder-database.ts';
import { givenJwtSecret, jwtSecretWarning, sharedJwtSecret } from '../accounts/sessions/jwt-secret.ts';
import { firstAdminPassword } from '../accounts/users/bootstrap.ts';
import { describeUndefinedRole, undefinedRoles } from '../accounts/users/user-list.ts';
import { readRoleNames, readUserRoles, storePath } from '../store/sqlite/open-store.ts';
import type { CommandContext } from './frame/command.ts';
import { print } from './frame/output.ts';
import { askAboutConfiguration } from './ask-recorder.ts';

export function configCommand(context: CommandContext): Command {
  return new Command('config')
    .description('looks at the configuration')
    .addCommand(
      new Command('schema')
        .description('prints the JSON Schema of config.yml, by which editors complete and check it')
        .action(async () => {
          const { schemaText } = await import('../config/json-schema.ts');
          print(schemaText().trimEnd());
        }),
    )
    .addCommand(
      new Command('accept')
        .description(
          'accepts config.yml as it is now: the next start or reload takes it, although it lost what was applied before',
        )
        .action(async () => {
          requireDirectory(context);
          const { environment, root } = context;
          const { configuration, directory, fileFound } = loadConfiguration(environment, root, 'ignored');
          await acceptConfiguration(directory);
          for (const warning of configuration.lost ?? []) print(`warning: ${warning}`);
          print(
            fileFound
              ? `accepted ${directory}/config.yml; a running Postern reloads it in two seconds`
              : `accepted that there is no ${directory}/config.yml; start Postern again`,
          );
        }),
    )
    .addCommand(
      new Command('check')
        .description(
          'reports every problem of config.yml, of the trusted-headers file and of the files that they name, and with recorder.manage_roles the objections of the recorder; exit status 78 with any problem',
        )
        .option(
          '--ask',
          'asks the recorder at upstream too: its cameras, and those of roles that it does not have',
        )
        .action(async ({ ask = false }: { readonly ask?: boolean }) => {
          requireDirectory(context);
          const loaded = loadConfiguration(context.environment, context.root);
          const problems = await problemsOfFiles(loaded, context);
          if (problems.length > 0) throw new ConfigurationError(problems);
          const { configuration, directory, fileFound } = loaded;
          const { cameras, warnings } = await askAboutConfiguration(configuration, ask);
          const ofFiles = [
            ...(await warningsOfSchema(directory)),
            ...warningsOfSecret(loaded, context),
            ...warningsOfUsers(loaded),
          ];
          for (const warning of [...configuration.warnings, ...ofFiles, ...warnings])
            print(`warning: ${warning}`);
          if (ask && cameras !== undefined) print(cameras);
          print(
            fileFound
              ? `${directory}/config.yml is valid`
              : `no ${directory}/config.yml: everything has its default`,
          );
        }),
    );
}

/** A start creates a missing directory; here, a missing directory is a mistyped one. */
function requireDirectory({ environment }: CommandContext): void {
  const path = environment['SERVICE_CONFIG_DIR'];
  if (!path || existsSync(path)) return;
  throw new ConfigurationError([
    {
      path: 'SERVICE_CONFIG_DIR',
      found: `${path}, which is not there`,
      allowed: 'the directory of config.yml',
    },
  ]);
}

/** A new version of Postern leaves the file as it is: it may be the operator's own. */
async function warningsOfSchema(directory: string): Promise<readonly string[]> {
  const file = join(directory, schemaName);
  let present: string;
  try {
    present = readText(file);
  } catch {
    return [];
  }
  const { schemaText } = await import('../config/json-schema.ts');
  if (present === schemaText()) return [];
  return [
    `${file}, by which editors check config.yml, is of another version of Postern: replace it with what "postern config schema" prints`,
  ];
}

function warningsOfSecret(
  { directory }: LoadedConfiguration,
  { environment }: CommandContext,
): readonly string[] {
  const secret = givenJwtSecret(environment, directory);
  const short = secret && jwtSecretWarning(secret);
  return secret === undefined || short === undefined ? [] : [`${short.text}, as in ${secret.source}`];
}

function usersOf({ configuration, directory }: LoadedConfiguration) {
  return configuration.store.url === undefined ? readUserRoles(storePath(directory)) : [];
}

/** A shared store is not asked: its own roles count too, and the command needs no database. */
function warningsOfUsers(loaded: LoadedConfiguration): readonly string[] {
  const { auth, store } = loaded.configuration;
  if (!auth.enabled || store.url !== undefined) return [];
  const inStore = readRoleNames(storePath(loaded.directory));
  const others = usersOf(loaded).filter(({ role }) => !inStore.has(role));
  return undefinedRoles(others, auth.roles).map(describeUndefinedRole);
}

/** Problems in the files that the configuration names, as the start would find them. */
async function problemsOfFiles(
  loaded: LoadedConfiguration,
  { environment }: CommandContext,
): Promise<readonly Problem[]> {
  const { configuration, directory } = loaded;
  const { auth, tls, listen, eventsDatabase, recorder, store } = configuration;
  const fault = eventsDatabase === undefined ? undefined : recorderDatabaseFault(eventsDatabase);
  const needsCertificate = tls.enabled && listen.authenticated !== undefined && tls.files !== undefined;
  return [
    ...(fault === undefined
      ? []
      : [
          {
            path: 'events.database',
            found: `${eventsDatabase}, ${fault}`,
            allowed: "the recorder's SQLite file",
          },
        ]),
    ...(await problemsIn(async () => {
      if (needsCertificate)
        await findCertificate(tls.files, directory, { now: systemClock.now(), isSure: false }, (warning) =>
          print(`warning: ${warning}`),
        );
    })),
    ...(await problemsIn(() => recorder.certificate && readRecorderCertificate(recorder.certificate))),
    ...(await problemsIn(() => requireWhole(directory, undefined, configuration.source, 'start'))),
    // A start would generate a missing secret; this command does not.
    ...(await problemsIn(() =>
      store.url === undefined
        ? givenJwtSecret(environment, directory)
        : sharedJwtSecret(environment, directory),
    )),
    ...(await problemsIn(() => storeKeyOf(environment))),
    ...(await problemsIn(() => requireForeignUpstream(configuration))),
    // Whether a shared store has an admin already is not known here.
    ...(await problemsIn(
      () => auth.enabled && store.url === undefined && firstAdminPassword(environment, usersOf(loaded)),
    )),
  ];
}

async function problemsIn(look: () => unknown): Promise<readonly Problem[]> {
  try {
    await look();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}
