import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPaths } from '../../test/support/nginx-temporary.ts';
import { startProgram } from './child.ts';

/**
 * nginx with one worker, which keeps connections.
 * @param directory for its files
 * @param http directives of `http`
 */
export async function runNginx(directory: string, http: string): Promise<void> {
  const file = join(directory, 'nginx.conf');
  const pid = join(directory, 'nginx.pid');
  writeFileSync(
    file,
    `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${pid};
error_log stderr warn;
events { worker_connections 1024; }
http {
  ${temporaryPaths(directory)}
  access_log off;
  keepalive_requests 1000000000;
  ${http}
}
`,
  );
  // nginx writes its id when it listens.
  const ready = `while ! [ -s ${pid} ]; do sleep 0.05; done; echo ready`;
  await startProgram(
    { command: 'sh', arguments: ['-c', `(${ready}) & exec nginx -p ${directory} -c ${file} -e stderr`] },
    (line) => line === 'ready',
  );
}
