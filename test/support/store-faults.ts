import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminOf, goodPassword, printedPassword, visitor } from './log-in.ts';
import { startGateway } from './start-gateway.ts';

/** Run with a small disk of its own as argument: what still works when the disk does not take anything. */
const disk = process.argv[2] ?? '';
// No sockets on the disk: they could not be made on a read-only one.
const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
let gateway = await startGateway({ directory: disk, config: { networking } });
const password = printedPassword(gateway);
let admin = await adminOf(gateway);
let users = 0;

async function report(state: string): Promise<void> {
  const login = await visitor(gateway.addresses.authenticated ?? '').logIn('admin', password);
  users += 1;
  const user = { username: `user${users}`, password: goodPassword, role: 'viewer' };
  const write = await admin.send('POST', '/api/users', user);
  const read = await admin.send('GET', '/api/users');
  const sessions = await admin.send('GET', '/postern/api/sessions');
  const said = `login ${login.status}, write ${write.status}, read ${read.status}, sessions ${sessions.status}`;
  process.stdout.write(`${state}: ${said}\n`);
}

const ballast = join(disk, 'ballast');
try {
  writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024));
} catch {
  // The disk is full now, which was the purpose.
}
// The log of the database may have room left in the file that it reuses.
for (let i = 0; i < 50; i += 1) {
  const user = { username: `fill${i}`, password: goodPassword, role: 'viewer' };
  if ((await admin.send('POST', '/api/users', user)).status === 503) break;
}
await report('full');
rmSync(ballast);

const { token } = admin;
async function restart(how: 'ro' | 'rw'): Promise<void> {
  await gateway.close();
  execFileSync('mount', ['-o', `remount,${how}`, disk]);
  gateway = await startGateway({ directory: disk, keepConfig: true });
  admin = visitor(gateway.addresses.authenticated ?? '');
  admin.token = token;
}

await restart('ro');
await report('started read-only');
await restart('rw');
await report('writable again');
await gateway.close();
