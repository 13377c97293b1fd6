import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `bare-server.ts ADDRESS ANSWER`: answers every request alike; prints where it listens. */
const [address = '', answer = '[]'] = process.argv.slice(2);
const headers = JSON.parse(answer) as string[];
const server = createServer((_, response) => {
  response.writeHead(200, headers);
  response.end();
});
const ready = () => {
  const at = server.address() as AddressInfo | string;
  process.stdout.write(`${typeof at === 'string' ? `unix:${at}` : `127.0.0.1:${at.port}`}\n`);
};
if (address.startsWith('unix:')) server.listen(address.slice('unix:'.length), ready);
else server.listen(Number(address.split(':')[1]), '127.0.0.1', ready);
