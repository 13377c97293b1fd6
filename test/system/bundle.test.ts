import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { isOfGate } from '../support/recorder-profile.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { startProcess } from '../support/start-process.ts';
import { acceptWebSocket } from '../support/web-socket.ts';
import { patience } from '../support/patience.ts';

// The bundle has parts of undici: each way to the recorder needs its own.
test('the bundle asks a recorder, passes requests on to it, and WebSockets', async () => {
  const upstream = await startRecordingUpstream();
  onTestFinished(() => upstream.close());
  let asked = 0;
  upstream.server.prependListener('request', (request) => void (asked += isOfGate(request) ? 1 : 0));
  upstream.server.on('upgrade', (request, joined) => {
    onTestFinished(() => void joined.destroy());
    acceptWebSocket(request, joined);
  });
  const { addresses } = await startProcess({
    upstream: `http://${upstream.address}`,
    cameras: ['front'],
    auth: { roles: { neighbour: ['front'] } },
  });
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0), { timeout: patience });
  expect((await sendRaw(addresses.internal, { uri: '/api/front/latest.jpg' })).body).toBe('recorder');
  const socket = connectTo(addresses.internal);
  onTestFinished(() => void socket.destroy());
  socket.write(
    'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 101 /);
});

/** Makes Node say that it is an older one, and lets a program import nothing. */
const olderNode = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });
Object.defineProperty(process, 'version', { value: 'v18.20.4' });
registerHooks({
  resolve(specifier, context, next) {
    if (context.parentURL?.includes('/dist/')) throw new Error('imported ' + specifier);
    return next(specifier, context);
  },
});`)}`;

test.each(['main', 'postern', 'health', 'certificate', 'add-on'])(
  'dist/%s.js under an older Node says which it needs, before it imports anything',
  (name) => {
    const file = join(projectRoot, 'dist', `${name}.js`);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', olderNode, file, '--help'], {
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      `Postern needs Node 26 or newer; ${process.execPath} is v18.20.4. docs/systemd.md has how to get it.\n`,
    ]);
    // Words that Node 10 cannot read.
    expect(readFileSync(file, 'utf8')).not.toMatch(/^import |\bawait\b|\?\?|\?\./m);
  },
);
