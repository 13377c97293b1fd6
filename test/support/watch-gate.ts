import { setTimeout as sleep } from 'node:timers/promises';
import { keptConnection } from './raw-http.ts';

/** One authorization request about a picture, and what came of it. Milliseconds of `performance.now()`. */
interface Asked {
  readonly sent: number;
  readonly answered: number;
  readonly status: number;
}

export interface Watch {
  readonly asked: readonly Asked[];
  /** @returns the first that was sent then or later and answered */
  askedAfter(moment: number): Promise<Asked>;
  stop(): Promise<void>;
}

/** What a session or an API token is shown by. */
export type Proof = readonly [name: 'Cookie' | 'Authorization', value: string];

export const cookieProof = (token = ''): Proof => ['Cookie', `session_token=${token}`];
export const tokenProof = (token: string): Proof => ['Authorization', `Bearer ${token}`];

const requestOf = (proof: Proof) => ({
  uri: '/auth',
  headers: [['X-Original-Method', 'GET'], ['X-Original-URL', '/api/front_door/latest.jpg'], proof] as const,
});

/** @returns the status with which a gate answers one authorization request */
export async function askOnce(address: string, proof: Proof): Promise<number> {
  using connection = keptConnection(address);
  return (await connection.send(requestOf(proof))).status;
}

/** Asks a gate again and again, one question after the other. */
export function watchGate(address: string, proof: Proof): Watch {
  const asked: Asked[] = [];
  const connection = keptConnection(address);
  const state = { isStopped: false };
  const asking = (async () => {
    while (!state.isStopped) {
      const sent = performance.now();
      const { status } = await connection.send(requestOf(proof));
      asked.push({ sent, answered: performance.now(), status });
      // Leaves the processor to the gates, which are asked often enough.
      await sleep(15);
    }
  })();
  return {
    asked,
    askedAfter: async (moment) => {
      for (;;) {
        const found = asked.findLast(({ sent }) => sent >= moment);
        if (found !== undefined) return found;
        await sleep(10);
      }
    },
    stop: async () => {
      state.isStopped = true;
      await asking;
      connection[Symbol.dispose]();
    },
  };
}
