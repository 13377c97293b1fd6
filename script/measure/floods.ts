import { availableParallelism } from 'node:os';
import { Pool } from 'undici';
import { startGate, type GateProcess } from './gate-process.ts';
import { floodWithLogins } from './logins.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { atMost, secondsText, type Section } from './report.ts';
import { besideBare, besideCells, besideHead, p99Of, type Beside } from './response-times.ts';
import { interleave, ratio, type Pace } from './rounds.ts';
import { sessionToken, viewerToken } from './session-tokens.ts';

const rate = 500;

/** How floods of other work slow decisions. */
export async function measureFloods(pace: Pace): Promise<Section> {
  const gate = await startGate({ auth: { failed_login_rate_limit: '' } }, 'socket');
  const headers = authorizationRequest(withCookie(viewerToken()));
  const seconds = 2 * pace.seconds;
  // A p99 swings more than a rate does; the quick form has one round of everything.
  const rounds = pace.rounds === 1 ? 1 : 3 * pace.rounds;
  const bare = await startBareServer(gate.address, headers, `${gate.address}.bare`);
  const measure = () =>
    besideBare({ address: gate.address, headers, rate, seconds, sleeps: true }, bare.address);
  const figures = await interleave(
    { rounds },
    {
      quiet: measure,
      logins: async () => {
        const flood = floodWithLogins(gate, 64, seconds + 1.5);
        await new Promise((resolve) => setTimeout(resolve, 500));
        const times = await measure();
        await flood;
        return times;
      },
      roles: async () => {
        const stop = changeRoles(gate);
        const times = await measure();
        await stop();
        return times;
      },
    },
  );
  await gate.close();
  const row = (title: string, times: readonly Beside[]) => [title, ...besideCells(times, figures.quiet)];
  return {
    title: '/auth during floods',
    how: `A client asks for \`/auth\` with a session cookie ${rate} times a second, whether the answers come or not, while another one asks a bare \`node:http\` server in the same way, for ${secondsText(seconds)} in each of ${rounds} rounds. Meanwhile nothing else happens, or 64 clients sign in without pause, or the configuration is swapped ten times a second, by \`PUT /postern/api/roles\`. The clients and PBKDF2 use the machine's ${availableParallelism()} cores too.`,
    tables: [
      {
        head: ['meanwhile', ...besideHead],
        rows: [
          row('nothing', figures.quiet),
          row('64 clients sign in', figures.logins),
          row('the configuration changes every 100 ms', figures.roles),
        ],
      },
    ],
    targets: [
      atMost(
        'p99 of `/auth` during a flood of sign-ins, against a bare server in the same moment',
        1.3,
        ratio(p99Of(figures.logins, 'gate'), p99Of(figures.logins, 'bare')),
      ),
      atMost(
        'p99 of `/auth` while the configuration changes ten times a second, against quiet',
        3,
        ratio(p99Of(figures.roles, 'gate'), p99Of(figures.quiet, 'gate')),
      ),
    ],
  };
}

/** Changes a role every 100 ms. @returns what stops it, and throws when a change was refused */
function changeRoles({ address }: GateProcess): () => Promise<void> {
  const pool = new Pool('http://gate', { socketPath: address.slice('unix:'.length), connections: 1 });
  const authorization = `Bearer ${sessionToken('admin', 'admin')}`;
  const stopped = new AbortController();
  const change = async () => {
    for (let n = 0; !stopped.signal.aborted; n += 1) {
      const { statusCode, body } = await pool.request({
        method: 'PUT',
        path: '/postern/api/roles/guests',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ cameras: [`camera_${n % 2}`] }),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`change of a role: ${statusCode} ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const changing = change();
  // Its failure is thrown when it is stopped.
  changing.catch(() => undefined);
  return async () => {
    stopped.abort();
    await changing;
    await pool.destroy();
  };
}
