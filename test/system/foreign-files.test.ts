import { spawnSync } from 'node:child_process';
import {
  chownSync,
  globSync,
  chmodSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { outputOf } from '../support/postern-command.ts';
import { projectRoot, startGateway } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';
import { canHere } from '../support/can-here.ts';

/** The numeric user of the gate, which has no name here. */
const gate = 31_415;

function directoryOf(user: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-owner-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  chownSync(directory, user, user);
  return directory;
}
const ownersIn = (directory: string) =>
  new Map(
    globSync('**/*', { cwd: directory, exclude: ['config.yml', '*.sock'] }).map((name) => {
      const { uid, gid } = statSync(join(directory, name));
      return [name, `${uid}:${gid}`];
    }),
  );
const foreign = (directory: string) =>
  [...ownersIn(directory)].filter(([, owner]) => owner !== `${gate}:${gate}`);

describe.runIf(canHere('root', process.getuid?.() === 0))(
  'what root makes before the first start is for the gate',
  () => {
    test('by commands: the databases and the backups', async () => {
      const directory = directoryOf(gate);
      await outputOf(directory, ['users', 'add', 'vera'], { input: 'correct-horse-battery\n' });
      await outputOf(directory, ['backup']);
      expect([...ownersIn(directory).keys()]).toEqual(
        expect.arrayContaining(['postern.db', 'activity.db', 'postern.lock', 'backups']),
      );
      expect(ownersIn(directory).size).toBeGreaterThan(6);
      expect(foreign(directory)).toEqual([]);
    });

    test('and by a start: the JWT secret, the certificate, and what SQLite keeps beside a database', async () => {
      const directory = directoryOf(gate);
      const gateway = await startGateway({ directory });
      const made = ownersIn(directory);
      const others = foreign(directory);
      await gateway.close();
      expect([...made.keys()]).toEqual(
        expect.arrayContaining(['postern.db-wal', 'postern.db-shm', 'tls', 'tls/self-signed.key']),
      );
      expect(statSync(join(directory, '.jwt_secret')).uid).toBe(gate);
      expect(others).toEqual([]);
    });

    test('a link that the gate has put there makes no file of root’s elsewhere', async () => {
      const [directory, elsewhere] = [directoryOf(gate), directoryOf(0)];
      const lure = join(elsewhere, 'lure');
      symlinkSync(lure, storePath(directory));
      await expect(openStore(storePath(directory), 1_000)).rejects.toThrow(storePath(directory));
      expect(existsSync(lure)).toBe(false);
    });
  },
);

describe.runIf(canHere('root', process.getuid?.() === 0))(
  'the start says what to do about what is another’s',
  () => {
    // Root as it is in a container: it cannot read files of other users.
    const asInContainer = [
      'setpriv',
      '--bounding-set=-dac_override,-dac_read_search,-chown,-fowner',
    ] as const;
    const start = (directory: string, change?: () => void) => {
      writeFileSync(
        join(directory, 'config.yml'),
        'networking: { listen: { authenticated: "127.0.0.1:0", internal: off } }\nauth: { enabled: false }\n',
      );
      change?.();
      const [program, ...args] = [...asInContainer, process.execPath, join(projectRoot, 'dist', 'main.js')];
      const { status, stdout } = spawnSync(program, args, {
        env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
        encoding: 'utf8',
        timeout: patience,
      });
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      return { status, lines, last: lines.at(-1) };
    };
    const foreignFile = (path: string) => {
      writeFileSync(path, '');
      chmodSync(path, 0o600);
      chownSync(path, gate, gate);
    };
    const whose = `it belongs to user ${gate}, and this is user 0: as root, chown`;

    test('a database', () => {
      const directory = directoryOf(0);
      foreignFile(storePath(directory));
      const { status, last } = start(directory);
      expect([status, last?.['level']]).toEqual([1, 'fatal']);
      expect(last?.['msg']).toMatch(/^cannot start: \S+postern\.db cannot be used \(EACCES/);
      expect(last?.['msg']).toContain(`; ${whose} -R 0:0 ${directory}`);
    });

    test('the directory in which it should be made', () => {
      const directory = directoryOf(gate);
      chmodSync(directory, 0o755);
      const { status, last } = start(directory);
      expect(status).toBe(1);
      expect(last?.['msg']).toContain(`; ${whose} -R 0:0 ${directory}`);
    });

    test.each(['.jwt_secret', 'config.yml'])('%s', (name) => {
      const directory = directoryOf(0);
      const file = join(directory, name);
      const { status, lines } = start(directory, () => foreignFile(file));
      expect(status).toBe(78);
      const problem = lines.find(({ path }) => path === file);
      expect(problem?.['found']).toBe(
        `a file that cannot be read (EACCES); it belongs to user ${gate}, and this is user 0: as root, chown 0:0 ${file}`,
      );
    });
  },
);
