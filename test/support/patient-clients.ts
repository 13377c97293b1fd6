import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { connectTo } from './raw-http.ts';

/** What this worker does: it has an event loop of its own, so that it can be quicker than the server. */
interface Work {
  readonly address: string;
  readonly tls: boolean;
  readonly clients: number;
  readonly requests: number;
}

/** Each client sends its requests on one connection, each as soon as the last one is answered. */
const { address, tls, clients, requests } = workerData as Work;

async function send(): Promise<number> {
  const socket = connectTo(address, tls);
  let answered = 0;
  const done = Promise.withResolvers<void>();
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const length = /\r\ncontent-length: *(\d+)[^]*?\r\n\r\n/i.exec(received);
    if (length === null || received.length < length.index + length[0].length + Number(length[1])) return;
    received = '';
    answered += 1;
    if (answered === requests) done.resolve();
    else socket.write('GET / HTTP/1.1\r\nHost: gate.local\r\n\r\n');
  });
  socket.once('close', () => done.resolve());
  await once(socket, tls ? 'secureConnect' : 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: gate.local\r\n\r\n');
  await done.promise;
  socket.destroy();
  return answered;
}

const counts = await Promise.all(Array.from({ length: clients }, send));
parentPort?.postMessage(counts.reduce((sum, count) => sum + count, 0));
