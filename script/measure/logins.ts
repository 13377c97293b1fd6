import { pbkdf2 } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { measureScript, runProgram } from './child.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { median, secondsText, type Section } from './report.ts';
import { interleave, ratioText, type Pace } from './rounds.ts';

const derive = promisify(pbkdf2);
const concurrency = Math.max(1, availableParallelism() - 1);

/** Logins against bare PBKDF2. */
export async function measureLogins(pace: Pace): Promise<Section> {
  const seconds = 4 * pace.seconds;
  const gate = await startGate({ auth: { failed_login_rate_limit: '' } }, 'socket');
  const { logins, bare } = await interleave(
    { rounds: Math.min(3, pace.rounds) },
    {
      logins: async () => (await floodWithLogins(gate, 2 * concurrency, seconds)) / seconds,
      bare: () => bareRate(seconds),
    },
  );
  await gate.close();
  return {
    title: 'Logins',
    how: `${2 * concurrency} clients sign in without pause; beside it PBKDF2 alone, with the parameters of a login, ${concurrency} at once as in the gate. Each runs for ${secondsText(seconds)} in each of ${Math.min(3, pace.rounds)} rounds.`,
    tables: [
      {
        head: ['', 'a second', 'against bare'],
        rows: [
          ['logins', median(logins).toFixed(1), ratioText(logins, bare)],
          ['bare PBKDF2', median(bare).toFixed(1), '1'],
        ],
      },
    ],
  };
}

/** Signs in without pause, in a process of its own. @returns how many logins succeeded */
export async function floodWithLogins(
  { address, password }: GateProcess,
  clients: number,
  seconds: number,
): Promise<number> {
  const socketPath = address.slice('unix:'.length);
  const parameters = [socketPath, password, String(clients), String(seconds)];
  return Number(await runProgram(measureScript('login-clients.ts', ...parameters)));
}

/** Derivations per second with the login's own concurrency. */
async function bareRate(seconds: number): Promise<number> {
  const start = performance.now();
  let done = 0;
  const loop = async () => {
    while (performance.now() < start + seconds * 1_000) {
      await derive('a password', '0'.repeat(32), 600_000, 32, 'sha256');
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return (done / (performance.now() - start)) * 1_000;
}
