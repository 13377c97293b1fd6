import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { answerGate } from '../support/recorder-profile.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { childrenOf } from '../support/start-process.ts';
import { patience } from '../support/patience.ts';
import { canHere } from '../support/can-here.ts';

/** The command that starts a process with the id 1, as in a container. */
const inContainer = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** The process before a recorder whose answers are held back. */
async function start(shutdownTimeout: number, within: readonly string[] = [], shutdownDelay = 0) {
  const held: ServerResponse[] = [];
  const recorder = createServer((request, response) => {
    if (answerGate(request, response, { cameras: ['front'], roles: {} })) return;
    response.write('first ');
    held.push(response);
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const upgraded: number[] = [];
  recorder.on('upgrade', (_, socket) => {
    upgraded.push(1);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.on('error', () => socket.destroy());
  });
  const directory = mkdtempSync(join(tmpdir(), 'postern-shutdown-'));
  writeFileSync(
    join(directory, 'config.yml'),
    stringify({
      networking: { listen: { authenticated: 'off', internal: '127.0.0.1:0' } },
      upstream: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
      shutdown_timeout: shutdownTimeout,
      shutdown_delay: shutdownDelay,
    }),
  );
  const [program, ...args] = [...within, process.execPath, join(projectRoot, 'dist', 'main.js')];
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    recorder.closeAllConnections();
    recorder.close();
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(() => expect(output).toContain('"msg":"ready"'), { timeout: patience });
  const ready = output.split('\n').find((line) => line.includes('"msg":"ready"'));
  const { internal } = JSON.parse(ready ?? '{}') as { internal: string };
  const underWay = async () => {
    const answer = sendRaw(internal, { uri: '/api/version', headers: [['Connection', 'keep-alive']] });
    await vi.waitFor(() => expect(held).not.toEqual([]), { timeout: patience });
    return answer;
  };
  const isOpen = async () => {
    const socket = connectTo(internal);
    const opened = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return opened;
  };
  return { child, exited, held, upgraded, internal, underWay, isOpen, output: () => output };
}

const isStopping = (output: () => string) =>
  vi.waitFor(() => expect(output()).toContain('"msg":"stopping"'), { timeout: patience });

test('open requests are finished, and nothing new begins', async () => {
  const { child, exited, held, underWay, isOpen, output } = await start(30);
  const answering = underWay();
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: patience });
  child.kill('SIGTERM');
  await isStopping(output);
  await vi.waitFor(async () => expect(await isOpen()).toBe(false), { timeout: patience });
  held[0]?.end('last');
  expect(await answering).toMatchObject({ status: 200 });
  expect((await answering).body).toContain('last');
  expect(await exited).toEqual([0, null]);
});

test('a gate that will stop reports it, and serves for as long as others need to notice', async () => {
  const { child, exited, internal, isOpen, output } = await start(30, [], 3_600);
  const kept = connectTo(internal);
  const answers: string[] = [];
  kept.on('data', (chunk: Buffer) => answers.push(chunk.toString()));
  const ended = once(kept, 'end');
  const ask = (path: string) => kept.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  ask('/healthz');
  await vi.waitFor(() => expect(answers.join('')).toContain('alive'), { timeout: patience });
  expect(answers.join('')).toContain('Connection: keep-alive');
  child.kill('SIGTERM');
  await isStopping(output);
  answers.length = 0;
  ask('/readyz');
  await ended;
  expect(answers.join('')).toContain('HTTP/1.1 503');
  expect(answers.join('')).toContain('Connection: close');
  expect(answers.join('')).toContain('{"status":"unready","checks":{"running":"failed"}}');
  expect(await isOpen()).toBe(true);
  child.kill('SIGTERM');
  expect(await exited).toEqual([1, null]);
});

test('cuts requests that are not finished in time', async () => {
  const { child, exited, held, underWay } = await start(1);
  const answering = underWay();
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: patience });
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect((await answering).body).not.toContain('last');
});

test('a second signal ends it at once', async () => {
  const { child, exited, held, underWay, output } = await start(30);
  void underWay();
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: patience });
  child.kill('SIGTERM');
  await isStopping(output);
  child.kill('SIGTERM');
  expect(await exited).toEqual([1, null]);
  expect(output()).toContain('stopped at once');
});

test('a WebSocket does not hold it up', async () => {
  const { child, exited, upgraded, internal } = await start(30);
  const socket = connectTo(internal);
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  socket.write(
    'GET /ws HTTP/1.1\r\nHost: gate.local\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  socket.resume();
  await vi.waitFor(() => expect(upgraded).toHaveLength(1), { timeout: patience });
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  await closed;
});

const [unshare = '', ...unshareOptions] = inContainer;
const canUnshare = canHere('unshare', spawnSync(unshare, [...unshareOptions, 'true']).status === 0);

describe.runIf(canUnshare)('as the process with the id 1', () => {
  const startFirst = async () => {
    const started = await start(30, inContainer);
    const [first = 0] = childrenOf(started.child.pid ?? 0);
    expect(readFileSync(`/proc/${first}/status`, 'utf8')).toMatch(/^NSpid:\t\d+\t1$/m);
    return { ...started, first };
  };

  test('SIGTERM lets what is under way come to its end', async () => {
    const { first, exited, held, underWay, output } = await startFirst();
    const answering = underWay();
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: patience });
    process.kill(first, 'SIGTERM');
    await isStopping(output);
    held[0]?.end('last');
    expect((await answering).body).toContain('last');
    expect(await exited).toEqual([0, null]);
  });

  test('SIGHUP reads the files again, and there is nothing to reap', async () => {
    const { first, exited, internal, output } = await startFirst();
    process.kill(first, 'SIGHUP');
    await vi.waitFor(() => expect(output()).toContain('"cause":"SIGHUP"'), { timeout: patience });
    // A login hashes in threads.
    const login = await sendRaw(internal, {
      method: 'POST',
      uri: '/api/login',
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ user: 'unknown', password: 'nothing-at-all' }),
    });
    expect(login.status).toBe(401);
    expect(childrenOf(first)).toEqual([]);
    process.kill(first, 'SIGINT');
    expect(await exited).toEqual([0, null]);
  });
});

test('a signal before everything is started ends it, and SIGHUP does not', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-shutdown-'));
  // Its first line is a warning; the first start makes the password of admin then.
  writeFileSync(
    join(directory, 'config.yml'),
    stringify({
      networking: { listen: { authenticated: 'off', internal: '127.0.0.1:0' } },
      auth: { failed_login_rate_limit: '' },
    }),
  );
  const child = spawn(process.execPath, [join(projectRoot, 'dist', 'main.js')], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGHUP');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(output).toContain('stopped before everything was started');
  expect(output).not.toContain('"msg":"ready"');
});
