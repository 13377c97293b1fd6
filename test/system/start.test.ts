import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { activityPath, openActivity } from '../../src/store/sqlite/open-store.ts';
import { sendRaw } from '../support/raw-http.ts';
import { projectRoot, startGateway } from '../support/start-gateway.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';

type LogLine = Readonly<Record<string, unknown>>;

interface Run {
  readonly lines: LogLine[];
  readonly exitCode: number | null;
}

/** Runs the real process until it is ready, or ends. */
async function run(
  config: string | undefined,
  environment: Record<string, string> = {},
  whenReady?: (lines: LogLine[], directory: string) => Promise<void>,
  prepare?: (directory: string) => Promise<void>,
  program = 'dist/main.js',
): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-start-'));
  await prepare?.(directory);
  if (config !== undefined) writeFileSync(join(directory, 'config.yml'), config);
  const child = spawn(process.execPath, [join(projectRoot, program)], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: LogLine[] = [];
  let pending = '';
  child.stdout.on('data', (chunk: Buffer) => {
    pending += chunk.toString();
    const complete = pending.split('\n');
    pending = complete.pop() ?? '';
    for (const line of complete) {
      lines.push(JSON.parse(line) as LogLine);
      if (lines.at(-1)?.['msg'] === 'ready') {
        void (whenReady?.(lines, directory) ?? Promise.resolve()).finally(() => child.kill('SIGTERM'));
      }
    }
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { lines, exitCode };
}

const freePorts = 'networking: { listen: { authenticated: "127.0.0.1:0", internal: "127.0.0.1:0" } }\n';

/** Sessions of so many users that the start is not done with them when it fails. */
async function manySessions(directory: string): Promise<void> {
  const activity = await openActivity(activityPath(directory), 1_000);
  const seen = Array.from({ length: 500 }, (_, n) => ({
    session_id: `session ${n}`,
    username: `user${n}`,
    session_generation: null,
    began_at: 1,
    last_seen_at: 1,
    expires_at: 9_999_999_999,
    address: null,
    agent: null,
  }));
  await activity.insertInto('seen_sessions').values(seen).execute();
  await activity.destroy();
}

describe('the process', () => {
  test.each([
    ['the bundle', 'dist/main.js'],
    ['its sources', 'src/main.ts'],
  ])(
    'from %s starts without any problem, answers on both entry points, and ends on SIGTERM',
    async (_, program) => {
      const answers: number[] = [];
      const { lines, exitCode } = await run(
        freePorts,
        {},
        async (log) => {
          const ready = log.at(-1) as { authenticated: string; internal: string };
          answers.push((await sendRaw(ready.authenticated, { uri: '/api/events' }, true)).status);
          answers.push((await sendRaw(ready.internal, { uri: '/api/events' })).status);
        },
        undefined,
        program,
      );
      expect(exitCode).toBe(0);
      expect(answers).toEqual([401, 200]);
      const warnings = lines.filter(({ level }) => level !== 'info').map(({ msg }) => msg);
      expect(warnings).toEqual([expect.stringMatching(/created user "admin", password: \w{24} /)]);
    },
  );

  test('has its start on record, with the hash of its configuration, and its warnings in the log', async () => {
    const found: unknown[] = [];
    const config = `${freePorts}auth: { failed_login_rate_limit: "" }\n`;
    const { lines } = await run(config, {}, async (_, directory) => {
      const file = new DatabaseSync(join(directory, 'activity.db'), { readOnly: true });
      const read = file.prepare(`SELECT event, source, detail FROM audit_records WHERE event = 'started'`);
      for (let i = 0; i < 100 && found.length === 0; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        found.push(...read.all());
      }
      file.close();
    });
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringMatching(/^auth\.failed_login_rate_limit/),
      }),
    );
    const said = lines.filter(({ event }) => event === 'started');
    expect(said).toMatchObject([{ msg: 'started', hash: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
    const detail = JSON.stringify({ hash: said[0]?.['hash'] });
    expect(found).toMatchObject([{ event: 'started', source: 'system', detail }]);
  });

  test('reports every problem at once and exits with 78 without listening', async () => {
    const { lines, exitCode } = await run(
      `${freePorts}
auth: { enabled: "no", sesion_length: 5, roles: { "bad role": [a] } }
proxy: { auth_secret: "hush {SERVICE_NOWHERE}", separator: ", ", header_map: { user: X-Other } }
tls: { certificate: 5 }
`,
    );
    expect(exitCode).toBe(78);
    expect(lines.some(({ msg }) => msg === 'ready')).toBe(false);
    expect(lines.map(({ path }) => path).filter(Boolean)).toEqual([
      'auth.sesion_length',
      'auth.enabled',
      'auth.roles.bad role',
      'proxy.separator',
      'tls.certificate',
      'proxy.header_map.user',
      'proxy.auth_secret',
    ]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });

  test.each([
    [
      'networking.listen.authenticated',
      (port: number) => `listen: { authenticated: "127.0.0.1:${port}", internal: off }`,
    ],
    [
      'networking.forward_auth.internal',
      (port: number) =>
        `forward_auth: { internal: "127.0.0.1:${port}" }, listen: { authenticated: off, internal: off }`,
    ],
  ])(
    'an address of %s that is taken is one line, with the key, the address and what to do',
    async (key, networking) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const { lines, exitCode } = await run(
        `networking: { ${networking(port)} }\nauth: { enabled: false }\n`,
        {},
        undefined,
        manySessions,
      );
      server.close();
      expect(exitCode).toBe(1);
      expect(lines.filter(({ level }) => level === 'fatal' || level === 'error')).toEqual([
        expect.objectContaining({
          msg: `cannot start: ${key}: cannot listen on 127.0.0.1:${port} (EADDRINUSE): another program listens there, perhaps Frigate or a Postern that runs already: end it, or set another address`,
        }),
      ]);
      expect(lines.at(-1)).not.toHaveProperty('err');
      // Open requests were finished before the database was closed.
      expect(lines.filter(({ msg }) => String(msg).includes('pruned'))).toEqual([]);
    },
  );

  test('a start that cannot listen leaves the first password to the next one', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    let directory = '';
    const listenAt = (taken: number) =>
      `networking: { listen: { authenticated: "127.0.0.1:0", internal: off, metrics: "127.0.0.1:${taken}" } }\n`;
    const failed = await run(listenAt(port), {}, undefined, async (used) => void (directory = used));
    server.close();
    expect(failed.exitCode).toBe(1);
    expect(JSON.stringify(failed.lines)).not.toContain('password:');
    const { lines } = await run(listenAt(0), { SERVICE_CONFIG_DIR: directory });
    expect(lines.map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/created user "admin", password: \w{24} /),
    );
  });

  test('without config.yml it logs what it uses', async () => {
    const { lines } = await run(undefined, { LOG_LEVEL: 'info' });
    expect(lines[0]?.['msg']).toMatch(/no config\.yml/);
    expect(lines.some(({ msg }) => /the events are the bundled sample/.test(String(msg)))).toBe(true);
  });
});

describe('a fault behind the gate', () => {
  test('an event database that cannot be read is a warning of the start, with the key and the path', async () => {
    const { lines } = await run(
      `${freePorts}events: { database: /nowhere/recorder.db }\nauth: { enabled: false }\n`,
    );
    expect(lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^events\.database: \/nowhere\/recorder\.db is a file that is not there: .* 503/),
    );
  });

  test('an event database that reappears is used', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'postern-db-')), 'recorder.db');
    const gateway = await startGateway({ config: { events: { database: file } } });
    const ask = () => sendRaw(gateway.addresses.internal ?? '', { uri: '/api/events?limit=1' });
    const before = await ask();
    copyFileSync(join(projectRoot, 'test', 'support', 'recorder.db'), file);
    const after = await ask();
    await gateway.close();
    expect([before.status, after.status]).toEqual([503, 200]);
  });

  test('the events app refuses requests without an identity', async () => {
    const gateway = await startGateway();
    const answer = await sendRaw(gateway.addresses.events ?? '', { uri: '/api/events' });
    await gateway.close();
    expect(answer.status).toBe(401);
  });
});

describe('what listens before the first account is made', () => {
  test('answers 503', async () => {
    const directory = temporaryDirectory();
    const events = `unix:${directory}/events.sock`;
    const listening = [
      events,
      `unix:${directory}/authenticated.sock`,
      `unix:${directory}/relay-internal.sock`,
    ];
    const upgrade = [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
    ] as const;
    const ask = () =>
      Promise.all([
        ...listening.map((at) => sendRaw(at, { uri: '/auth' })),
        sendRaw(`unix:${directory}/relay-internal.sock`, { uri: '/ws', headers: upgrade }),
      ]);
    const found: Array<readonly [status: number, retry: readonly string[] | undefined]> = [];
    const gateway = await startGateway({
      directory,
      config: { events: { listen: events } },
      onHash: async () => {
        for (const { status, headers } of await ask()) found.push([status, headers.get('retry-after')]);
      },
    });
    onTestFinished(() => gateway.close());
    expect(found).toEqual(Array.from({ length: 4 }, () => [503, ['1']]));
    expect((await ask()).map(({ status }) => status)).not.toContain(503);
  });

  test('where events.listen is asked from the beginning', async () => {
    const ready = new AbortController();
    const answers = new Set<number>();
    let asking = Promise.resolve();
    const prepare = async (directory: string) => {
      const events = `${directory}/events.sock`;
      writeFileSync(join(directory, 'config.yml'), `${freePorts}events: { listen: "unix:${events}" }\n`);
      const ask = async () => {
        while (!ready.signal.aborted || ![...answers].some((status) => status > 0 && status !== 503)) {
          if (existsSync(events))
            answers.add((await sendRaw(`unix:${events}`, { uri: '/api/events' })).status);
          await pause(1);
        }
      };
      asking = ask();
    };
    const { exitCode } = await run(
      undefined,
      {},
      async () => {
        ready.abort();
        await asking;
      },
      prepare,
    );
    // A socket is there a moment before it is listened to, and answers a moment before it is ready.
    answers.delete(0);
    answers.delete(503);
    expect([exitCode, [...answers]]).toEqual([0, [401]]);
  });
});

test('a socket that a killed process left is replaced, one that is in use is not', async () => {
  const gateway = await startGateway();
  const path = (gateway.addresses.forwardAuthInternal ?? '').slice('unix:'.length);
  const config = {
    networking: {
      listen: { authenticated: 'off', internal: 'off' },
      forward_auth: { internal: `unix:${path}` },
    },
  };
  await expect(startGateway({ config })).rejects.toThrow('EADDRINUSE');
  await gateway.close();

  const stale = join(mkdtempSync(join(tmpdir(), 'postern-stale-')), 's.sock');
  const killed = spawn(process.execPath, [
    '-e',
    `require('net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  await once(killed, 'exit');
  expect(existsSync(stale)).toBe(true);
  const again = await startGateway({
    config: { networking: { ...config.networking, forward_auth: { internal: `unix:${stale}` } } },
  });
  const answer = await sendRaw(`unix:${stale}`, { uri: '/auth' });
  await again.close();
  expect(answer.status).toBe(200);
});

test('with too few files to open, the start says that, and not that a file is unreadable', () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-start-'));
  writeFileSync(join(directory, 'config.yml'), freePorts);
  const program = [process.execPath, join(projectRoot, 'dist/main.js')];
  const { stdout, status } = spawnSync('bash', ['-c', 'ulimit -n 30; exec "$@"', 'bash', ...program], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    encoding: 'utf8',
  });
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as LogLine)).toEqual([
    expect.objectContaining({
      level: 'fatal',
      msg: 'cannot start: too few files may be open (ulimit -n is 30): raise it to 1024 or more (LimitNOFILE= in systemd)',
    }),
  ]);
  expect(status).toBe(1);
});
