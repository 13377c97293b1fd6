import { startGate } from './gate-process.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { atLeast, count, median, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { viewerToken } from './session-tokens.ts';
import { saturate } from './wrk.ts';

export const proxyConfig = {
  auth: { enabled: false },
  proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
};

/** `/auth` warm, in its three ways to know a user, against bare `node:http`. */
export async function measureAuth(pace: Pace): Promise<Section> {
  const sessions = await startGate({});
  const proxy = await startGate(proxyConfig);
  const token = viewerToken();
  const asked = {
    cookie: { gate: sessions, headers: authorizationRequest(withCookie(token)) },
    bearer: { gate: sessions, headers: authorizationRequest({ Authorization: `Bearer ${token}` }) },
    proxy: {
      gate: proxy,
      headers: authorizationRequest({
        'Remote-User': 'olaf',
        'Remote-Groups': 'viewer',
        'Remote-Name': 'Olaf',
      }),
    },
  };
  const bares = {
    cookie: await startBareServer(asked.cookie.gate.address, asked.cookie.headers),
    bearer: await startBareServer(asked.bearer.gate.address, asked.bearer.headers),
    proxy: await startBareServer(asked.proxy.gate.address, asked.proxy.headers),
  };
  const rate = async (address: string, headers: Readonly<Record<string, string>>) =>
    (await saturate({ address, path: '/auth', headers, seconds: pace.seconds })).rate;

  const figures = await interleave(pace, {
    cookie: () => rate(asked.cookie.gate.address, asked.cookie.headers),
    bareCookie: () => rate(bares.cookie.address, asked.cookie.headers),
    bearer: () => rate(asked.bearer.gate.address, asked.bearer.headers),
    bareBearer: () => rate(bares.bearer.address, asked.bearer.headers),
    proxy: () => rate(asked.proxy.gate.address, asked.proxy.headers),
    bareProxy: () => rate(bares.proxy.address, asked.proxy.headers),
  });
  for (const gate of [sessions, proxy]) await gate.close();

  const { cookie, bearer, proxy: byProxy, bareCookie, bareBearer, bareProxy } = figures;
  const row = (name: string, rates: readonly number[], bare: readonly number[]) => [
    name,
    count(median(rates)),
    count(median(bare)),
    ratioText(rates, bare),
  ];
  return {
    title: '/auth, warm',
    how: 'wrk (32 connections, one thread) asks over TCP on 127.0.0.1 what nginx would ask about `GET /api/events?limit=25`, always the same request. The bare server is a `node:http` server in a process of its own that gets the same request and answers with the very header lines that the gate answered, and does nothing else.',
    tables: [
      {
        head: [
          'who is asking, by',
          'gate, answers/s',
          'bare node:http, answers/s',
          'gate / bare (least – greatest)',
        ],
        rows: [
          row('session cookie', cookie, bareCookie),
          row('session token as bearer', bearer, bareBearer),
          row('headers of a proxy', byProxy, bareProxy),
        ],
      },
    ],
    targets: [atLeast('`/auth`, cookie, warm, against bare `node:http`', 0.9, ratio(cookie, bareCookie))],
  };
}
