import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { frigateHeaders } from '../../src/adopt/own-file.ts';
import { configurationReader } from '../../src/config/load.ts';
import { trialFaults } from '../../src/recorder/try-recorder.ts';
import { projectRoot } from '../support/start-gateway.ts';

const committed = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

const directivesOf = (list: string) =>
  [...list.matchAll(/^proxy_set_header (.*);$/gm)].map(([, directive]) => directive);

interface Service {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly user?: string;
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly network_mode?: string;
  readonly volumes: readonly string[];
  readonly secrets?: readonly string[];
  readonly command?: readonly string[];
}

const compose = parse(committed('compose.recorder.yaml')) as {
  readonly services: Readonly<Record<'recorder' | 'gate' | 'nginx', Service>>;
  readonly networks: Readonly<Record<string, { internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, { driver_opts: { o: string } }>>;
  readonly secrets: Readonly<Record<string, { file: string }>>;
};
const { recorder, gate, nginx } = compose.services;
const mountsOf = ({ volumes }: Service) => {
  return volumes.map((volume) => {
    const [, source = '', target = '', mode = ''] =
      /^(\$\{[^}]*\}[^:]*|[^:]*):([^:]*):?(.*)$/.exec(volume) ?? [];
    return { source, target, mode };
  });
};
const nginxFile = committed('nginx/recorder.conf');
const readGateConfiguration = configurationReader({}, projectRoot, 'config.yml');

describe('compose.recorder.yaml', () => {
  test('publishes nginx with TLS, and nothing else', () => {
    expect(Object.keys(compose.services)).toEqual(['recorder', 'gate', 'nginx']);
    expect([recorder.ports, gate.ports, nginx.ports]).toEqual([undefined, undefined, ['8971:8971']]);
    expect(nginxFile.match(/^ *listen .*/gm)?.map((line) => line.trim())).toEqual([
      'listen 8971 ssl sndbuf=128k;',
      'listen 127.0.0.1:5000;',
    ]);
    expect(Object.values(compose.services).filter((service) => service.network_mode !== undefined)).toEqual(
      [],
    );
  });

  test('puts only nginx and the gate beside the recorder, on a network without a way out', () => {
    const { cameras, behind, ...others } = compose.networks;
    expect([cameras, behind, others]).toEqual([null, { internal: true }, { outside: null }]);
    expect([recorder.networks, gate.networks, nginx.networks]).toEqual([
      ['behind', 'cameras'],
      ['behind'],
      ['behind', 'outside'],
    ]);
  });

  test('has images of one release, or of this project', () => {
    expect(recorder.image).toMatch(/:\d+\.\d+\.\d+$/);
    expect([gate, nginx].map(({ image, build }) => [image, build?.target])).toEqual([
      ['${POSTERN_IMAGE:-postern-gateway}', 'gateway'],
      ['${POSTERN_FRONT_IMAGE:-postern-front}', 'front'],
    ]);
  });

  test('runs the images of this project as they are meant to', () => {
    const ofImages = parse(committed('compose.yaml')) as {
      readonly services: Readonly<Record<'gateway' | 'front', object>>;
    };
    const kept = ['build', 'user', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'stop_grace_period'];
    const guards = (service: object) => kept.map((key) => (service as Record<string, unknown>)[key]);
    expect(guards(gate)).toEqual(guards(ofImages.services.gateway));
    expect(guards(nginx)).toEqual(guards(ofImages.services.front));
  });

  test('mounts files that exist, or that the guide makes', () => {
    const guide = committed('docs/recorder.md');
    const sources = Object.values(compose.services).flatMap((service) =>
      mountsOf(service).map(({ source }) => source),
    );
    const ofHere = sources
      .filter((source) => source.startsWith('.'))
      .map((source) => source.replace(/^\.\/?/, ''));
    const missing = ofHere.filter(
      (path) => !existsSync(join(projectRoot, path)) || path.startsWith('config'),
    );
    expect(new Set(missing)).toEqual(new Set(['config', 'config/tls']));
    for (const path of [...missing, 'config/secrets/SERVICE_JWT_SECRET']) expect(guide).toContain(path);
    expect(sources.filter((source) => !source.startsWith('.'))).toEqual([
      '${RECORDER:-/srv/recorder}/config',
      '${RECORDER:-/srv/recorder}/media',
      'sockets',
      '${RECORDER:-/srv/recorder}/config',
      'sockets',
    ]);
  });

  test('lets gate and nginx share the sockets, by the group of the gate', () => {
    const group = gate.user?.split(':')[1];
    expect(compose.volumes['sockets']?.driver_opts.o.split(',')).toEqual([
      'uid=1000',
      `gid=${group}`,
      'mode=1770',
    ]);
    for (const service of [gate, nginx]) {
      expect(mountsOf(service)).toContainEqual({ source: 'sockets', target: '/run/postern', mode: '' });
    }
    const { listen } = readGateConfiguration(committed('docs/recorder/config.yml'));
    const { forwardAuthAuthenticated, forwardAuthInternal, relayAuthenticated, relayInternal } = listen;
    for (const address of [
      forwardAuthAuthenticated,
      forwardAuthInternal,
      relayAuthenticated,
      relayInternal,
    ]) {
      expect(nginxFile).toContain(`server unix:${(address as { path: string }).path};`);
    }
  });

  test('gives the recorder a list of trusted headers, and each its own configuration', () => {
    const list = '/usr/local/nginx/conf/proxy_trusted_headers.conf';
    expect(mountsOf(recorder).find(({ target }) => target === list)?.source).toBe(
      './docs/recorder/recorder_trusted_headers.conf',
    );
    // Above it is the entry point of the image: nginx, in /usr/local/nginx.
    expect(nginx.command?.slice(0, 2)).toEqual(['-c', 'conf/recorder.conf']);
    expect(committed('Dockerfile')).toContain(
      'ENTRYPOINT ["nginx", "-e", "stderr", "-p", "/usr/local/nginx"]\n',
    );
    expect(mountsOf(gate)).toContainEqual({ source: './config', target: '/config', mode: '' });
    expect(committed('Dockerfile')).toContain('ENV SERVICE_CONFIG_DIR=/config\n');
    const [certificate] = /\/etc\/postern\/tls/.exec(nginxFile) ?? [];
    expect(mountsOf(nginx).some(({ target, mode }) => target === certificate && mode === 'ro')).toBe(true);
  });

  test('lets the gate read the database of the recorder, and take its secret from /run/secrets', () => {
    const { eventsDatabase } = readGateConfiguration(committed('docs/recorder/config.yml'));
    const mount = mountsOf(gate).find(({ target }) => eventsDatabase?.startsWith(`${target}/`));
    expect(mount).toMatchObject({ mode: 'ro', source: mountsOf(recorder)[0]?.source });
    expect(gate.secrets).toEqual(Object.keys(compose.secrets));
    expect(gate.secrets).toEqual(['SERVICE_JWT_SECRET']);
  });
});

describe('docs/recorder/config.yml', () => {
  const text = committed('docs/recorder/config.yml');

  test('is a configuration without warnings and without a port of its own', () => {
    const { warnings, auth, listen, upstream, accessRules } = readGateConfiguration(text);
    expect(warnings).toEqual([]);
    expect(auth).toMatchObject({ enabled: true, cookieName: 'frigate_token' });
    expect([listen.authenticated, listen.internal, listen.events]).toEqual([undefined, undefined, undefined]);
    expect(`server ${upstream?.replace('http://', '')};`).toBe(/server recorder:\d+;/.exec(nginxFile)?.[0]);
    expect(accessRules).toEqual([]);
  });

  test('can be the file of a recorder too', () => {
    const ofRecorder = `${text}
mqtt: { host: broker }
detectors: { cpu1: { type: cpu } }
go2rtc: { streams: { driveway: ['rtsp://10.0.0.2/main'] } }
record: { enabled: true, retain: { days: 3, mode: motion } }
version: 0.17-0
cameras:
  driveway:
    ffmpeg: { inputs: [{ path: rtsp://127.0.0.1:8554/driveway, roles: [detect, record] }] }
    live: { streams: { Main: driveway, Sub: driveway_sub } }
  front_door: { detect: { enabled: true } }
`;
    const { warnings, cameras } = readGateConfiguration(ofRecorder);
    expect([warnings, cameras]).toEqual([[], ['driveway', 'front_door']]);
  });

  test('has the same roles as the part of the recorder’s file', () => {
    const { auth } = parse(text) as { auth: { roles: object } };
    expect(parse(committed('docs/recorder/recorder.yml'))).toEqual({
      auth: { enabled: false, roles: { ...auth.roles, closed: ['no_such_camera'] } },
      proxy: { header_map: { user: 'remote-user', role: 'remote-role' }, default_role: 'closed' },
      tls: { enabled: false },
    });
  });

  test('the recorder gets the headers that adopt lets it believe, and nginx sets each of them', () => {
    const list = committed('docs/recorder/recorder_trusted_headers.conf');
    expect(directivesOf(list)).toEqual(directivesOf(frigateHeaders));
    expect(directivesOf(list)).toEqual([
      'X-Proxy-Secret $http_x_proxy_secret',
      'Remote-User $http_remote_user',
      'Remote-Role $http_remote_role',
    ]);
    const nginxHeaders = committed('nginx/postern/recorder.conf');
    expect(nginxHeaders).toContain('proxy_set_header X-Proxy-Secret $recorder_secret;');
    for (const name of ['Remote-User', 'Remote-Role'])
      expect(nginxHeaders).toContain(`proxy_set_header ${name} $gate_`);
  });
});

describe('docs/first-run.md', () => {
  const guide = committed('docs/first-run.md');

  test('opens the configuration to the UI as docs/recorder/config.yml does', () => {
    const [, keys = ''] = /```yaml\n(upstream:.*?)```/s.exec(guide) ?? [];
    expect(Object.keys(parse(keys) as object)).toEqual(['upstream', 'events']);
    const rulesOf = (text: string) => (parse(text) as { readonly access: object }).access;
    expect(rulesOf(keys)).toEqual(rulesOf(committed('docs/recorder/config.yml')));
  });

  test('explains what the address answers', () => {
    const [, explained = ''] = guide.split('### What the address answers');
    for (const fault of Object.keys(trialFaults).filter((name) => name !== 'too_large'))
      expect(explained).toContain(`| \`${fault}\` `);
  });
});

test('docs/migration.md sets at the recorder what docs/recorder/recorder.yml sets', () => {
  const [, keys = ''] = /```yaml\n( +auth:.*?)```/s.exec(committed('docs/migration.md')) ?? [];
  expect(Object.keys(parse(keys) as object)).toEqual(['auth', 'proxy', 'tls']);
  expect(parse(committed('docs/recorder/recorder.yml'))).toMatchObject(parse(keys) as object);
});

test('nginx/recorder.conf is nginx/nginx.conf except for the recorder, its pages and media', () => {
  const lines = (file: string): string[] =>
    committed(`nginx/${file}`)
      .replaceAll(/^ *#.*$/gm, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const without = (all: string[], ...left: string[]) => all.filter((line) => !left.includes(line)).toSorted();
  const upstream = ['keepalive 32;', 'keepalive 64;'];
  expect(
    without(lines('recorder.conf'), 'server recorder:8971;', 'include postern/media.conf;', ...upstream),
  ).toEqual(
    without(
      lines('nginx.conf'),
      'server unix:/run/postern/events.sock;',
      'include postern/root-redirect.conf;',
      ...upstream,
    ),
  );
});
