import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface MessageClient {
  readonly socket: WebSocket;
  /** Topics of what has arrived since the last call, once a message of this topic has. */
  readonly until: (topic: string) => Promise<string[]>;
}

/**
 * Opens `/ws` as a browser does.
 * @param at `host:port` of a front
 * @returns the client, or the status of the refusal
 */
export async function listenToMessages(
  at: { readonly address: string; readonly tls: boolean },
  headers: ReadonlyArray<readonly [name: string, value: string]>,
  path = '/ws',
): Promise<MessageClient | { readonly refused: number }> {
  const socket = new WebSocket(`${at.tls ? 'wss' : 'ws'}://${at.address}${path}`, {
    headers: { host: 'gate.local', ...Object.fromEntries(headers) },
    rejectUnauthorized: false,
  });
  const topics: string[] = [];
  let onTopic = () => {};
  socket.on('message', (data) => {
    const { topic } = JSON.parse((data as Buffer).toString()) as { readonly topic: string };
    topics.push(topic);
    onTopic();
  });
  const refused = await new Promise<number | undefined>((resolve, reject) => {
    socket.once('open', () => resolve(undefined));
    socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
    socket.once('error', reject);
  });
  if (refused !== undefined) {
    socket.on('error', () => undefined);
    socket.terminate();
    return { refused };
  }
  return {
    socket,
    until: async (topic) => {
      const arrived = new Promise<void>((resolve, reject) => {
        onTopic = () => {
          if (topics.includes(topic)) resolve();
        };
        void once(socket, 'close').then(() => reject(new Error(`closed before ${topic}`)));
        onTopic();
      });
      await arrived;
      return topics.splice(0);
    },
  };
}
