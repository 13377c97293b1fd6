import { parseConfigurationDocument } from '../config/document.ts';
import { ConfigurationError, typeOf, type Problem } from '../config/problem.ts';
import { isPlainObject } from '../policy/json.ts';
import { isGroupName, isRoleName, twinOf } from '../policy/names.ts';
import { contentOf } from './section-edits.ts';

/** A reason why nothing was done, in one sentence for the operator. */
export class CannotAdopt extends Error {
  override readonly name = 'CannotAdopt';
}

type Section = Readonly<Record<string, unknown>>;

/** The part of Frigate's config.yml that Postern needs. */
export interface FrigateFile {
  /** Such as `0.17`; undefined when Frigate has not written it. */
  readonly release: string | undefined;
  readonly cameras: readonly string[];
  /** Custom roles, in the order of the file, without the one that `closed` names. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly signIn: SignIn;
  /** Where Frigate asks who it is, inside its container. */
  readonly port: number;
  /** Where everyone is admin, likewise. */
  readonly openPort: number;
  readonly hasTls: boolean;
  /** Path inside Frigate's container. */
  readonly database: string;
  readonly timeZone: string | undefined;
  /** The sections `auth`, `proxy` and `environment_vars`, as they are written; of `proxy`, only what another proxy needs. */
  readonly auth: Section;
  readonly proxy: Section;
  readonly variables: Section;
  /** The secret of whom it trusts, as it is written. */
  readonly secret: string | undefined;
  /** Names that are left out, with the reason. */
  readonly notes: readonly string[];
}

/** Who asks for the password: Frigate, a proxy before it, Postern already, or no one. */
type SignIn = 'accounts' | 'proxy' | 'postern' | 'open';

/** A role that sees nothing, for users whose role Frigate does not know. */
export const closed = { role: 'closed', cameras: ['no_such_camera'] } as const;

export const posternHeaders = { user: 'remote-user', role: 'remote-role' } as const;

const oldest = 16;
const newest = 18;
const marks = ['cameras', 'mqtt', 'detectors', 'go2rtc', 'version', 'ffmpeg', 'record'];

/**
 * @param file for messages
 * @throws CannotAdopt, ConfigurationError with every problem
 */
export function readFrigateFile(text: string, file: string): FrigateFile {
  const { document } = parseConfigurationDocument(text, file);
  if (!isPlainObject(document) || !marks.some((key) => Object.hasOwn(document, key)))
    throw new CannotAdopt(`${file} is not Frigate's: it has none of ${marks.slice(0, 5).join(', ')}`);
  if (!canBeRead(text)) throw new CannotAdopt(`${file} merges what is no map into another (<<)`);
  if (Object.hasOwn(document, 'upstream'))
    throw new CannotAdopt(`${file} is Postern's, as upstream shows: name the directory of Frigate`);
  const problems: Problem[] = [];
  const section = (parent: Section, key: string, path = key): Section => {
    const value = parent[key] ?? {};
    if (isPlainObject(value)) return value;
    problems.push({ path: `${file} ${path}`, found: typeOf(value), allowed: 'a section' });
    return {};
  };
  const [auth, proxy] = [section(document, 'auth'), section(document, 'proxy')];
  const headers = section(proxy, 'header_map', 'proxy.header_map');
  const listen = section(section(document, 'networking'), 'listen', 'networking.listen');
  const cameras = Object.keys(section(document, 'cameras'));
  const notes: string[] = [];
  const signIn = signInOf(auth, headers);
  const roles = rolesIn(section(auth, 'roles', 'auth.roles'), cameras, file, problems);
  const read: FrigateFile = {
    release: releaseOf(document['version'], file),
    cameras,
    roles,
    groups: groupsIn(section(document, 'camera_groups'), cameras, notes),
    signIn,
    port: portOf(listen['external'], 8971),
    openPort: portOf(listen['internal'], 5000),
    // Postern has TLS in place of Frigate, once it is trusted.
    hasTls: signIn === 'postern' || isOn(section(document, 'tls')['enabled'], true),
    database: textOf(section(document, 'database')['path']) ?? '/config/frigate.db',
    timeZone: textOf(section(document, 'ui')['timezone']),
    auth,
    proxy: signIn === 'postern' ? {} : proxy,
    variables: section(document, 'environment_vars'),
    secret: textOf(proxy['auth_secret']),
    notes,
  };
  if (problems.length > 0) throw new ConfigurationError(problems);
  return read;
}

function canBeRead(text: string): boolean {
  try {
    contentOf(text);
    return true;
  } catch {
    return false;
  }
}

function signInOf(auth: Section, headers: Section): SignIn {
  if (isOn(auth['enabled'], true)) return 'accounts';
  const isPostern = (['user', 'role'] as const).every(
    (key) => textOf(headers[key])?.toLowerCase() === posternHeaders[key],
  );
  if (isPostern) return 'postern';
  return isText(headers['user']) ? 'proxy' : 'open';
}

function releaseOf(version: unknown, file: string): string | undefined {
  const written = wordOf(version);
  const [, minor] = /^0\.(\d+)(?:[-.]|$)/.exec(written) ?? [];
  const [, major] = /^([1-9]\d*)\./.exec(written) ?? [];
  if (major !== undefined || Number(minor) > newest)
    throw new CannotAdopt(
      `${file} is of a newer Frigate (${written.slice(0, 16)}) than adopt knows, which is 0.${oldest} to 0.${newest}: upgrade Postern`,
    );
  if (Number(minor) < oldest)
    throw new CannotAdopt(
      `${file} is of Frigate 0.${minor}, whose users have no roles: start 0.${oldest} or later with it once`,
    );
  return minor === undefined ? undefined : `0.${minor}`;
}

function rolesIn(
  written: Section,
  cameras: readonly string[],
  file: string,
  problems: Problem[],
): Map<string, readonly string[]> {
  const roles = new Map<string, readonly string[]>();
  for (const [name, granted] of Object.entries(written)) {
    const path = `${file} auth.roles.${name.slice(0, 64)}`;
    // Frigate lists its own ones itself, in lower case.
    if (name === 'admin' || name === 'viewer') continue;
    const refuse = (found: string, allowed: string) => void problems.push({ path, found, allowed });
    const list = namesOf(granted);
    if (list === undefined) refuse(typeOf(granted), 'a list of cameras');
    else if (isClosedRole(name, list)) continue;
    else if (!isRoleName(name) || name.includes('.'))
      refuse(
        'a name that Frigate or Postern does not accept',
        'letters of A to Z, digits and underscores, and no name of a built-in role: rename the role',
      );
    else if (twinOf(name, Object.keys(written)) !== undefined)
      refuse('a name that another role has in other letter case', 'a name of its own');
    else if (list.length === 0) refuse('no cameras', 'at least one camera');
    else {
      const unknown = list.filter((camera) => !cameras.includes(camera));
      if (unknown.length > 0)
        refuse(
          `${unknown.map((camera) => camera.slice(0, 64)).join(', ')}, which cameras does not name`,
          `cameras of the file: ${cameras.join(', ') || 'there are none'}`,
        );
      else roles.set(name, list);
    }
  }
  return roles;
}

function isClosedRole(name: string, cameras: readonly string[]): boolean {
  return name === closed.role && cameras.length === 1 && cameras[0] === closed.cameras[0];
}

/** Groups are only offered, so a camera that Postern does not know is left out. */
function groupsIn(written: Section, cameras: readonly string[], notes: string[]) {
  const groups = new Map<string, readonly string[]>();
  for (const [name, group] of Object.entries(written)) {
    const known = (isPlainObject(group) ? namesOf(group['cameras']) : undefined)?.filter((camera) =>
      cameras.includes(camera),
    );
    const twin = twinOf(name, groups.keys());
    if (!isGroupName(name)) notes.push(`leaves out a camera group, whose name Postern does not accept`);
    else if (twin !== undefined)
      notes.push(`leaves out the camera group ${name}: its name differs from ${twin} only in letter case`);
    else if (known !== undefined && known.length > 0) groups.set(name, known);
  }
  return groups;
}

/** A list of names, or one text with commas between them. */
function namesOf(value: unknown): readonly string[] | undefined {
  const list = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list)) return undefined;
  return [...new Set(list.map((name) => wordOf(name)).filter((name) => name !== ''))];
}

/** Frigate takes words of YAML 1.1 too. */
export function isOn(value: unknown, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  return /^(?:true|yes|on|y|t|1)$/i.test(wordOf(value));
}

/** A port, or an address that ends with one. */
function portOf(value: unknown, otherwise: number): number {
  const [, digits] = /^(?:.*:)?(\d{1,5})$/.exec(wordOf(value)) ?? [];
  const port = Number(digits ?? otherwise);
  return port > 0 && port < 65_536 ? port : otherwise;
}

/** The text of a plain value; empty for a list or a map, which has no text. */
function wordOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}
