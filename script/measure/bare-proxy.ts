import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

/** `bare-proxy.ts ORIGIN`: passes every request on, and its answer back; prints where it listens. */
const [origin = ''] = process.argv.slice(2);
const pool = new Pool(origin, { connections: 256 });
const ofConnection = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding']);

function endToEnd(lines: readonly string[]): string[] {
  return lines.filter((_, i) => !ofConnection.has((lines[i - (i % 2)] ?? '').toLowerCase()));
}

const server = createServer((request, response) => {
  pool
    .stream(
      {
        method: 'GET',
        path: request.url ?? '/',
        headers: endToEnd(request.rawHeaders),
        responseHeaders: 'raw',
        opaque: response,
      },
      ({ statusCode, headers, opaque }) =>
        // With `raw` undici returns name, value, name, value …, which its types do not have.
        opaque.writeHead(statusCode, endToEnd(headers as unknown as string[])),
    )
    .catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
