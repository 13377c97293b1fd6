import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeNext } from '../../../src/adopt/next-steps.ts';
import { describePorts } from '../../../src/adopt/ports.ts';
import { configurationReader } from '../../../src/config/load.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { files, frigateDirectory, ownPlace, planOf } from './frigate-directories.ts';

const nextOf = (...given: Parameters<typeof planOf>) => describeNext(planOf(...given)).join('\n');

test('prints the service of Postern, and which ports of Frigate to close', () => {
  const directory = frigateDirectory(files['0.18']);
  const next = nextOf(directory);
  for (const line of [
    "    user: '1000:101'",
    `      - ${directory}:${directory}:ro`,
    '  - delete its ports 9971, 5001, 8554, 1984: ',
    `      - ${join(directory, 'postern_trusted_headers.conf')}:/usr/local/nginx/conf/proxy_trusted_headers.conf:ro`,
    `  mv ${join(directory, 'config.yml.postern')} ${join(directory, 'config.yml')}`,
    '  docker compose exec postern postern adopt --check https://localhost:8971',
  ])
    expect(next).toContain(line);
  expect(nextOf(directory, ownPlace(), { writeFrigate: true })).not.toContain('  mv ');
});

test('calls the directories that the guide mounts as they are called outside', () => {
  const directory = frigateDirectory(files['0.17']);
  const plan = planOf(directory, ownPlace(), { writeFrigate: true });
  const next = describeNext({
    ...plan,
    own: { ...plan.own, directory: '/config' },
    frigate: {
      ...plan.frigate,
      directory: '/recorder',
      path: '/recorder/config.yml',
      database: '/recorder/frigate.db',
    },
  }).join('\n');
  for (const line of [
    '- ./postern:/config',
    '- ./config:/recorder:ro',
    '- ./config/postern_trusted_headers.conf:/usr',
  ])
    expect(next).toContain(line);
});

test('without containers, tells how to start here, and where Frigate publishes its port', () => {
  const directory = frigateDirectory(files['0.17']);
  const own = ownPlace();
  const next = nextOf(directory, own, { upstream: 'http://127.0.0.1:8970' });
  for (const line of [
    '- publish its port 8971 only as 127.0.0.1:8970, and delete its ports 5000, 8554, 1984: ',
    `  SERVICE_CONFIG_DIR=${own.directory} script/server`,
    `  SERVICE_CONFIG_DIR=${own.directory} script/postern adopt --check https://localhost:8971`,
  ])
    expect(next).toContain(line);
  expect(next).not.toContain('image:');
  expect(next).toContain('Then restart Frigate, and start Postern:');
  const running = describeNext(planOf(directory, own, { upstream: 'http://127.0.0.1:8970' }), true);
  expect(running).toContain('Then restart Frigate, and stop and start Postern:');
});

test('says which ports Postern takes, and which one another program has', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const configuration = configurationReader(
    {},
    projectRoot,
    'config.yml',
  )(`networking: { listen: { authenticated: "127.0.0.1:${port}", internal: off, metrics: off } }\n`);
  const address = `127.0.0.1:${port}`;
  expect(await describePorts(configuration)).toEqual([
    `  listen, from Postern's start on, on ${address} (networking.listen.authenticated)`,
    `  note: ${address} is taken on this machine, perhaps by Frigate: free it before Postern starts, or set networking.listen.authenticated in Postern's config.yml to another`,
  ]);
  server.close();
  await once(server, 'close');
  expect(await describePorts(configuration)).toHaveLength(1);
});
