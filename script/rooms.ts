import { dirname, join, normalize } from 'node:path';

/** A room of src/ and what it may import. */
interface Room {
  readonly imports: readonly string[];
  /** Of other rooms it may import types, and no code. */
  readonly typesOnly?: true;
  readonly why: string;
}

/** Every room may import these, and they import each other only where their own row says so. */
const leaves = new Set([
  'config',
  'policy',
  'telemetry',
  'errors.ts',
  'identity-headers.ts',
  'at-most-every.ts',
  'round-robin.ts',
  'file-owner.ts',
  'text-cache.ts',
  'validation.ts',
  'version.ts',
]);

export const rooms: Readonly<Record<string, Room>> = {
  'main.ts': { imports: ['app.ts', 'reloading.ts'], why: 'the process knows the app as a whole' },
  'reloading.ts': { imports: [], why: 'what reads the files anew knows nothing of what is made of them' },
  'app.ts': {
    imports: ['foundation.ts', 'gate.ts', 'listeners.ts', 'accounts', 'audit', 'edge', 'events', 'sessions'],
    why: 'the composition root puts together what the other files of src/ have made',
  },
  'foundation.ts': {
    imports: [
      'monitoring.ts',
      'gateway',
      'edge',
      'events',
      'recorder',
      'accounts',
      'sessions',
      'audit',
      'store',
      'ui-files.ts',
    ],
    why: 'what is opened once knows every room, and nothing of what is made of it',
  },
  'gate.ts': {
    imports: ['foundation.ts', 'gateway', 'edge', 'events', 'recorder', 'accounts', 'sessions'],
    why: 'what is made of one configuration; the composition root makes another when it changes',
  },
  'listeners.ts': {
    imports: ['gate.ts', 'gateway', 'edge', 'audit'],
    why: 'what listens asks the gate in force, whatever that was made of',
  },
  'monitoring.ts': {
    imports: ['events', 'sessions', 'store'],
    why: 'what is asked when somebody wants to know how the gate is',
  },
  config: { imports: ['file-owner.ts'], why: 'a leaf: what is configured depends on nothing' },
  policy: {
    imports: ['identity-headers.ts'],
    why: 'a leaf, and pure: what decides access is read in one sitting',
  },
  telemetry: { imports: ['at-most-every.ts'], why: 'a leaf: everything logs' },
  'at-most-every.ts': { imports: [], why: 'a leaf: a clock and a function' },
  'file-owner.ts': { imports: [], why: 'a leaf: whose files are, whatever is in them' },
  'errors.ts': { imports: [], why: 'a leaf: one table of errors' },
  'identity-headers.ts': { imports: [], why: 'a leaf: the contract between gate and upstream' },
  'round-robin.ts': { imports: [], why: 'a leaf: whose turn it is depends on nothing else' },
  'text-cache.ts': { imports: [], why: 'a leaf: a cache knows nothing of what it holds' },
  'validation.ts': { imports: ['errors.ts'], why: 'a leaf: one shape of 422' },
  'version.ts': { imports: [], why: 'a leaf: what package.json says' },
  store: { imports: [], why: 'the database knows nobody who uses it' },
  accounts: { imports: ['store'], why: 'accounts are kept in the store' },
  sessions: { imports: ['store'], why: 'sessions are kept in the store' },
  audit: { imports: ['store'], why: 'what happened is kept in the store, and nothing here decides anything' },
  gateway: {
    imports: ['accounts', 'sessions', 'audit', 'recorder', 'ui-files.ts'],
    why: 'endpoints use accounts and sessions, never the store itself',
  },
  edge: {
    imports: [],
    why: 'the front gets what it needs by parameter, so that any front could take its place',
  },
  recorder: { imports: ['edge'], why: 'the recorder is asked over the connections of the edge' },
  events: { imports: ['store'], why: 'the events app shares only the identity headers with the gateway' },
  backup: {
    imports: ['edge', 'sessions', 'store'],
    why: 'a backup knows where each room keeps its files, and nothing of what is done with them',
  },
  cli: {
    imports: ['accounts', 'sessions', 'audit', 'backup', 'store', 'edge', 'events', 'recorder'],
    why: 'the command works on the same store as the server, and looks at the same files',
  },
  'ui-files.ts': { imports: [], why: 'the built UI depends on nothing that runs here' },
  web: {
    imports: ['gateway', 'events'],
    typesOnly: true,
    why: 'the UI knows the API by its types only',
  },
};

/** Packages that a room may import at all, where that is limited. */
const packages: Readonly<Record<string, readonly string[]>> = { policy: ['node:crypto'] };

/** Packages, with all below them, that only some rooms may import. */
const owners: Readonly<Record<string, readonly string[]>> = {
  jose: ['sessions'],
  'prom-client': ['telemetry'],
  undici: ['edge'],
  'node:sqlite': ['store'],
  kysely: ['store', 'accounts', 'sessions', 'audit'],
  'node:fs': [
    'backup',
    'config',
    'edge',
    'events',
    'store',
    'sessions',
    'accounts',
    'cli',
    'telemetry',
    'app.ts',
    'foundation.ts',
    'file-owner.ts',
    'main.ts',
    'ui-files.ts',
    'version.ts',
  ],
};

const importPattern =
  /^\s*(?:import|export)\s+(?:(type)\s+)?(?:[\w\s{},*$]+?\sfrom\s+)?['"]([^'"\n]+)['"];|\bimport\(\s*['"]([^'"\n]+)['"]/gm;

/**
 * @param sources source text by path below src/
 * @returns one message for each arrow that the house does not allow, with the rule and its reason
 */
export function forbiddenArrows(sources: ReadonlyMap<string, string>): string[] {
  const messages: string[] = [];
  for (const [file, source] of sources) {
    const from = roomOf(file);
    const room = rooms[from];
    if (room === undefined) {
      messages.push(
        `src/${file}: there is no room ${from}; add it to script/rooms.ts with its arrows and their reason`,
      );
      continue;
    }
    for (const [, typeOnly, specifier = '', dynamic] of source.matchAll(importPattern)) {
      const target = specifier || (dynamic ?? '');
      const to = target.startsWith('.') ? roomOf(normalize(join(dirname(file), target))) : undefined;
      const rule =
        to === undefined
          ? packageRule(from, target, typeOnly !== undefined)
          : arrowRule(from, to, typeOnly !== undefined);
      if (rule !== undefined) messages.push(`src/${file} imports ${target}: ${rule}, because ${room.why}`);
    }
  }
  return messages;
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** @returns the rule that an import of a package breaks; types cost nothing and are free */
function packageRule(from: string, target: string, typeOnly: boolean): string | undefined {
  if (typeOnly) return undefined;
  const allowedHere = packages[from];
  if (allowedHere?.includes(target) === false) return `${from} may import ${allowedHere.join(', ')} alone`;
  const owner = Object.entries(owners).find(([name]) => target === name || target.startsWith(`${name}/`));
  return owner === undefined || owner[1].includes(from)
    ? undefined
    : `${owner[0]} belongs to ${owner[1].join(', ')}`;
}

function arrowRule(from: string, to: string, typeOnly: boolean): string | undefined {
  if (rooms[from]?.typesOnly === true && from !== to && !typeOnly) return `${from} may import types alone`;
  return mayImport(from, to) ? undefined : `${from} may import ${allowed(from)}`;
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const room = rooms[from];
  if (room === undefined) return false;
  return room.imports.includes(to) || (!leaves.has(from) && leaves.has(to));
}

function allowed(from: string): string {
  const others = leaves.has(from) ? [] : ['the leaves'];
  return [...(rooms[from]?.imports ?? []), ...others].join(', ') || 'nothing';
}
