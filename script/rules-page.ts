import type { Operation } from '../src/api/endpoint.ts';
import type { AccessLevel, AccessRule } from '../src/policy/access-rule.ts';
import { code, table } from './markdown-table.ts';

const introduction = `# Rules: who may reach which path

The first rule, from top to bottom, that matches the method and the path decides. [access.md](access.md) has your own rules, and how to
test a request.

- An **admin** may do everything. A **viewer** may read (GET, HEAD) where the second column has "yes"; a row with another method allows
  that too.
- A **custom role** needs all cameras that the request names: the third column has the place. "list" is a list of several cameras, with
  the query parameter that limits it: [what Frigate filters](recorder-lists.md).
- \`may\` is what the role must also be [able to do](custom-roles.md#what-a-role-may-do); "all" is \`live\`, \`history\` and \`export\`.
- In a path, \`*\` is any segment, \`**\` the rest, and \`:known\` a configured camera.
- The last column is for rules that refuse someone whom Frigate 0.17 or 0.18 allows.`;

const ownIntroduction = `## Postern's own paths

[api.md](api.md) has the API. The other paths:`;

const lockedIntroduction = `## Locked

No rule in \`access.rules\` changes these.`;

const recorderIntroduction = `## Frigate's paths

Your own [\`access.rules\`](access.md#rules-of-your-own) come before these.`;

/** The tables of access rules, in the order in which they are compared. */
export interface RuleTables {
  readonly own: readonly AccessRule[];
  readonly locked: readonly AccessRule[];
  readonly recorder: readonly AccessRule[];
}

/** @returns the text of docs/rules.md */
export function rulesPage({ own, locked, recorder }: RuleTables, operations: readonly Operation[]): string {
  const documented = new Set(operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, '*')));
  const others = own.filter(({ path }) => !documented.has(path.replaceAll(/:\w+/g, '*')));
  const parts = [
    introduction,
    ownIntroduction,
    table(
      columns,
      rowsOf(others).map((cells) => cells.slice(0, columns.length)),
    ),
    lockedIntroduction,
    table([...columns, why], rowsOf(locked)),
    recorderIntroduction,
    table([...columns, why], rowsOf(recorder)),
  ];
  return `${parts.join('\n\n')}\n`;
}

const columns = ['path', 'viewer', 'custom role', '`may`'];
const why = 'why stricter';

/** Rules that follow each other and differ in the path alone share a row. */
function rowsOf(rules: readonly AccessRule[]): string[][] {
  const rows: Array<{ paths: string[]; cells: string[] }> = [];
  for (const rule of rules) {
    const cells = [...whoMay(rule), needOf(rule), rule.stricter ?? ''];
    const last = rows.at(-1);
    if (last !== undefined && last.cells.join('\n') === cells.join('\n')) last.paths.push(pathOf(rule));
    else rows.push({ paths: [pathOf(rule)], cells });
  }
  return rows.map(({ paths, cells }) => [paths.join('<br>')].concat(cells));
}

function pathOf({ methods, path, having }: AccessRule): string {
  const changing = methods?.filter((method) => method !== 'GET' && method !== 'HEAD') ?? [];
  const only = having === undefined ? '' : ` with ${code(having)}`;
  return `${[...changing, code(path)].join(' ')}${only}`;
}

const byLevel: Readonly<Record<AccessLevel, readonly [viewer: string, customRole: string]>> = {
  public: ['anyone', 'anyone'],
  'own-account': ['yes', 'yes'],
  any: ['yes', 'yes'],
  list: ['yes', 'list'],
  'admin-only': ['no', 'no'],
  unresolved: ['yes', 'no'],
  'every-camera': ['yes', 'no'],
  'camera-in-path': ['yes', '`:camera`'],
  'stream-in-path': ['yes', 'cameras of `:stream`'],
  'camera-in-file': ['yes', 'camera in `:file`'],
  'camera-in-src': ['yes', 'each `src`'],
  'stream-in-src': ['with `src`', 'each `src`'],
  'camera-of-event': ['yes', 'camera of `:event`'],
  'camera-of-events': ['yes', 'cameras of all `ids`'],
  'camera-of-export': ['yes', 'camera of `:export`'],
  'camera-of-review': ['yes', 'camera of `:review`'],
  'camera-of-reviews': ['yes', 'cameras of all `ids`'],
  'cameras-in-body': ['yes', 'cameras in the body'],
  'reviews-in-body': ['yes', 'cameras of the reviews in the body'],
};

function whoMay({ level, path, filter, messages, body }: AccessRule): string[] {
  const [viewer, customRole] = byLevel[level];
  if (messages === true) return [viewer, 'its own messages'];
  if (level === 'list') return [viewer, filter === undefined ? customRole : `list by ${code(filter)}`];
  const named = path.includes(':known') ? '`:known`' : customRole;
  return [viewer, body === undefined ? named : `${named}, and cameras in the body`];
}

/** An admin may do everything, so that no word closes what only admins may reach. */
function needOf({ may, level }: AccessRule): string {
  if (may === 'shell' || level === 'admin-only') return '';
  if (may === 'live-or-history') return `${code('live')} or ${code('history')}`;
  return may === 'everything' ? 'all' : code(may);
}
