import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { userOf, visitor, type Visitor } from '../../test/support/log-in.ts';
import { sendRaw } from '../../test/support/raw-http.ts';
import { startProgram } from '../measure/child.ts';
import { temporaryDirectory } from '../measure/running.ts';

export interface BusyGate {
  /** `host:port` of the listener for metrics. */
  readonly metrics: string;
  /** Asks, logs in and changes the configuration for so many seconds. */
  work(seconds: number): Promise<void>;
}

type Header = readonly [name: string, value: string];

/** The real program in a process of its own, with clients of every kind. */
export async function startBusyGate(): Promise<BusyGate> {
  const directory = temporaryDirectory('busy');
  const listen = { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0', metrics: '127.0.0.1:0' };
  const configure = (camera: string, auth: Record<string, unknown> = {}) =>
    writeFileSync(
      join(directory, 'config.yml'),
      stringify({
        networking: { listen, forward_auth: { authenticated: `unix:${directory}/gate.sock` } },
        cameras: ['front_door', 'driveway', 'garage'],
        auth: { roles: { family: [camera] }, failed_login_rate_limit: '10/minute', ...auth },
      }),
    );
  configure('front_door');
  const { lines } = await startProgram(
    {
      command: process.execPath,
      arguments: [join(import.meta.dirname, '..', '..', 'src', 'main.ts')],
      environment: { SERVICE_CONFIG_DIR: directory },
    },
    (line) => line.includes('"msg":"ready"'),
  );
  const ready = JSON.parse(lines.at(-1) ?? '') as Record<'authenticated' | 'internal' | 'metrics', string>;
  const password = /password: (\S+)/.exec(lines.join('\n'))?.[1] ?? '';
  const admin = visitor(ready.authenticated);
  await admin.logIn('admin', password);
  const anna = await userOf(admin, ready.authenticated, 'anna', 'family');

  /** One question of a front, of the kind that its turn says. */
  const ask = async (turn: number) => {
    const session: Header = ['Cookie', `session_token=${(turn % 3 === 0 ? anna : admin).token ?? ''}`];
    const uri = turn % 5 === 0 ? '/api/garage/latest.jpg' : `/api/front_door/latest.jpg?cache=${turn % 40}`;
    if (turn % 9 === 0)
      return sendRaw(`unix:${directory}/gate.sock`, {
        uri: '/api/authz/forward-auth',
        headers: [
          ['X-Forwarded-Method', 'GET'],
          ['X-Forwarded-Uri', uri],
          ['X-Forwarded-Proto', 'https'],
          ['X-Forwarded-Host', 'cameras.example'],
          ...(turn % 27 === 0 ? [] : [session]),
        ],
      });
    if (turn % 25 === 0) return sendRaw(ready.internal, { uri: '/api/events?limit=1' });
    return sendRaw(`unix:${directory}/gate.sock`, {
      uri: '/auth',
      headers: [['X-Original-Method', 'GET'], ['X-Original-URL', uri], ...(turn % 14 === 0 ? [] : [session])],
    });
  };

  return {
    metrics: ready.metrics,
    work: (seconds) => work(seconds, { ask, admin, password, configure, at: ready }),
  };
}

/** Everything at once, each at its own pace. */
async function work(
  seconds: number,
  gate: {
    readonly ask: (turn: number) => Promise<unknown>;
    readonly admin: Visitor;
    readonly password: string;
    readonly configure: (camera: string, auth?: Record<string, unknown>) => void;
    readonly at: { readonly authenticated: string };
  },
): Promise<void> {
  const began = Date.now();
  const elapsed = () => (Date.now() - began) / 1_000;
  const every = async (pause: () => number, act: (turn: number) => unknown) => {
    for (let turn = 1; elapsed() < seconds; turn += 1) {
      await act(turn);
      await wait(pause());
    }
  };
  // As of a family in the evening: it comes and goes.
  const tide = () => 6 + 20 * (1 + Math.sin((elapsed() / seconds) * 4 * Math.PI));
  await Promise.all([
    ...Array.from({ length: 3 }, (_, client) => every(tide, (turn) => gate.ask(turn * 3 + client))),
    every(
      () => 4_000,
      (turn) => visitor(gate.at.authenticated).logIn('admin', turn % 3 === 0 ? 'wrong' : gate.password),
    ),
    // Somebody guesses for a while.
    every(
      () => (elapsed() > seconds / 2 && elapsed() < seconds * 0.7 ? 700 : 5_000),
      () => visitor(gate.at.authenticated).logIn('root', 'letmein'),
    ),
    every(
      () => 25_000,
      (turn) =>
        turn % 3 === 2
          ? gate.configure('garage', { enabled: 'maybe' })
          : gate.configure(turn % 3 === 0 ? 'front_door' : 'driveway'),
    ),
  ]);
  gate.configure('front_door');
}
