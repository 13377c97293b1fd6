import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { goodPassword, visitor } from '../support/log-in.ts';
import { freePort, listening } from '../support/ports.ts';
import { outputOf } from '../support/postern-command.ts';
import { scrape } from '../support/scrape.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';
import { canHere } from '../support/can-here.ts';

type Line = Readonly<Record<string, unknown>>;

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-log-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface Process {
  readonly child: ChildProcess;
  readonly address: string;
  readonly metrics: string;
  /** Exit code and signal. */
  readonly ended: Promise<unknown>;
}

/**
 * The real process. It listens at an address that is not read from its log.
 * @param stdout its standard output
 * @param within the command that starts it
 */
async function start(
  directory: string,
  stdout: 'pipe' | 'ignore' | number,
  within: readonly string[] = [],
  config: object = {},
): Promise<Process> {
  const address = `127.0.0.1:${await freePort()}`;
  const metrics = `unix:${directory}/metrics.sock`;
  writeFileSync(
    join(directory, 'config.yml'),
    stringify({
      networking: { listen: { authenticated: address, internal: 'off', metrics } },
      tls: { enabled: false },
      auth: { failed_login_rate_limit: '' },
      ...config,
    }),
  );
  const [program, ...args] = [...within, process.execPath, join(projectRoot, 'dist', 'main.js')];
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    stdio: ['ignore', stdout, 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await vi.waitFor(() => listening(address), { timeout: patience });
  return { child, address, metrics, ended };
}

async function withAdmin(): Promise<string> {
  const directory = temporary();
  await outputOf(directory, ['users', 'add', 'ada', '--role', 'admin'], { input: goodPassword });
  return directory;
}

/** Everything that makes log lines is answered as ever, whatever becomes of them. */
async function expectAnswers({ address }: Process): Promise<void> {
  const refused = new Set<number>();
  for (let i = 0; i < 1_200; i += 1) {
    const answer = await fetch(`http://${address}/api/${'x'.repeat(400)}`);
    await answer.arrayBuffer();
    refused.add(answer.status);
  }
  const admin = visitor(address, false);
  const login = await admin.logIn('ada', goodPassword);
  const user = { username: 'vera', password: goodPassword, role: 'viewer' };
  const made = await admin.send('POST', '/api/users', user);
  const users = await admin.send('GET', '/api/users');
  const ended = admin.token;
  const logout = await admin.send('POST', '/api/logout');
  expect({
    refused: [...refused],
    login: login.status,
    made: made.status,
    users: (JSON.parse(users.body) as Line[]).map(({ username }) => username),
    logout: logout.status,
    cleared: admin.token,
  }).toEqual({
    refused: [401],
    login: 200,
    made: 201,
    users: ['ada', 'vera'],
    logout: 303,
    cleared: undefined,
  });
  admin.token = ended;
  expect((await admin.send('GET', '/api/profile')).status).toBe(401);
}

const droppedLines = async ({ metrics }: Process) =>
  (await scrape(metrics)).get('postern_log_lines_dropped_total');

/** @returns complete lines, each of which must be whole */
const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
const noticesIn = (lines: readonly Line[]) => lines.filter(({ dropped }) => dropped !== undefined);

/** The log counts dropped lines in their place, and continues behind. */
async function expectNotice(running: Process, read: () => string): Promise<void> {
  const { status } = await fetch(`http://${running.address}/api/last`);
  expect(status).toBe(401);
  await vi.waitFor(
    async () => {
      const lines = linesOf(read());
      const notices = noticesIn(lines);
      const counted = notices.reduce((sum, { dropped }) => sum + Number(dropped), 0);
      expect(counted).toBeGreaterThan(0);
      expect(counted).toBe(await droppedLines(running));
      const last = lines.at(-1);
      if (last === notices.at(-1)) await fetch(`http://${running.address}/api/last`);
      expect(last).toMatchObject({ event: 'refused', path: '/api/last' });
    },
    { timeout: patience, interval: 100 },
  );
}

async function expectEnd({ child, ended }: Process): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}

/** A pipe of which this process has the end to read. */
function pipe() {
  const path = join(temporary(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  let text = '';
  const chunk = Buffer.alloc(65_536);
  return {
    writer,
    read: () => {
      try {
        for (let size = 1; size > 0;) {
          size = readSync(reader, chunk);
          text += chunk.toString('latin1', 0, size);
        }
      } catch {
        // There is nothing more at this moment.
      }
      return text;
    },
    close: () => closeSync(reader),
  };
}

describe('no client of the gate notices that its log', () => {
  test('is a pipe without a reader; when it is read again, the log counts what is missing', async () => {
    const { writer, read, close } = pipe();
    onTestFinished(close);
    const running = await start(await withAdmin(), writer);
    closeSync(writer);
    await expectAnswers(running);
    expect(await droppedLines(running)).toBeGreaterThan(0);
    await expectNotice(running, read);
    expect(linesOf(read()).map(({ msg }) => msg)).toContain('ready');
    await expectEnd(running);
    expect(linesOf(read()).map(({ msg }) => msg)).toContain('stopping');
  });

  test('is a pipe whose reader is gone: it ends on a signal', async () => {
    const { writer, close } = pipe();
    onTestFinished(close);
    const running = await start(await withAdmin(), writer);
    closeSync(writer);
    await expectAnswers(running);
    await expectEnd(running);
  });

  test('is a socket without a reader, as from systemd', async () => {
    const running = await start(await withAdmin(), 'pipe');
    await expectAnswers(running);
    expect(await droppedLines(running)).toBeGreaterThan(0);
    let text = '';
    running.child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    await expectNotice(running, () => text);
    await expectEnd(running);
  });

  test('is a pipe that was closed', async () => {
    const { writer, close } = pipe();
    const running = await start(await withAdmin(), writer);
    closeSync(writer);
    close();
    await expectAnswers(running);
    expect(await droppedLines(running)).toBeGreaterThanOrEqual(1_200);
    await expectEnd(running);
  });

  test('is a socket that was closed', async () => {
    const running = await start(await withAdmin(), 'pipe');
    running.child.stdout?.destroy();
    await expectAnswers(running);
    expect(await droppedLines(running)).toBeGreaterThanOrEqual(1_200);
    await expectEnd(running);
  });
});

const canMount = canHere(
  'root and mount namespaces',
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0,
);

/** The process with its log on a disk of its own, where so many bytes are left. */
async function startOnDisk(directory: string, left: number) {
  const disk = temporary();
  const size = 65_536;
  const script = `set -e
    mount -t tmpfs -o size=${size} postern "$0"
    head -c ${size - left} /dev/zero >"$0/ballast"
    exec "$@" >>"$0/log"`;
  const running = await start(directory, 'ignore', ['unshare', '-m', 'bash', '-c', script, disk]);
  const seen = join('/proc', String(running.child.pid), 'root', disk);
  return {
    running,
    read: () => readFileSync(join(seen, 'log'), 'latin1'),
    makeRoom: () => rmSync(join(seen, 'ballast')),
  };
}

describe.runIf(canMount)('a log on a disk that is full', () => {
  test('changes no answer; when there is room, it counts what is missing', async () => {
    const { running, read, makeRoom } = await startOnDisk(await withAdmin(), 20_000);
    await expectAnswers(running);
    expect(await droppedLines(running)).toBeGreaterThan(1_000);
    makeRoom();
    await expectNotice(running, read);
    await expectEnd(running);
  });

  test('gets the password of the first start as soon as there is room', async () => {
    const { running, read, makeRoom } = await startOnDisk(temporary(), 0);
    expect(read()).toBe('');
    makeRoom();
    const printed = await vi.waitFor(
      () => {
        const [notice, ...lines] = linesOf(read());
        expect(notice).toMatchObject({ level: 'error', code: 'ENOSPC' });
        const line = lines.find(({ msg }) => String(msg).includes('created user "admin"'));
        return /password: (\S+)/.exec(String(line?.['msg']))?.[1] ?? expect.fail('no password');
      },
      { timeout: patience, interval: 100 },
    );
    expect((await visitor(running.address, false).logIn('admin', printed)).status).toBe(200);
  });
});
