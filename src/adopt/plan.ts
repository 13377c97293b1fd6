import { join } from 'node:path';
import { planImport, type ImportPlan } from '../accounts/users/import-users.ts';
import type { Configuration } from '../config/configuration.ts';
import { expandSecret, type Environment } from '../config/environment.ts';
import { schemaName } from '../config/own-files.ts';
import { contentOf, valueAt } from './section-edits.ts';
import { changedLines, trustPostern } from './frigate-change.ts';
import { copyOf, type Frigate } from './frigate-directory.ts';
import { CannotAdopt, type FrigateFile } from './frigate-file.ts';
import {
  authKeys,
  frigateHeaders,
  leftOut,
  mergeOwn,
  missingHeaders,
  readOwn,
  readPresent,
  signInDiffers,
  wantedKeys,
  withHeaders,
} from './own-file.ts';

/** The part of Postern's own set-up that is there already. */
export interface Own {
  readonly directory: string;
  /** Text of config.yml; undefined if there is none. */
  readonly text: string | undefined;
  readonly users: ReadonlyArray<{ readonly username: string; readonly role: string }>;
  readonly environment: Environment;
  /** Owner of the directory, as `user:group`. */
  readonly owner: string;
  /** The list of trusted headers that is in use. */
  readonly headers: { readonly file: string; readonly text: string; readonly names: ReadonlySet<string> };
}

export interface Wishes {
  /** Replaces Frigate's config.yml, instead of writing the new one beside it. */
  readonly writeFrigate: boolean;
  /** URL of Frigate, where it has not the name `frigate`. */
  readonly upstream: string | undefined;
  readonly timeZone: string | undefined;
  /** The secret of a new configuration. */
  readonly newSecret: string;
  /** Keys of Frigate's `auth` that are not taken over: Postern's defaults protect better. */
  readonly withoutKeys?: readonly string[];
  /** The JSON Schema of a new configuration. */
  readonly schema: string;
}

export interface Plan {
  readonly frigate: Frigate;
  readonly own: Own;
  readonly configuration: Configuration;
  /** Files with the text that each gets, in the order in which they are written. */
  readonly files: ReadonlyArray<{
    readonly path: string;
    readonly text: string;
    readonly copy?: string;
    /** The mode of a new file. Without it, only the owner may read the file. */
    readonly mode?: number;
  }>;
  /** Frigate's new file, and whether it is the one in use. */
  readonly frigateFile: { readonly path: string; readonly text: string; readonly isInUse: boolean };
  readonly diff: readonly string[];
  readonly people: ImportPlan;
  /** Path of a list of trusted headers that Postern needs, besides its own. */
  readonly headersFile: string | undefined;
  /** Path of the file by which nginx sends the secret. */
  readonly secretFile: string | undefined;
  /** Values that stay as they are. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
}

/** @returns warnings, by key, of values of Frigate's `auth` that would switch a protection of Postern off */
export function weakKeys({ own, configuration }: Plan): ReadonlyMap<string, string> {
  const present = contentOf(own.text ?? '');
  return new Map(
    authKeys.flatMap((key) => {
      const warning = configuration.exposures.find((text) => text.startsWith(`auth.${key} `));
      const isOwn = valueAt(present, ['auth', key]) !== undefined;
      return warning === undefined || isOwn ? [] : [[`auth.${key}`, warning] as const];
    }),
  );
}

/** Plans everything and writes nothing. @throws CannotAdopt, ConfigurationError */
export function planAdoption(frigate: Frigate, own: Own, wishes: Wishes): Plan {
  const { now } = frigate;
  const file = join(own.directory, 'config.yml');
  const untrusted = missingHeaders(frigate.before, own.headers.names);
  const isBehindProxy = frigate.before.signIn === 'proxy';
  const before = isBehindProxy || untrusted.length === 0 ? frigate.before : withoutHeaders(frigate.before);
  const missing = isBehindProxy ? untrusted : [];
  const reading = {
    environment: own.environment,
    trustedHeaders: new Set([...own.headers.names, ...missing]),
    trustedHeadersFile: own.headers.file,
  };
  const present = own.text === undefined ? undefined : readPresent(own.text, file, reading);
  if (present?.store.url !== undefined)
    throw new CannotAdopt(
      `${file} names a store that several gates share: import the users with postern users import instead (docs/growth.md)`,
    );
  if (own.text !== undefined && signInDiffers(before, own.text))
    throw new CannotAdopt(
      before.signIn === 'proxy'
        ? `Frigate trusts a proxy that signs people in, and ${file} has Postern's own accounts on: set auth.enabled to false there, or use another directory`
        : `Frigate has its own accounts, and ${file} has Postern's off: delete auth.enabled there, or use another directory`,
    );
  const secret = present?.recorder.authSecret ?? secretOf(frigate, own) ?? wishes.newSecret;
  if (own.text !== undefined && present?.recorder.authSecret === undefined && hasSecret(own.text))
    throw new CannotAdopt(
      `${file} has a variable in recorder.auth_secret that is not set here: set it, so that Frigate gets the same secret`,
    );
  const wanted = wantedKeys(before, now, {
    upstream: wishes.upstream ?? `http://frigate:${now.port}`,
    database: frigate.database,
    timeZone: wishes.timeZone,
    secret,
  }).filter(({ path }) => !wishes.withoutKeys?.includes(path.join('.')));
  const merged = mergeOwn(own.text, file, wanted, frigate.directory);
  const configuration = readOwn(merged.text, file, reading);
  const text = trustPostern(frigate.text, now, frigate.hasRoles, secret);
  const isInUse = wishes.writeFrigate || text === frigate.text;
  const target = isInUse ? frigate.path : `${frigate.path}.postern`;
  const headersFile = missing.length > 0 ? join(own.directory, 'proxy_trusted_headers.conf') : undefined;
  const isBehindFront = configuration.listen.forwardAuthAuthenticated !== undefined;
  const isForNginx = !/["$\\]/.test(secret);
  const secretFile =
    isBehindFront && isForNginx ? join(own.directory, 'tls', 'recorder-secret.conf') : undefined;
  const schemaFile = join(own.directory, schemaName);
  const listOfFrigate = join(frigate.directory, headersName);
  const copy = text !== frigate.text && now.signIn !== 'postern' ? [copyStep(frigate)] : [];
  return {
    frigate,
    own,
    configuration,
    files: [
      // Before the file that names it: a killed run is finished by the next one.
      ...(own.text === undefined
        ? [{ path: schemaFile, text: wishes.schema, copy: copyOf(schemaFile) }]
        : []),
      { path: file, text: merged.text, copy: copyOf(file) },
      ...(secretFile === undefined
        ? []
        : [{ path: secretFile, text: `default "${secret}";\n`, copy: copyOf(secretFile), mode: 0o640 }]),
      ...(headersFile === undefined
        ? []
        : [{ path: headersFile, text: withHeaders(own.headers.text, missing), copy: copyOf(headersFile) }]),
      { path: listOfFrigate, text: frigateHeaders, copy: copyOf(listOfFrigate) },
      ...copy,
      { path: target, text },
    ],
    frigateFile: { path: target, text, isInUse },
    diff: changedLines(frigate.text, text),
    people: planPeople(frigate, own, configuration),
    headersFile,
    secretFile,
    kept: merged.kept,
    notes: [
      ...frigate.notes,
      ...leftOut(before),
      ...(wishes.withoutKeys ?? []).map(
        (key) =>
          `${key} of Frigate is left out, because it switches a protection off: Postern's default applies`,
      ),
      ...(before === frigate.before
        ? []
        : ['proxy.header_map is left out: Frigate asks for passwords, and reads no header']),
      ...(isBehindFront && !isForNginx
        ? ['nginx cannot send recorder.auth_secret, which has ", $ or \\ in it: choose another']
        : []),
      ...configuration.warnings,
    ],
  };
}

/** The `header_map` that Frigate doesn't read beside its own accounts, and for which Postern would need a list of headers. */
function withoutHeaders(file: FrigateFile): FrigateFile {
  const { header_map: _, ...proxy } = file.proxy;
  return { ...file, proxy };
}

/** The name, in Frigate's directory, of the list of headers that Frigate may believe. */
export const headersName = 'postern_trusted_headers.conf';

const copyStep = ({ path, text }: Frigate) => ({ path: copyOf(path), text });

function hasSecret(text: string): boolean {
  return valueAt(contentOf(text), ['recorder', 'auth_secret']) !== undefined;
}

/** The secret that Frigate has for Postern already. */
function secretOf({ now }: Frigate, { environment }: Own): string | undefined {
  if (now.signIn !== 'postern' || now.secret === undefined) return undefined;
  const ignored = { refuse: () => undefined, warn: () => undefined };
  return expandSecret('proxy.auth_secret', now.secret, { environment, missingSecrets: 'ignored' }, ignored);
}

/** Users that Postern has under the same name stay as they are. */
function planPeople({ users }: Frigate, { users: existing }: Own, { auth }: Configuration): ImportPlan {
  if (!auth.enabled) return { imported: [], roles: new Map(), skipped: [], lacksRoles: false };
  const roleOf = new Map(existing.map(({ username, role }) => [username, role]));
  const differing = users.flatMap(({ username: name, role }) => {
    const has = roleOf.get(name);
    return has === undefined || has === role
      ? []
      : [{ name, why: `Postern has the user as ${has} already, and Frigate as ${role}` }];
  });
  const others = users.filter(({ username }) => !roleOf.has(username));
  const plan = planImport(others, roleOf.keys(), new Set(auth.roles.keys()));
  return { ...plan, skipped: [...differing, ...plan.skipped] };
}
