import { execFile } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { startGateProcess, type GateProcess } from './gate-process.ts';
import { median, percentile, print } from './report.ts';

const run = promisify(execFile);
const derive = promisify(pbkdf2);
const rounds = 3;
const seconds = 5;
const concurrency = Math.max(1, availableParallelism() - 1);

/** Logins against bare PBKDF2, and what a login flood costs the decisions. */
export async function measureLogins(): Promise<void> {
  const gate = await startGateProcess({ auth: { failed_login_rate_limit: '' } });
  const shares: number[] = [];
  const quiet: number[] = [];
  const flooded: number[] = [];
  try {
    const token = await logIn(gate);
    await decisionTimes(gate, token);
    for (let round = 0; round < rounds; round += 1) {
      const bare = await bareRate();
      const logins = (await logInFor(gate, 2 * concurrency)) / seconds;
      shares.push(logins / bare);
      quiet.push(percentile(await decisionTimes(gate, token), 0.99));
      const flood = logInFor(gate, 64);
      await new Promise((resolve) => setTimeout(resolve, 500));
      flooded.push(percentile(await decisionTimes(gate, token, seconds - 1), 0.99));
      await flood;
    }
  } finally {
    await gate.close();
  }
  const ratios = flooded.map((value, i) => value / (quiet[i] ?? Number.NaN));
  print(
    `logins per second, as a share of bare PBKDF2 at concurrency ${concurrency}: ${median(shares).toFixed(2)}`,
  );
  print(`p99 of /auth while 64 clients log in, as a multiple of p99 without: ${median(ratios).toFixed(2)}`);
  print(`  each round: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
  print(
    `  milliseconds: ${quiet.map((v) => v.toFixed(2)).join(', ')} without, ${flooded.map((v) => v.toFixed(2)).join(', ')} with`,
  );
}

/** Derivations per second with the login's own concurrency. */
async function bareRate(): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let done = 0;
  const loop = async () => {
    while (performance.now() < end) {
      await derive('a password', '0'.repeat(32), 600_000, 32, 'sha256');
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return done / seconds;
}

async function logInFor(gate: GateProcess, clients: number): Promise<number> {
  const script = join(import.meta.dirname, 'login-clients.ts');
  const { stdout } = await run(process.execPath, [
    script,
    gate.socketPath,
    gate.password,
    String(clients),
    String(seconds),
  ]);
  return Number(stdout);
}

async function logIn({ socketPath, password }: GateProcess): Promise<string> {
  const pool = new Pool('http://gate', { socketPath });
  const { headers, body } = await pool.request({
    method: 'POST',
    path: '/api/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'admin', password }),
  });
  await body.dump();
  await pool.destroy();
  return /session_token=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
}

/** Milliseconds of decisions asked one after the other, 200 a second. */
async function decisionTimes(
  { socketPath }: GateProcess,
  token: string,
  length = seconds,
): Promise<number[]> {
  const pool = new Pool('http://gate', { socketPath, connections: 1 });
  const headers = {
    cookie: `session_token=${token}`,
    'x-original-method': 'GET',
    'x-original-url': '/api/events',
  };
  const times: number[] = [];
  const start = performance.now();
  for (let i = 0; i < length * 200; i += 1) {
    const due = start + i * 5;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const before = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/auth', headers });
    await body.dump();
    times.push(performance.now() - before);
    if (statusCode !== 200) throw new Error(`decision: ${statusCode}`);
  }
  await pool.destroy();
  return times;
}
