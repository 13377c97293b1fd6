import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNginx } from '../../test/support/start-nginx.ts';
import { startProgram } from './child.ts';
import { startGate } from './gate-process.ts';
import {
  browserHeaders,
  authorizationRequest,
  startBareServer,
  withCookie,
} from './authorization-requests.ts';
import { atLeast, count, median, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { stoppedAtEnd, temporaryDirectory } from './running.ts';
import { viewerToken } from './session-tokens.ts';
import { saturate } from './wrk.ts';

/** Client to recorder and back through the project's nginx, with the gate and with less and less in its place. */
export async function measureNginx(pace: Pace): Promise<Section> {
  const gate = await startGate({}, 'socket');
  const cookie = withCookie(viewerToken());
  const directory = temporaryDirectory('front');
  const bare = await startBareServer(
    gate.address,
    authorizationRequest(cookie),
    `unix:${directory}/bare.sock`,
  );
  const recorder = await startRecorder(directory);
  const start = async (gateway: string, changes: Parameters<typeof startNginx>[0]['changes'] = {}) => {
    const starting = startNginx({
      gateway: { authenticated: gateway, internal: gateway },
      recorder,
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
  const withReturn = await start(bare.address, {
    'postern/server.conf': [['internal;\n  proxy_pass $gateway/auth;', 'internal;\n  return 200;']],
  });
  const without = await start(bare.address, { 'postern/gate.conf': [['auth_request /_gate;', '']] });

  const rate = async (address: string) => {
    const headers = { Host: 'cameras.example', ...browserHeaders, ...cookie };
    return (await saturate({ address, path: '/api/events?limit=25', headers, seconds: pace.seconds })).rate;
  };
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
    how: "wrk (32 connections, one thread) asks nginx with the project's own configuration, one worker, for `GET /api/events?limit=25` with a session cookie; the recorder behind is another nginx that answers `return 200` on a Unix socket, the same for all. What nginx asks on a Unix socket is the gate, a bare `node:http` server that answers the same bytes, nothing but `return 200` in place of the authorization request, or nothing at all. There is no TLS: it would cost each of them the same and make them look more alike.",
    tables: [
      {
        head: ['nginx with', 'answers/s', 'gate / this (least – greatest)'],
        rows: [
          row('the gate', figures.gate),
          row('the bare server', figures.bare),
          row('an internal `return 200`', figures.answer),
          row('no `auth_request`', figures.none),
        ],
      },
    ],
    targets: [
      atLeast('through nginx, against nginx with the bare server', 0.95, ratio(figures.gate, figures.bare)),
    ],
  };
}

/** nginx that answers at once. @returns its Unix socket */
async function startRecorder(directory: string): Promise<string> {
  const socket = `unix:${directory}/recorder.sock`;
  const file = join(directory, 'recorder.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join('\n  ');
  writeFileSync(
    file,
    `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/recorder.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  ${paths}
  access_log off;
  default_type application/json;
  server {
    listen ${socket};
    return 200 "[]";
  }
}
`,
  );
  const ready = `while ! [ -S ${directory}/recorder.sock ]; do sleep 0.05; done; echo ready`;
  await startProgram(
    { command: 'sh', arguments: ['-c', `(${ready}) & exec nginx -p ${directory} -c ${file} -e stderr`] },
    (line) => line === 'ready',
  );
  return socket;
}
