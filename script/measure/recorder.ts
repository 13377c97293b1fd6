import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPaths } from '../../test/support/nginx-temporary.ts';
import { freePort } from '../../test/support/ports.ts';
import { startProgram } from './child.ts';
import { neighbourCameras } from './recorder-content.ts';
import { temporaryDirectory } from './running.ts';

const pictureSize = 20 * 1_024;
const segmentSize = 2 * 1_024 * 1_024;

export interface Recorder {
  /** `host:port`: pictures, segments and a list, each of one size. */
  readonly media: string;
  /** `unix:/path`: answers everything with an empty list. */
  readonly brief: string;
}

const event = {
  id: '1793000935.726501-j8ht9l',
  camera: 'front_door',
  label: 'person',
  zones: ['yard'],
  start_time: 1_793_000_935.7,
  end_time: 1_793_000_945.7,
  has_clip: true,
  has_snapshot: true,
  data: { box: [0.425, 0.827, 0.124, 0.223], score: 0.589, type: 'object' },
};

/** A recorder that is as fast as a server can be: nginx, one worker, from memory. It knows the role `neighbour`. */
export async function startRecorder(): Promise<Recorder> {
  const directory = temporaryDirectory('recorder');
  const media = `127.0.0.1:${await freePort()}`;
  const brief = `unix:${directory}/recorder.sock`;
  writeFileSync(join(directory, 'picture'), randomBytes(pictureSize));
  writeFileSync(join(directory, 'segment'), randomBytes(segmentSize));
  writeFileSync(join(directory, 'list'), JSON.stringify(Array.from({ length: 25 }, () => event)));
  const profile = { username: 'postern', role: 'neighbour', allowed_cameras: neighbourCameras };
  const profileLocation = `location = /api/profile { return 200 '${JSON.stringify(profile)}'; }`;
  const file = join(directory, 'recorder.conf');
  writeFileSync(
    file,
    `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/recorder.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  ${temporaryPaths(directory)}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=10;
  default_type application/json;
  server {
    listen ${media};
    root ${directory};
    ${profileLocation}
    location ~ \\.(webp|jpg)$ { default_type image/webp; rewrite .* /picture break; }
    location ~ \\.m4s$ { default_type video/mp4; rewrite .* /segment break; }
    location / { rewrite .* /list break; }
  }
  server {
    listen ${brief};
    ${profileLocation}
    location / { return 200 "[]"; }
  }
}
`,
  );
  const ready = `while ! [ -S ${directory}/recorder.sock ]; do sleep 0.05; done; echo ready`;
  await startProgram(
    { command: 'sh', arguments: ['-c', `(${ready}) & exec nginx -p ${directory} -c ${file} -e stderr`] },
    (line) => line === 'ready',
  );
  return { media, brief };
}
