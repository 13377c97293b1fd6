import { setTimeout as sleep } from 'node:timers/promises';
import { keptConnection } from '../../test/support/raw-http.ts';
import {
  createDatabase,
  startPostgresCluster,
  type PostgresCluster,
} from '../../test/support/postgres-cluster.ts';
import { startGates, type Gate } from '../../test/support/start-gates.ts';
import { stoppedAtEnd } from './running.ts';
import { addUsersTo, secret } from './session-tokens.ts';

export interface ThreeGates {
  readonly cluster: PostgresCluster;
  readonly gates: readonly [Gate, Gate, Gate];
  close(): Promise<void>;
}

/** Three gates on one PostgreSQL, each with a link of its own to it, and the users that session tokens are made for. */
export async function startThreeGates(): Promise<ThreeGates> {
  const cluster = await startPostgresCluster();
  stoppedAtEnd(cluster.close);
  const database = await createDatabase(cluster.address);
  const house = await startGates({ count: 3, database, jwtSecret: secret });
  const close = stoppedAtEnd(house.close);
  await addUsersTo(database);
  return { cluster, gates: house.gates as readonly [Gate, Gate, Gate], close };
}

/** Asks a gate about one thing, as the session of a token, over one connection that is kept. */
export function asker({ address }: Gate) {
  const connection = keptConnection(address);
  const headers = (token: string) =>
    [
      ['X-Original-Method', 'GET'],
      ['X-Original-URL', '/api/front_door/latest.jpg'],
      ['Cookie', `session_token=${token}`],
    ] as const;
  return {
    /** @returns the status of the answer; 0: none */
    ask: async (token: string): Promise<number> =>
      (await connection.send({ uri: '/auth', headers: headers(token) })).status,
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

/** @returns whether the gate ended the session of the token */
export async function logOut({ address }: Gate, token: string): Promise<boolean> {
  using connection = keptConnection(address);
  const headers = [['Cookie', `session_token=${token}`]] as const;
  const { status } = await connection.send({ method: 'POST', uri: '/api/logout', headers });
  return status === 303;
}

/** Waits until a gate accepts valid tokens, since it reaches the store again. */
export async function isWell(gate: Gate, token: string): Promise<void> {
  using well = asker(gate);
  while ((await well.ask(token)) !== 200) await sleep(20);
}
