import { availableParallelism } from 'node:os';
import { Pool } from 'undici';
import { startGate, type GateProcess } from './gate-process.ts';
import { floodWithLogins } from './logins.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { atMost, median, milliseconds, type Section } from './report.ts';
import { responseTimes, type ResponseTimes } from './response-times.ts';
import { each, interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { sessionToken, viewerToken } from './session-tokens.ts';

const rate = 500;

/** How floods of other work slow decisions. */
export async function measureFloods(pace: Pace): Promise<Section> {
  const gate = await startGate({ auth: { failed_login_rate_limit: '' } }, 'socket');
  const headers = authorizationRequest(withCookie(viewerToken()));
  const seconds = 3 * pace.seconds;
  const bare = await startBareServer(gate.address, headers);
  const measure = (address = gate.address) =>
    responseTimes({ address, headers, rate, seconds, sleeps: true });
  const duringLogins = async (address?: string) => {
    const flood = floodWithLogins(gate, 64, seconds + 1.5);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const times = await measure(address);
    await flood;
    return times;
  };
  const figures = await interleave(
    { rounds: Math.min(3, pace.rounds) },
    {
      quiet: () => measure(),
      logins: () => duringLogins(),
      bare: () => duringLogins(bare.address),
      roles: async () => {
        const stop = changeRoles(gate);
        const times = await measure();
        await stop();
        return times;
      },
    },
  );
  await gate.close();
  const quiet = each(figures.quiet, 'p99');
  const row = (title: string, times: readonly ResponseTimes[]) => [
    title,
    milliseconds(median(each(times, 'p50'))),
    milliseconds(median(each(times, 'p99'))),
    ratioText(each(times, 'p99'), quiet),
  ];
  return {
    title: '/auth during floods',
    how: `A client in a process of its own asks for \`/auth\` with a session cookie ${rate} times a second on the Unix socket, whether the answers come or not. Each runs for ${seconds} seconds in each of 3 rounds. Meanwhile nothing else happens, or 64 clients sign in without pause, each login a whole PBKDF2, or the configuration is swapped ten times a second, by \`PUT /postern/api/roles\`, which writes config.yml and reads it again. The row of the bare server shows what the machine alone makes of it: the clients of the flood and PBKDF2 want its ${availableParallelism()} cores too.`,
    tables: [
      {
        head: ['meanwhile', 'p50', 'p99', 'p99 against quiet (least – greatest)'],
        rows: [
          row('nothing', figures.quiet),
          row('64 clients sign in', figures.logins),
          row('the same, but a bare `node:http` server beside the gate is asked', figures.bare),
          row('the configuration changes every 100 ms', figures.roles),
        ],
      },
    ],
    targets: [
      atMost('p99 during a login flood against without', 2, ratio(each(figures.logins, 'p99'), quiet)),
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
