import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configurationReader } from '../../src/config/load.ts';
import { copiesOf, stagesOf } from '../support/dockerfile.ts';
import { projectRoot } from '../support/start-gateway.ts';

const committed = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

const dockerfile = committed('Dockerfile');
const stages = stagesOf(dockerfile);
const all = [...stages.values()].flat();
const named = (stage: string, name: string) =>
  (stages.get(stage) ?? []).filter((instruction) => instruction.name === name);
const textOf = (stage: string, name: string) => named(stage, name).map(({ text }) => text);
const ports = (stage: string) => textOf(stage, 'EXPOSE').flatMap((text) => text.split(' '));
describe('Dockerfile', () => {
  test('builds with the Node that package.json pins', () => {
    const { devDependencies } = JSON.parse(committed('package.json')) as {
      devDependencies: { node: string };
    };
    expect(dockerfile).toContain(
      `ARG NODE_IMAGE=docker.io/library/node:${devDependencies.node.split('.')[0]}-slim\n`,
    );
  });

  test('downloads only packages, and those of the lock file', () => {
    expect(all.filter(({ name }) => name === 'ADD')).toEqual([]);
    expect(dockerfile).not.toMatch(/\b(curl|wget|git clone)\b|https?:/);
    const installs = all.filter(({ text }) => text.includes('npm ')).map(({ text }) => text);
    expect(installs).toEqual(['npm ci --ignore-scripts --no-audit --no-fund']);
  });

  test.each([
    ['gateway', '1000:101', 'SIGTERM'],
    ['front', '101:101', 'SIGQUIT'],
  ])('%s runs as %s, ends with %s, and says how it is', (stage, user, signal) => {
    const names = (stages.get(stage) ?? []).map(({ name }) => name);
    expect(textOf(stage, 'USER')).toEqual([user]);
    // Later steps would run as that user.
    expect(names.slice(names.indexOf('USER')).filter((name) => name === 'RUN' || name === 'COPY')).toEqual(
      [],
    );
    expect(textOf(stage, 'STOPSIGNAL')).toEqual([signal]);
    expect(named(stage, 'HEALTHCHECK')).toHaveLength(1);
    // Without a shell between: the process itself has the id 1, and gets the signals.
    for (const { text } of [...named(stage, 'CMD'), ...named(stage, 'ENTRYPOINT')]) {
      expect(Array.isArray(JSON.parse(text))).toBe(true);
    }
  });

  test('labels both images with the values of package.json', () => {
    const { version, license, description } = JSON.parse(committed('package.json')) as Record<string, string>;
    for (const stage of ['gateway', 'front']) {
      const [label] = textOf(stage, 'LABEL');
      expect(label).toContain(`org.opencontainers.image.version="${version}"`);
      expect(label).toContain(`org.opencontainers.image.licenses="${license}"`);
    }
    expect(textOf('gateway', 'LABEL')[0]).toContain(`image.description="${description}"`);
  });
});

describe('both images', () => {
  const conf = '/usr/local/nginx/conf';
  // The gateway has no shell: what it begins with is made in another stage.
  test.each([
    ['gateway', 'libraries', '/image'],
    ['front', 'front', ''],
  ])('%s has the one list of trusted headers where the specification has it', (stage, maker, root) => {
    // In a directory of its own, so that a list can be mounted as a directory as well as by itself.
    expect(copiesOf(stages.get(stage) ?? [])).toContainEqual({
      sources: ['proxy_trusted_headers.conf'],
      target: `${conf}/trusted-headers/`,
    });
    expect(textOf(maker, 'RUN').join('\n')).toContain(
      `ln -s trusted-headers/proxy_trusted_headers.conf ${root}${conf}/`,
    );
  });
});

describe('compose files', () => {
  const sourcesOf = (file: string) => {
    const { services } = parse(committed(file)) as { services: Record<string, { volumes?: string[] }> };
    return Object.values(services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')));
  };

  test.each(['compose.yaml', 'compose.beside.yaml', 'compose.recorder.yaml'])(
    '%s mounts directories: a file by itself stays the former one when an editor replaces it',
    (file) => {
      const files = sourcesOf(file)
        .map(([source = '']) => source)
        .filter((source) => source.startsWith('./') && /\.\w+$/.test(source));
      // The recorder's image has no directory for it.
      const ofRecorder = ['./docs/recorder/recorder_trusted_headers.conf'];
      expect(files).toEqual(file === 'compose.recorder.yaml' ? ofRecorder : []);
    },
  );

  test.each(['compose.yaml', 'compose.beside.yaml', 'compose.recorder.yaml'])(
    '%s says how to give the gateway a list of one’s own',
    (file) => {
      const line = '      # - ./config/trusted-headers:/usr/local/nginx/conf/trusted-headers:ro\n';
      expect(committed(file).split(line)).toHaveLength(2);
      // The line is a mount once it is no comment anymore.
      const uncommented = parse(committed(file).replaceAll(line, line.replace('# ', ''))) as {
        services: Record<string, { volumes: string[] }>;
      };
      const having = Object.entries(uncommented.services).filter(([, { volumes }]) =>
        volumes.includes('./config/trusted-headers:/usr/local/nginx/conf/trusted-headers:ro'),
      );
      expect(having.map(([service]) => service)).toEqual([
        file === 'compose.recorder.yaml' ? 'gate' : 'gateway',
      ]);
    },
  );
});

test.each(globSync('docs/fronts/*/compose.yaml', { cwd: projectRoot }))(
  '%s starts again by itself, and runs the gate as its image is meant to run',
  (file) => {
    const servicesOf = (path: string) =>
      (parse(committed(path)) as { services: Record<string, Record<string, unknown>> }).services;
    const services = servicesOf(file);
    const { gateway } = servicesOf('compose.yaml');
    for (const [service, { restart }] of Object.entries(services))
      expect([service, restart]).toEqual([service, 'unless-stopped']);
    for (const key of [
      'image',
      'user',
      'read_only',
      'tmpfs',
      'cap_drop',
      'security_opt',
      'stop_grace_period',
    ])
      expect(services['postern']?.[key], key).toEqual(gateway?.[key]);
    // The context is the project: nothing is built in it, and no service has it.
    expect(services['postern']?.['build']).toEqual({ context: '../../..', target: 'gateway' });
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes as string[]);
    expect(mounted.filter((volume) => /^[./]*:/.test(volume))).toEqual([]);
    const { networking } = parse(committed(join(dirname(file), 'config.yml'))) as {
      networking: { listen: { metrics?: string }; forward_auth: { internal?: string } };
    };
    const health = (services['postern']?.['healthcheck'] ?? dockerfile) as { test: string[] } | string;
    const asked = networking.listen.metrics ?? networking.forward_auth.internal;
    expect(typeof health === 'string' ? health : health.test).toContain(asked);
  },
);

describe('six lines beside Frigate', () => {
  const linesIn = (page: string) => /```yaml\n(services:\n.*?)```/s.exec(committed(page))?.[1] ?? '';
  const lines = linesIn('README.md');

  test('are the first thing that README and the guide say', () => {
    expect(lines.trim().split('\n')).toHaveLength(6);
    expect(linesIn('docs/container.md')).toBe(lines);
    for (const page of ['README.md', 'docs/container.md'])
      expect(committed(page).indexOf('```')).toBe(committed(page).indexOf('```yaml\nservices:'));
  });

  test('name an image by a variable, and build it for those who have the source', () => {
    const { services } = parse(lines) as { services: Record<string, Service> };
    expect(services).toEqual({
      postern: {
        image: '${POSTERN_IMAGE:-postern-gateway}',
        build: { context: '${POSTERN_SOURCE:-../postern}', target: 'gateway' },
        ports: ['8971:8971'],
        volumes: ['./postern:/config', './config:/recorder:ro'],
      },
    });
    const configuration = parse(committed('docs/container/beside.yml')) as { events: { database: string } };
    expect(configuration.events.database).toMatch(/^\/recorder\//);
  });
});

describe('compose.beside.yaml', () => {
  const { services, networks } = parse(committed('compose.beside.yaml')) as {
    readonly services: Readonly<Record<string, Service & { readonly networks: readonly string[] }>>;
    readonly networks: object;
  };
  const gateway = services['gateway'];
  const guide = committed('docs/container.md');
  const [, beside = ''] = /\n## Beside a recorder(.*?)\n## /s.exec(guide) ?? [];

  test('runs one gateway as the image is meant to run', () => {
    const other = (parse(committed('compose.yaml')) as { services: { gateway: object } }).services.gateway;
    const kept = [
      'image',
      'build',
      'user',
      'read_only',
      'tmpfs',
      'cap_drop',
      'security_opt',
      'stop_grace_period',
    ];
    const guards = (service: object | undefined) =>
      kept.map((key) => (service as Record<string, unknown>)[key]);
    expect(Object.keys(services)).toEqual(['gateway']);
    expect(guards(gateway)).toEqual(guards(other));
  });

  test('publishes 8971 alone, and is on the network of the recorder', () => {
    expect(gateway?.ports).toEqual(['8971:8971']);
    expect(gateway?.networks).toEqual(['recorder']);
    expect(networks).toMatchObject({ recorder: { external: true } });
  });

  test('names in .env what the guide writes there', () => {
    const names = [...committed('compose.beside.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(names).toEqual(['RECORDER_CONFIG', 'RECORDER_NETWORK']);
    for (const name of names) expect(beside).toContain(`   ${name}=`);
  });

  test('has an example configuration without warnings: its own front, with the recorder behind it', () => {
    const read = configurationReader({}, projectRoot, 'config.yml');
    const { warnings, listen, upstream, eventsDatabase } = read(committed('docs/container/beside.yml'));
    expect(warnings).toEqual([]);
    expect(listen).toMatchObject({
      authenticated: { port: 8971 },
      internal: { host: '127.0.0.1', port: 5000 },
    });
    expect(upstream).toBe('http://frigate:8971');
    expect(eventsDatabase).toBe('/recorder/frigate.db');
    expect(beside).toContain('\n     frigate:\n');
  });

  test('has the access and the roles of the guide for a whole recorder', () => {
    const keys = (path: string) => {
      const { auth, access, events } = parse(committed(path)) as Record<string, unknown>;
      return { auth, access, events };
    };
    expect(keys('docs/container/beside.yml')).toEqual(keys('docs/recorder/config.yml'));
  });
});

describe('.dockerignore', () => {
  const [first, ...allowed] = committed('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const paths = allowed.map((line) => line.replace(/^!/, ''));
  const sources = copiesOf(all).flatMap((copy) => copy.sources);

  test('leaves out everything that is not copied', () => {
    expect(first).toBe('*');
    expect(allowed.filter((line) => !line.startsWith('!') || /[*?[]/.test(line))).toEqual([]);
    const isWithin = (path: string, directory: string) =>
      path === directory || path.startsWith(`${directory}/`);
    expect(sources.filter((source) => !paths.some((path) => isWithin(source, path)))).toEqual([]);
    expect(paths.filter((path) => !sources.some((source) => isWithin(source, path)))).toEqual([]);
  });

  test('lets in what is in the project, and nothing that may hold a secret', () => {
    expect(sources.filter((source) => !existsSync(join(projectRoot, source)))).toEqual([]);
    const ignoredByGit = committed('.gitignore').split('\n').filter(Boolean);
    for (const path of paths) {
      expect(ignoredByGit).not.toContain(`/${path.split('/')[0]}/`);
      expect(path).not.toMatch(/^(\.|config|dist|node_modules)/);
    }
    const files = paths.flatMap((path) => globSync(`${path}{,/**}`, { cwd: projectRoot }));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => /(^|\/)(\.|SERVICE_JWT_SECRET)|\.(pem|key|db-wal)$/.test(file))).toEqual(
      [],
    );
  });
});

/** Every file that a program of the project imports, and every package. */
function importsOf(entries: readonly string[]) {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    const text = committed(file);
    const imports = [
      ...text.matchAll(
        /^(?:import|export) (?!type )[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
      ),
      ...text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g),
    ].map(([, ...found]) => found.find((name) => name !== undefined) ?? '');
    for (const name of imports) {
      if (name.startsWith('.')) visit(relative(projectRoot, join(projectRoot, dirname(file), name)));
      else if (!name.startsWith('node:'))
        packages.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  };
  for (const entry of entries) visit(entry);
  return { files: [...files], packages: [...packages] };
}

const programs = globSync(['src/main.ts', 'src/cli/postern.ts', 'script/container/*.ts'], {
  cwd: projectRoot,
});

test('the bundle and the UI are built of what their stage has', () => {
  const copied = copiesOf(stages.get('build') ?? []).flatMap(({ sources }) => sources);
  const { extends: base } = JSON.parse(committed('src/web/tsconfig.json')) as { extends: string };
  // The builder reads its configurations by their names.
  const configurations = globSync(['*', 'script/*'], { cwd: projectRoot }).filter((path) =>
    path.endsWith('vite.config.ts'),
  );
  expect(configurations.length).toBeGreaterThan(1);
  const { files } = importsOf([
    'script/build.ts',
    'script/bill-of-materials.ts',
    ...configurations,
    ...programs,
  ]);
  expect(files.length).toBeGreaterThan(90);
  const needed = [...files, join('src/web', base)];
  expect(needed.filter((file) => !copied.some((path) => `${file}/`.startsWith(`${path}/`)))).toEqual([]);
  expect(textOf('build', 'RUN').at(-1)).toBe(
    'node script/build.ts && node script/bill-of-materials.ts && rm -r dist/*.map dist/packages',
  );
});

describe('the gateway’s image', () => {
  const { packages } = importsOf(programs);

  test('has the packages for production, all of them, with their licences', () => {
    const { dependencies } = JSON.parse(committed('package.json')) as {
      dependencies: Record<string, string>;
    };
    expect(packages.toSorted()).toEqual(Object.keys(dependencies).toSorted());
    const licences = committed('dist/licences.md');
    for (const [name, version] of Object.entries(dependencies)) {
      expect(licences).toContain(`## ${name} - ${version} (`);
    }
    expect(licences).toContain('## Figtree (OFL-1.1)');
  });

  test('begins with nothing, and has no shell to run anything with', () => {
    expect(stages.get('gateway')?.[0]?.words[0]).toBe('scratch');
    const fromStages = textOf('gateway', 'COPY').filter((text) => text.startsWith('--from='));
    expect(fromStages).toEqual([
      '--from=libraries /image /',
      '--from=build /usr/local/bin/node /usr/local/bin/node',
      '--from=build /build/dist dist',
    ]);
    for (const text of ['RUN', 'CMD'].flatMap((name) => textOf('gateway', name)))
      expect(JSON.parse(text)).toContain('node');
    expect(textOf('gateway', 'HEALTHCHECK')[0]).toContain(' CMD ["node", ');
    expect(committed('script/container/postern')).toMatch(/^#!\/usr\/local\/bin\/node\n/);
  });

  test('has the files that they read: the sample, the UI, the trusted headers', () => {
    const copied = copiesOf(stages.get('gateway') ?? []);
    expect(copied).toContainEqual({ sources: ['data'], target: 'data' });
    expect(textOf('gateway', 'COPY')).toContain('--from=build /build/dist dist');
  });

  test('starts programs that are in it', () => {
    const commands = [...textOf('gateway', 'CMD'), ...textOf('gateway', 'HEALTHCHECK')].map(
      (text) => JSON.parse(/\[.*\]$/.exec(text)?.[0] ?? '[]') as string[],
    );
    const files = commands.map((command) => command.find((part) => part.endsWith('.js')) ?? '');
    expect(commands.map(([program], i) => [program, files[i]])).toEqual([
      ['node', 'dist/main.js'],
      ['node', 'dist/health.js'],
    ]);
    for (const file of files) expect(existsSync(join(projectRoot, file)), file).toBe(true);
    for (const script of ['postern', 'front-health']) {
      expect(statSync(join(projectRoot, 'script/container', script)).mode & 0o111).toBe(0o111);
    }
  });
});

interface Service {
  readonly image: string;
  readonly build: { readonly context: string; readonly target: string };
  readonly user: string;
  readonly command?: readonly string[];
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly network_mode?: string;
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

describe('compose.yaml', () => {
  const compose = parse(committed('compose.yaml')) as {
    readonly services: Readonly<Record<'certificate' | 'gateway' | 'front', Service>>;
    readonly volumes: Readonly<Record<string, { driver_opts: { o: string } }>>;
  };
  const { certificate, gateway, front } = compose.services;
  const nginxFile = committed('nginx/nginx.conf');
  const readConfiguration = configurationReader({}, projectRoot, 'config.yml');
  const configuration = readConfiguration(committed('docs/container/config.yml'));

  test.each(Object.entries(compose.services))('%s can do nothing but its work', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect([service.user]).toEqual(textOf(service.build.target, 'USER'));
    const variable = service.build.target === 'front' ? 'POSTERN_FRONT_IMAGE' : 'POSTERN_IMAGE';
    expect(service.image).toBe(`\${${variable}:-postern-${service.build.target}}`);
  });

  test('publishes the two ports of the front, the internal one to this machine alone', () => {
    expect(front.ports).toEqual(['8971:8971', '127.0.0.1:5000:5000']);
    expect(ports('front')).toEqual(['8971', '5000']);
    expect(nginxFile.match(/listen .*;/g)).toEqual([
      'listen 8971 ssl sndbuf=128k;',
      'listen 127.0.0.1:5000;',
    ]);
    for (const service of [certificate, gateway]) expect(service.ports).toBe(undefined);
  });

  test('gives the gateway a network to ask a recorder or a provider by, where it listens on nothing', () => {
    expect([certificate.network_mode, gateway.network_mode]).toEqual(['none', undefined]);
    const addresses = Object.values(configuration.listen).filter((address) => address !== undefined);
    expect(addresses.length).toBeGreaterThan(4);
    expect(addresses.filter((address) => !('path' in address))).toEqual([]);
  });

  test('the image of the front opens port 5000 by a change that nginx.conf allows', () => {
    const [, from = '', to = ''] = /sed -i 's\/(.*?)\/(.*?)\/'/.exec(textOf('front', 'RUN').join('\n')) ?? [];
    expect(nginxFile.match(new RegExp(from, 'g'))).toHaveLength(1);
    expect(nginxFile.replace(new RegExp(from), to)).toContain('    listen 5000;\n');
    expect(committed('script/container/front-health')).toContain('/dev/tcp/127.0.0.1/5000');
  });

  test('lets both share the sockets that nginx.conf names', () => {
    const { listen } = configuration;
    const sockets = [
      listen.forwardAuthAuthenticated,
      listen.forwardAuthInternal,
      listen.relayAuthenticated,
      listen.relayInternal,
      listen.events,
    ];
    expect(sockets.map((address) => `server unix:${(address as { path: string }).path};`)).toEqual(
      nginxFile.match(/server unix:.*;/g),
    );
    for (const service of [gateway, front]) expect(service.volumes).toContain('sockets:/run/postern');
    const [user, group] = gateway.user.split(':');
    expect(front.user.split(':')[1]).toBe(group);
    expect(compose.volumes['sockets']?.driver_opts.o).toBe(`uid=${user},gid=${group},mode=1770`);
    expect(nginxFile).toContain('pid /run/postern/nginx.pid;');
    const health = textOf('gateway', 'HEALTHCHECK').join('');
    expect(health).toContain(`"unix:${(listen.forwardAuthInternal as { path: string }).path}"`);
  });

  test('gives each no more of config than it needs', () => {
    expect(gateway.volumes).toEqual(['./config:/config', 'sockets:/run/postern']);
    expect(front.volumes).toEqual(['./config/tls:/etc/postern/tls:ro', 'sockets:/run/postern']);
    expect(textOf('gateway', 'ENV')).toEqual([
      'PATH=/usr/local/bin',
      'SERVICE_CONFIG_DIR=/config',
      'MALLOC_ARENA_MAX=1',
    ]);
    expect(nginxFile).toContain('/etc/postern/tls/certificate.pem;');
  });

  test('starts nginx when there is a certificate and the gateway answers', () => {
    expect(certificate.command).toEqual(['node', 'dist/certificate.js', '/config/tls']);
    expect(front.depends_on).toEqual({
      certificate: { condition: 'service_completed_successfully' },
      gateway: { condition: 'service_healthy' },
    });
  });

  test('waits for the end of requests longer than they have', () => {
    const seconds = Number(gateway.stop_grace_period?.replace(/s$/, ''));
    expect(seconds * 1_000).toBeGreaterThan(configuration.shutdownTimeout + 5_000);
  });

  test('has an example configuration without warnings', () => {
    expect(configuration.warnings).toEqual([]);
    expect([configuration.listen.authenticated, configuration.listen.internal]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
