import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forbiddenArrows, rooms } from '../../script/rooms.ts';

const arrowsOf = (file: string, source: string) => forbiddenArrows(new Map([[file, source]]));
const importing = (target: string) => `import { x } from '${target}';`;

test.each<[what: string, file: string, target: string]>([
  ['inside a room', 'policy/judge.ts', './decide.ts'],
  ['what the room of a file may import', 'accounts/users.ts', '../store/sqlite-file.ts'],
  ['leaves', 'edge/front.ts', '../policy/canonical-uri.ts'],
  ['leaves of one file', 'events/events-app.ts', '../errors.ts'],
  ['the identity headers, by policy', 'policy/proxy-subject.ts', '../identity-headers.ts'],
  ['any room, by what opens them', 'foundation.ts', './gateway/gateway.ts'],
  ['a package, by its owner', 'edge/upstream.ts', 'undici'],
  ['a package nobody owns', 'gateway/gateway.ts', 'hono'],
])('permitted: %s', (_, file, target) => {
  expect(arrowsOf(file, importing(target))).toEqual([]);
});

test.each<[what: string, file: string, target: string, rule: string, room: string]>([
  [
    'the database, past accounts',
    'gateway/gateway.ts',
    '../store/sqlite-file.ts',
    'gateway may import accounts, sessions, audit, recorder, ui-files.ts, the leaves',
    'gateway',
  ],
  [
    'the gateway, by the edge',
    'edge/front.ts',
    '../gateway/refusal.ts',
    'edge may import the leaves',
    'edge',
  ],
  [
    'the gateway, by the events app',
    'events/events-app.ts',
    '../gateway/refusal.ts',
    'events may import store, the leaves',
    'events',
  ],
  [
    'anything but its words, by policy',
    'policy/judge.ts',
    '../errors.ts',
    'policy may import identity-headers.ts',
    'policy',
  ],
  [
    'another leaf, by a leaf',
    'config/load.ts',
    '../policy/decide.ts',
    'config may import file-owner.ts',
    'config',
  ],
  [
    'a room, by a leaf of one file',
    'errors.ts',
    './telemetry/logger.ts',
    'errors.ts may import nothing',
    'errors.ts',
  ],
  [
    'the app, by a room',
    'gateway/gateway.ts',
    '../app.ts',
    'gateway may import accounts, sessions, audit, recorder, ui-files.ts, the leaves',
    'gateway',
  ],
  [
    'a room, by main',
    'main.ts',
    './gateway/gateway.ts',
    'main.ts may import app.ts, reloading.ts, the leaves',
    'main.ts',
  ],
  [
    'a room by a way round',
    'policy/judge.ts',
    '../policy/../store/sqlite-file.ts',
    'policy may import identity-headers.ts',
    'policy',
  ],
  [
    'a room from a deeper file',
    'web/pages/login.tsx',
    '../../gateway/gateway.ts',
    'web may import types alone',
    'web',
  ],
  ['jose', 'gateway/gateway.ts', 'jose', 'jose belongs to sessions', 'gateway'],
  ['undici', 'gateway/gateway.ts', 'undici', 'undici belongs to edge', 'gateway'],
  [
    'the database driver',
    'events/recorder-database.ts',
    'node:sqlite',
    'node:sqlite belongs to store',
    'events',
  ],
  ['files, by policy', 'policy/judge.ts', 'node:fs', 'policy may import node:crypto alone', 'policy'],
  [
    'files by promises, by policy',
    'policy/judge.ts',
    'node:fs/promises',
    'policy may import node:crypto alone',
    'policy',
  ],
  ['a part of jose', 'gateway/gateway.ts', 'jose/jwt/verify', 'jose', 'gateway'],
  ['a framework, by policy', 'policy/judge.ts', 'hono', 'policy may import node:crypto alone', 'policy'],
])('forbidden: %s', (_, file, target, rule, room) => {
  const messages = arrowsOf(file, importing(target));
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(`src/${file} imports ${target}: ${rule}`);
  expect(messages[0]).toContain(`, because ${rooms[room]?.why}`);
});

test.each<[what: string, source: string, forbidden: boolean]>([
  ['a default import', "import x from 'undici';", true],
  ['for its effect', "import 'undici';", true],
  ['several lines', "import {\n  a,\n  b,\n} from 'undici';", true],
  ['double quotes', 'import { a } from "undici";', true],
  ['an export', "export { a } from 'undici';", true],
  ['an export of everything', "export * from 'undici';", true],
  ['while running', "const x = await import('undici');", true],
  ['a type of it', "import type { Pool } from 'undici';", false],
  ['in a comment', "// import x from 'undici';", false],
  ['in a text', "const x = 'undici';", false],
])('a package of another room, %s', (_, source, forbidden) => {
  expect(arrowsOf('gateway/gateway.ts', source)).toHaveLength(forbidden ? 1 : 0);
});

test('a type is an arrow between rooms like anything else', () => {
  expect(arrowsOf('edge/front.ts', "import type { Answer } from '../gateway/refusal.ts';")).toHaveLength(1);
});

test('every arrow is reported, in every file, and a room nobody knows', () => {
  const sources = new Map([
    ['policy/a.ts', `${importing('../errors.ts')}\n${importing('node:fs')}`],
    ['shed/b.ts', importing('./c.ts')],
    ['gateway/c.ts', importing('../errors.ts')],
  ]);
  expect(forbiddenArrows(sources).map((message) => message.split(':')[0])).toEqual([
    'src/policy/a.ts imports ../errors.ts',
    'src/policy/a.ts imports node',
    'src/shed/b.ts',
  ]);
  expect(arrowsOf('shed/b.ts', '')[0]).toContain('there is no room shed');
});

test('our own house has no forbidden arrow', () => {
  const source = join(import.meta.dirname, '..', '..', 'src');
  const files = globSync('**/*.{ts,tsx}', { cwd: source });
  expect(files).toContain('app.ts');
  const sources = files.map((file) => [file, readFileSync(join(source, file), 'utf8')] as const);
  expect(forbiddenArrows(new Map(sources))).toEqual([]);
});
