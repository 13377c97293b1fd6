import { createServer } from 'node:http';

// `bare-server.mjs ADDRESS [HEADERS]`: answers every request with the same header lines, and prints where it listens. JavaScript, because
// Node would have to strip types at each start.
const [address, answer = '[]'] = process.argv.slice(2);
const headers = JSON.parse(answer);
const server = createServer((_, response) => response.writeHead(200, headers).end());
const [, path] = /^unix:(.*)/.exec(address) ?? [];
server.listen(path ?? { host: '127.0.0.1', port: 0 }, () =>
  process.stdout.write(`${path ? address : `127.0.0.1:${server.address().port}`}\n`),
);
