import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/ports.ts';
import { runNginx } from './run-nginx.ts';
import { neighbourCameras } from './recorder-content.ts';
import { temporaryDirectory } from './running.ts';

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
const list = Array.from({ length: 25 }, () => event);

/** Bytes of the bodies of `media`. */
export const sizes = {
  picture: 20 * 1_024,
  segment: 2 * 1_024 * 1_024,
  list: JSON.stringify(list).length,
} as const;

export interface Recorder {
  /** `host:port`: pictures, segments and a list, each of one size. */
  readonly media: string;
  /** `unix:/path`: answers everything with an empty list. */
  readonly brief: string;
}

/** The fastest possible recorder: nginx, one worker, from memory. It has the role `neighbour`. */
export async function startRecorder(): Promise<Recorder> {
  const directory = temporaryDirectory('recorder');
  const media = `127.0.0.1:${await freePort()}`;
  const brief = `unix:${directory}/recorder.sock`;
  writeFileSync(join(directory, 'picture'), randomBytes(sizes.picture));
  writeFileSync(join(directory, 'segment'), randomBytes(sizes.segment));
  writeFileSync(join(directory, 'list'), JSON.stringify(list));
  const profile = { username: 'postern', role: 'neighbour', allowed_cameras: neighbourCameras };
  const profileLocation = `location = /api/profile { return 200 '${JSON.stringify(profile)}'; }`;
  await runNginx(
    directory,
    `sendfile on;
  tcp_nopush on;
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
  }`,
  );
  return { media, brief };
}
