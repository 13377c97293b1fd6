import { availableParallelism } from 'node:os';
import { Pool } from 'undici';
import { startGate, type GateProcess } from './gate-process.ts';
import { floodWithLogins } from './login-flood.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { atMost, median, milliseconds, type Section } from './report.ts';
import { responseTimes, type ResponseTimes } from './response-times.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { sessionToken, viewerToken } from './session-tokens.ts';

const rate = 500;

/** What floods of other work do to the times of decisions. */
export async function measureFloods(pace: Pace): Promise<Section> {
  const gate = await startGate({ auth: { failed_login_rate_limit: '' } }, 'socket');
  const headers = authorizationRequest(withCookie(viewerToken()));
  const seconds = 3 * pace.seconds;
  const bare = await startBareServer(gate.address, headers);
  const times: Record<'quiet' | 'logins' | 'bare' | 'roles', ResponseTimes[]> = {
    quiet: [],
    logins: [],
    bare: [],
    roles: [],
  };
  const measure = async (name: keyof typeof times, address = gate.address) => {
    const measured = await responseTimes({ address, headers, rate, seconds, sleeps: true });
    times[name].push(measured);
    return measured.p99;
  };
  const flooded = async (work: () => Promise<number>) => {
    const flood = floodWithLogins(gate, 64, seconds + 1.5);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const p99 = await work();
    await flood;
    return p99;
  };
  const figures = await interleave(
    { rounds: Math.min(3, pace.rounds) },
    {
      quiet: () => measure('quiet'),
      logins: () => flooded(() => measure('logins')),
      bare: () => flooded(() => measure('bare', bare.address)),
      roles: async () => {
        const stop = changeRoles(gate);
        const p99 = await measure('roles');
        await stop();
        return p99;
      },
    },
  );
  await gate.close();
  const row = (title: string, name: keyof typeof times) => [
    title,
    // The first round is not counted here either.
    milliseconds(median(times[name].slice(1).map(({ p50 }) => p50))),
    milliseconds(median(figures[name])),
    ratioText(figures[name], figures.quiet),
  ];
  return {
    title: '/auth during floods',
    how: `A client in a process of its own asks for \`/auth\` with a session cookie ${rate} times a second on the Unix socket, whether the answers come or not. Each runs for ${seconds} seconds in each of 3 rounds. Meanwhile nothing else happens, or 64 clients log in without pause, each login a whole PBKDF2, or the configuration is swapped ten times a second, by \`PUT /postern/api/roles\`, which writes config.yml and reads it anew. The row of the bare server shows what the machine alone makes of it: the clients of the flood and PBKDF2 want its ${availableParallelism()} cores too.`,
    tables: [
      {
        head: ['meanwhile', 'p50', 'p99', 'p99 against quiet (least – greatest)'],
        rows: [
          row('nothing', 'quiet'),
          row('64 clients log in', 'logins'),
          row('the same, but a bare `node:http` server beside the gate is asked', 'bare'),
          row('the configuration changes every 100 ms', 'roles'),
        ],
      },
    ],
    targets: [atMost('p99 during a login flood against without', 2, ratio(figures.logins, figures.quiet))],
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
  // It is looked at when it is stopped.
  changing.catch(() => undefined);
  return async () => {
    stopped.abort();
    await changing;
    await pool.destroy();
  };
}
