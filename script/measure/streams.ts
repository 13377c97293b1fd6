import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { freePort } from '../../test/support/ports.ts';
import { connectTo } from '../../test/support/raw-http.ts';
import { acceptWebSocket, frameOf, opcodes } from '../../test/support/web-socket.ts';
import { inTurns, median, ratio, times } from './figures.ts';
import { cookieOf, openSite, startGate } from './gate.ts';
import { atEnd, processorTime, runProgram, startNginx, temporaryDirectory } from './programs.ts';
import type { Measurement } from './targets.ts';

const streamCount = 16;
/** 4 Mbit/s, as a camera's main stream has. */
const [framesPerSecond, frameSize] = [20, 25_000];
/** Bytes of the download. */
const gigabyte = 1e9;

interface Front {
  /** `host:port` */
  readonly address: string;
  readonly pid: number;
}

export const streams: Measurement = {
  name: 'streams',
  title: 'Streams',
  sentence: `Postern can be the web server too. Its embedded front and nginx pass the same bytes of one recorder to browsers, over TLS: ${streamCount} live streams of 4 Mbit/s each, by WebSocket, and a recording of 1 GB. nginx decides nothing here.`,
  async measure({ rounds, seconds, scale }) {
    const live = await startLiveSource();
    const size = Math.max(1e6, gigabyte * scale);
    const site = await openSite(
      1_000,
      `location ^~ /live/ {
      proxy_pass http://${live};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
    }
    location ~ clip\\.mp4$ { default_type video/mp4; rewrite .* /clip break; }`,
    );
    const clip = join(site.directory, 'clip');
    writeFileSync(clip, '');
    truncateSync(clip, size);
    const networking = { listen: { authenticated: '127.0.0.1:0', internal: 'off' } };
    const gate = await startGate({ ...site.config, networking });
    const fronts = {
      postern: { address: gate.front, pid: gate.pid },
      nginx: await startPlainNginx(site.recorder),
    };
    const watched = await inTurns(rounds, {
      postern: () => watch(fronts.postern, 2 * seconds),
      nginx: () => watch(fronts.nginx, 2 * seconds),
    });
    const loaded = await inTurns(rounds, {
      postern: () => download(fronts.postern, size),
      nginx: () => download(fronts.nginx, size),
    });
    const share = (front: 'postern' | 'nginx') =>
      `${(median(watched[front], 'processor') * 100).toFixed(1)} %`;
    const took = (front: 'postern' | 'nginx') => `${median(loaded[front], 'processor').toFixed(2)} s`;
    const figures = {
      live: ratio(watched.postern, watched.nginx, 'processor'),
      download: ratio(loaded.postern, loaded.nginx, 'processor'),
    };
    return {
      says: `${streamCount} live streams take ${share('postern')} of one core.`,
      rows: [
        ['processor time', 'Postern', 'nginx', 'against nginx'],
        [`${streamCount} live streams, of one core`, share('postern'), share('nginx'), times(figures.live)],
        ['1 GB', took('postern'), took('nginx'), times(figures.download)],
      ],
      figures,
    };
  },
};

/** What a camera sends: frames at a fixed rate to whoever has connected. @returns `host:port` */
async function startLiveSource(): Promise<string> {
  const viewers = new Set<Duplex>();
  const server = createServer().on('upgrade', (request, socket) => {
    acceptWebSocket(request, socket);
    viewers.add(socket.on('error', () => socket.destroy()).on('close', () => viewers.delete(socket)));
  });
  const frame = frameOf(opcodes.binary, randomBytes(frameSize));
  const timer = setInterval(() => viewers.forEach((viewer) => viewer.write(frame)), 1_000 / framesPerSecond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    clearInterval(timer);
    viewers.forEach((viewer) => viewer.destroy());
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** nginx as a reverse proxy with TLS, with nothing to decide. */
async function startPlainNginx(recorder: string): Promise<Front> {
  const directory = temporaryDirectory('proxy');
  const { cert, key } = await selfSignedCertificate(directory, Date.now());
  writeFileSync(join(directory, 'certificate.pem'), cert);
  writeFileSync(join(directory, 'key.pem'), key);
  const address = `127.0.0.1:${await freePort()}`;
  const pid = await startNginx(
    directory,
    address,
    `map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream recorder { server ${recorder}; keepalive 64; }
  server {
    listen ${address} ssl;
    ssl_certificate ${directory}/certificate.pem;
    ssl_certificate_key ${directory}/key.pem;
    location / {
      proxy_pass http://recorder;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_buffer_size 32k;
      proxy_buffers 4 32k;
      proxy_max_temp_file_size 0;
    }
  }`,
  );
  return { address, pid };
}

const cookie = () => cookieOf('viewer');

/** @returns seconds of the processor for each second in which all streams run */
async function watch({ address, pid }: Front, seconds: number): Promise<{ readonly processor: number }> {
  let received = 0;
  const token = cookie();
  const sockets = Array.from({ length: streamCount }, () => {
    const socket = connectTo(address, true).on('error', () => undefined);
    socket.write(
      `GET /live/mse/api/ws?src=front_door HTTP/1.1\r\nHost: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nOrigin: https://${address}\r\nCookie: ${token}\r\n\r\n`,
    );
    return socket.on('data', ({ length }: Buffer) => (received += length));
  });
  await sleep(1_000);
  const before = { processor: processorTime(pid), received };
  await sleep(1_000 * seconds);
  for (const socket of sockets) socket.destroy();
  // A busy machine sends late: the processor time is of the bytes that came.
  const passed = (received - before.received) / (streamCount * framesPerSecond * frameSize);
  if (passed < seconds / 4) throw new Error(`${address}: ${passed} of ${seconds} seconds came`);
  return { processor: (processorTime(pid) - before.processor) / passed };
}

/** @returns seconds of the processor for the whole file */
async function download({ address, pid }: Front, size: number): Promise<{ readonly processor: number }> {
  const before = processorTime(pid);
  const url = `https://${address}/api/front_door/start/1793000930/end/1793004530/clip.mp4`;
  const output = await runProgram({
    command: 'curl',
    arguments: ['-sSfk', '-o', '/dev/null', '-w', '%{size_download}', '-H', `Cookie: ${cookie()}`, url],
  });
  if (Number(output) !== size) throw new Error(`${url}: ${output} of ${size} bytes`);
  return { processor: processorTime(pid) - before };
}
