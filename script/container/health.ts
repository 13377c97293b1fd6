// health.ts [--wait SECONDS] ADDRESS...
// Asks each address (`unix:/path` or `host:port`) for /healthz. Exits with 0 as soon as one answers 200, else with 1.
// With --wait it asks again and again; it stops when the process that systemd names in MAINPID is gone.
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/** Milliseconds that an address has to answer. */
const timeoutMs = 4_000;

/** @returns the status, or why it did not come */
function ask(address: string): Promise<number | string> {
  const [, socketPath] = /^unix:(.*)$/.exec(address) ?? [];
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const place = socketPath === undefined ? { host, port } : { socketPath };
  return new Promise((resolve) => {
    const asked = request({ ...place, path: '/healthz', timeout: timeoutMs }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 'no status');
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', (error) => resolve(error.message));
    asked.end();
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wait: { type: 'string', default: '0' } },
});
const until = Date.now() + Number(values.wait) * 1_000;
const main = Number(process.env['MAINPID'] ?? process.pid);
for (;;) {
  const answers = await Promise.all(positionals.map(ask));
  if (answers.includes(200)) process.exit(0);
  if (Date.now() >= until || !isRunning(main)) {
    for (const [index, answer] of answers.entries())
      process.stderr.write(`${positionals[index]}: ${answer}\n`);
    process.exit(1);
  }
  await pause(200);
}
