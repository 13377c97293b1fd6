import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNginx } from '../../test/support/start-nginx.ts';
import {
  authorizationRequest,
  browserHeaders,
  startBareServer,
  withCookie,
} from './authorization-requests.ts';
import { startGate } from './gate-process.ts';
import { openRecordedSite, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { atLeast, count, median, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { stoppedAtEnd } from './running.ts';
import { saturate } from './wrk.ts';

/** Whether nginx sends a target to the gate's relay, about which it asks nothing: by the locations of its configuration. */
function isRelayed(uri: string): boolean {
  const [path = ''] = uri.split('?', 1);
  return relayed.some(([kind, pattern]) => {
    if (kind === '=') return path === pattern;
    return kind === '^~' ? path.startsWith(pattern) : new RegExp(pattern).test(path);
  });
}

const configuration = readFileSync(
  join(import.meta.dirname, '..', '..', 'nginx', 'postern', 'server.conf'),
  'utf8',
);
const relayed = [
  ...configuration.matchAll(/^location (=|\^~|~) "?([^"\s]+)"? \{\n {2}include postern\/relay\.conf;/gm),
].map(([, kind = '', pattern = '']) => [kind, pattern] as const);

/** Client to recorder and back through the project's nginx, with the gate and with less and less in its place. */
export async function measureNginx(pace: Pace): Promise<Section> {
  const site = await openRecordedSite();
  const gate = await startGate(site.config, 'socket');
  const cookie = withCookie(tokenOf('viewer'));
  const path = `${site.directory}/requests`;
  const { lines } = await writeAllowedRequests(path, gate.address, 'viewer', cookie, {
    isAsked: (uri) => !isRelayed(uri),
  });
  const bare = await startBareServer(
    gate.address,
    authorizationRequest(cookie),
    `unix:${site.directory}/bare.sock`,
  );
  const start = async (gateway: string, changes: Parameters<typeof startNginx>[0]['changes'] = {}) => {
    const starting = startNginx({
      gateway: { authenticated: gateway, internal: gateway },
      recorder: site.recorder.brief,
      tls: false,
      changes,
    });
    stoppedAtEnd(async () => (await starting).close());
    const { authenticated } = await starting;
    const passed = await fetch(`http://${authenticated}/api/events?limit=25`, { headers: cookie });
    if ((await passed.text()) !== '[]') throw new Error('nginx does not answer what the recorder does');
    return authenticated;
  };
  const withGate = await start(gate.address);
  const withBare = await start(bare.address);
  // Without the gate there is no identity, and nginx would pass nothing on.
  const passOnToRecorder = {
    'postern/http.conf': [["'' '';\n  default recorder", 'default recorder']],
  } as const;
  const withReturn = await start(bare.address, {
    ...passOnToRecorder,
    'postern/server.conf': [['internal;\n  proxy_pass $gateway/auth?narrow;', 'internal;\n  return 200;']],
  });
  const without = await start(bare.address, {
    ...passOnToRecorder,
    'postern/gate-narrow.conf': [['auth_request /_gate_narrow;', '']],
  });

  const headers = { Host: 'cameras.example', ...browserHeaders, ...cookie };
  const rate = async (address: string) =>
    (await saturate({ address, path: '/{record}', headers, seconds: pace.seconds, records: { lines } })).rate;
  const figures = await interleave(pace, {
    gate: () => rate(withGate),
    bare: () => rate(withBare),
    answer: () => rate(withReturn),
    none: () => rate(without),
  });
  await gate.close();

  const row = (name: string, rates: readonly number[]) => [
    name,
    count(median(rates)),
    ratioText(figures.gate, rates),
  ];
  return {
    title: 'Through nginx',
    how: `wrk (32 connections, one thread) asks nginx with the project's own configuration and one worker, with the session cookie of a viewer, another URL each time, as above, but for what nginx sends to the relay. The recorder is another nginx, which answers \`return 200\` on a Unix socket. nginx asks the gate, a bare \`node:http\` server that answers the same bytes, \`return 200\`, or nothing. There is no TLS.`,
    tables: [
      {
        head: ['nginx with', 'answers/s', 'gate / this'],
        rows: [
          row('the gate', figures.gate),
          row('the bare server', figures.bare),
          row('an internal `return 200`', figures.answer),
          row('no `auth_request`', figures.none),
        ],
      },
    ],
    targets: [
      atLeast(
        'through nginx, another URL each time, against nginx with the bare server',
        0.9,
        ratio(figures.gate, figures.bare),
      ),
    ],
  };
}
