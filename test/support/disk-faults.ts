import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { adminOf, printedPassword, visitor } from './log-in.ts';
import { postern } from './postern-command.ts';
import { sendRaw } from './raw-http.ts';
import { startGateway, type RunningGateway } from './start-gateway.ts';

/** Run with a small disk of its own as argument: prints what happens when the disk is full. */
const disk = process.argv[2] ?? '';
const directory = join(disk, 'config');
const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
const config = {
  networking,
  auth: { roles: { operator: ['garage'], porch: ['drive'] } },
};

const say = (line: string) => {
  const printed = line.replaceAll(disk, 'DISK').replaceAll(/unfinished-[0-9a-f]{12}/g, 'unfinished');
  process.stdout.write(`${printed}
`);
};
const ballast = join(disk, 'ballast');
function fill(): void {
  for (const size of [65_536, 4_096, 256]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // There is no room for another piece of this size.
    }
  }
}
const makeRoom = () => rmSync(ballast, { force: true });
/** Whatever has bytes, and is none of what belongs there. */
const halfFiles = () =>
  readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(directory, name)).isFile())
    .filter(
      (name) =>
        !/^(config\.yml(\.applied)?|\.jwt_secret|(postern|activity)\.db(-wal|-shm)?|postern\.lock|tls\/self-signed\.(pem|key))$/.test(
          name,
        ),
    );
const attempt = async (what: string, keepConfig: boolean): Promise<RunningGateway | undefined> => {
  try {
    const gateway = await startGateway({ directory, ...(keepConfig ? { keepConfig: true } : { config }) });
    const warnings = gateway.log.filter(({ level }) => level === 'warn' || level === 'error');
    const said = warnings.map(({ msg }) => String(msg)).filter((msg) => !msg.includes('password'));
    say(`${what}: started${said.map((line) => `; ${line}`).join('')}`);
    return gateway;
  } catch (error) {
    say(`${what}: ${(error as Error).message}; half files: ${halfFiles().join(' ') || 'none'}`);
    return undefined;
  }
};

mkdirSync(directory);
writeFileSync(join(directory, 'config.yml'), JSON.stringify(config));
fill();
await attempt('start in a full directory', true);
makeRoom();
let gateway = await attempt('start with room', false);
if (gateway === undefined) process.exit(1);
const password = printedPassword(gateway);
const admin = await adminOf(gateway);
await admin.send('POST', '/api/users', { username: 'gus', password, role: 'operator' });
const gus = visitor(gateway.addresses.authenticated ?? '');
await gus.logIn('gus', password);

fill();
const before = readFileSync(join(directory, 'config.yml'), 'utf8');
const cameras = Array.from({ length: 150 }, (_, index) => `camera_${index}`.padEnd(60, 'x'));
const role = async () => (await admin.send('PUT', '/postern/api/roles/large', { cameras })).status;
say(
  `role change, full: ${await role()}, config.yml ${readFileSync(join(directory, 'config.yml'), 'utf8') === before ? 'unchanged' : 'CHANGED'}`,
);
// Some of the file finds room, so that a write is cut short instead of failing.
truncateSync(ballast, statSync(ballast).size - 4_096);
const cutShort = await role();
const isSame = readFileSync(join(directory, 'config.yml'), 'utf8') === before;
say(`role change, room for a part of it: ${cutShort}, config.yml ${isSame ? 'unchanged' : 'CHANGED'}`);
// config.yml can be written then, but the store may not take the users' new role.
const removal = async () =>
  (await admin.send('DELETE', '/postern/api/roles/operator?reassign_to=porch')).status;
const seen = async () =>
  (JSON.parse((await gus.send('GET', '/api/profile')).body) as { allowed_cameras?: string[] })
    .allowed_cameras;
fill();
truncateSync(ballast, statSync(ballast).size - 4_096);
say(
  `role removal, room for config.yml alone: ${await removal()}, its user sees ${(await seen())?.join(' ')}`,
);
fill();
say(`role removal, full: ${await removal()}, its user sees ${(await seen())?.join(' ')}`);
const readiness = async () => {
  await wait(1_000);
  const answer = await sendRaw(gateway?.addresses.internal ?? '', { uri: '/readyz' });
  const { status, checks } = JSON.parse(answer.body) as { status: string; checks: Record<string, string> };
  const failed = Object.keys(checks).filter((check) => checks[check] !== 'ok');
  return [answer.status, status, ...failed].join(' ');
};
/** The disk may have let the database have some room before it was full. */
async function exhaust(): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const user = { username: `fill${i}`, password, role: 'viewer' };
    if ((await admin.send('POST', '/api/users', user)).status === 503) return;
  }
}
async function logout(accept: string): Promise<string> {
  const leaving = visitor(gateway?.addresses.authenticated ?? '');
  await leaving.logIn('admin', password);
  const { token } = leaving;
  const answer = await leaving.send('POST', '/logout', undefined, [['Accept', accept]]);
  const said = /[Ss]igned out here only[^<"]*/.exec(answer.body)?.[0];
  const gone = leaving.token === undefined ? 'cookie cleared' : 'COOKIE KEPT';
  leaving.token = token;
  const after = (await leaving.send('GET', '/api/profile')).status;
  return `${answer.status} ${answer.headers.get('content-type')?.[0]}, ${gone}, "${said}", session ${after}`;
}
say(`login, full: ${(await visitor(gateway.addresses.authenticated ?? '').logIn('admin', password)).status}`);
say(`decision, full: ${(await admin.send('GET', '/api/events')).status}`);
say(
  `internal entry point, full: ${(await sendRaw(gateway.addresses.internal ?? '', { uri: '/api/events' })).status}`,
);
await exhaust();
say(`readiness, full: ${await readiness()}`);
for (const accept of ['*/*', 'text/html']) say(`logout for ${accept}, full: ${await logout(accept)}`);
const backup = await postern(directory, ['backup', '--to', join(disk, 'backups')]);
say(
  `backup, full: ${backup.status} ${backup.errors.trim()}; left: ${readdirSync(disk).toSorted().join(' ')}`,
);
say(`half files: ${halfFiles().join(' ') || 'none'}`);
makeRoom();
say(`readiness, room again: ${await readiness()}`);
say(`role change, room again: ${await role()}`);
const made = await postern(directory, ['backup', '--to', join(disk, 'backups')]);
say(`backup, room again: ${made.status}`);
await gateway.close();

fill();
const [name = ''] = readdirSync(join(disk, 'backups'));
const restored = await postern(directory, ['restore', join(disk, 'backups', name), '--yes']);
say(
  `restore, full: ${restored.status} ${restored.errors.trim().replace(/(\.db|\.yml)\S*/, '$1')}; half files: ${halfFiles().join(' ') || 'none'}`,
);
makeRoom();

rmSync(join(directory, 'tls'), { recursive: true });
fill();
gateway = await attempt('start without room for a certificate', true);
await gateway?.close();
makeRoom();
rmSync(join(directory, '.jwt_secret'));
fill();
gateway = await attempt('start without room for a secret', true);
await gateway?.close();
makeRoom();

const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, disk]);
await (await attempt('start with room', true))?.close();
remount('ro');
gateway = await attempt('start read-only', true);
if (gateway !== undefined) {
  say(
    `login, read-only: ${(await visitor(gateway.addresses.authenticated ?? '').logIn('admin', password)).status}`,
  );
  say(`readiness, read-only: ${await readiness()}`);
  await gateway.close();
}
remount('rw');
for (const entry of readdirSync(directory))
  if (entry !== 'config.yml') rmSync(join(directory, entry), { recursive: true });
remount('ro');
await attempt('start read-only with nothing there', true);
