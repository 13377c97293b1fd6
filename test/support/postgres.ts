import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import {
  createDatabase,
  startPostgresCluster,
  type PostgresAddress,
  type PostgresCluster,
  type PostgresDatabase,
} from './postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Unix socket of the process that starts PostgreSQL when a test first needs it. */
    readonly postgresStarter: string;
  }
}

/** An empty database of its own in the one PostgreSQL of this run of the tests, which starts with the first. */
export async function emptyDatabase(): Promise<PostgresDatabase> {
  const answer = await text(connect(inject('postgresStarter')));
  if (answer === '') throw new Error('PostgreSQL did not start');
  return createDatabase(JSON.parse(answer) as PostgresAddress);
}

/** Once around all tests. */
export default async function offerPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-starter-'));
  const path = join(directory, 'starter.sock');
  let starting: Promise<PostgresCluster> | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    starting ??= startPostgresCluster();
    starting.then(
      ({ address }) => socket.end(JSON.stringify(address)),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        socket.end();
      },
    );
  }).listen(path);
  await once(server, 'listening');
  provide('postgresStarter', path);
  return async () => {
    server.close();
    const cluster = await starting?.catch(() => undefined);
    await cluster?.close();
    rmSync(directory, { recursive: true, force: true });
  };
}
