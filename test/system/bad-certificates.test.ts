import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { selfSignedCertificate, type Certificate } from '../../src/http/tls/certificate.ts';
import { sendRaw } from '../support/raw-http.ts';
import { projectRoot, startGateway } from '../support/start-gateway.ts';
import { canHere } from '../support/can-here.ts';

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-certificate-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
const day = 86_400_000;
const inDays = (days: number) => Date.now() + days * day;
async function pairOf(from: number): Promise<Certificate> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-pair-'));
  const pair = await selfSignedCertificate(directory, from);
  rmSync(directory, { recursive: true });
  return pair;
}
let [good, other, expired, early] = [] as Certificate[] as [
  Certificate,
  Certificate,
  Certificate,
  Certificate,
];
beforeAll(async () => {
  [good, other, expired, early] = [
    await pairOf(Date.now()),
    await pairOf(Date.now()),
    await pairOf(inDays(-1_000)),
    await pairOf(inDays(10)),
  ];
});

type Fault = readonly [
  what: string,
  cert: () => string,
  key: () => string,
  path: string,
  found: (at: string) => string,
];
const faults: readonly Fault[] = [
  [
    'garbage for a certificate',
    () => 'no PEM',
    () => good.key,
    'tls.certificate',
    (at) => `${at}/c.pem, which is no certificate`,
  ],
  [
    'a certificate cut in two',
    () => good.cert.slice(0, 200),
    () => good.key,
    'tls.certificate',
    (at) => `${at}/c.pem, which is no certificate`,
  ],
  [
    'an empty key',
    () => good.cert,
    () => '',
    'tls.key',
    (at) => `${at}/k.pem, which is no private key, or one with a passphrase`,
  ],
  [
    'the key of another certificate',
    () => good.cert,
    () => other.key,
    'tls',
    () => 'a certificate and the key of another',
  ],
];

async function shown(address: string): Promise<string> {
  const [host, port] = address.split(':');
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

/** Runs the real process until it ends; one that starts after all is ended. */
async function run(config: object, directory: string, before: readonly string[] = []) {
  writeFileSync(join(directory, 'config.yml'), stringify(config));
  const [program, ...args] = [...before, process.execPath, join(projectRoot, 'dist', 'main.js')];
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    if (output.includes('"msg":"ready"')) child.kill('SIGTERM');
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const lines = output.split('\n').filter(Boolean);
  return { exitCode, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
const listen = { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' };

describe('at the start', () => {
  test('the key of another certificate ends it with 78, and names the file', async () => {
    const directory = temporary();
    const tls = { certificate: join(directory, 'c.pem'), key: join(directory, 'k.pem') };
    writeFileSync(tls.certificate, good.cert);
    writeFileSync(tls.key, other.key);
    const { exitCode, lines } = await run({ networking: { listen }, tls }, directory);
    expect(exitCode).toBe(78);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'fatal',
        path: 'tls',
        found: 'a certificate and the key of another',
        allowed: 'a PEM chain and its own key',
      }),
    );
    expect(JSON.stringify(lines)).not.toContain('PRIVATE KEY');
  });

  test.runIf(canHere('root', process.getuid?.() === 0))(
    'a key that the gate may not read ends it with 78 too',
    async () => {
      const [directory, secret] = [temporary(), temporary()];
      const tls = { certificate: join(secret, 'c.pem'), key: join(secret, 'k.pem') };
      writeFileSync(tls.certificate, good.cert, { mode: 0o644 });
      writeFileSync(tls.key, good.key, { mode: 0o600 });
      chownSync(tls.key, 65_534, 65_534);
      // Root as it is in a container: it cannot read files of other users.
      const asAnybody = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
      const { exitCode, lines } = await run({ networking: { listen }, tls }, directory, asAnybody);
      expect(exitCode).toBe(78);
      expect(lines).toContainEqual(
        expect.objectContaining({
          path: 'tls.key',
          found: `${tls.key}, a file that cannot be read (EACCES)`,
        }),
      );
    },
  );

  test.each<[what: string, pair: () => Certificate, said: RegExp]>([
    ['has expired', () => expired, /c\.pem has expired on \d{4}-/],
    ['is not valid yet', () => early, /c\.pem is not valid before \d{4}-/],
  ])('one that %s is a warning, and the gate keeps running', async (_, pair, said) => {
    const directory = temporary();
    const tls = { certificate: join(directory, 'c.pem'), key: join(directory, 'k.pem') };
    writeFileSync(tls.certificate, pair().cert);
    writeFileSync(tls.key, pair().key);
    const gateway = await startGateway({ directory, config: { networking: { listen }, tls } });
    onTestFinished(() => gateway.close());
    const warnings = gateway.log.filter(({ level }) => level === 'warn').map(({ msg }) => String(msg));
    expect(warnings).toContainEqual(expect.stringMatching(said));
    const answer = await sendRaw(gateway.addresses.authenticated ?? '', { uri: '/api/events' }, true);
    expect(answer.status).toBe(401);
  });
});

test('at a reload the earlier one stays, handshakes continue, and the report names the file', async () => {
  const directory = temporary();
  const tls = { certificate: join(directory, 'c.pem'), key: join(directory, 'k.pem') };
  const put = (cert: string, key: string) => {
    writeFileSync(tls.certificate, cert);
    writeFileSync(tls.key, key);
  };
  put(good.cert, good.key);
  const gateway = await startGateway({ directory, config: { networking: { listen }, tls } });
  onTestFinished(() => gateway.close());
  const address = gateway.addresses.authenticated ?? '';
  const before = await shown(address);
  let handshakes = 0;
  const ending = new AbortController();
  const meanwhile = (async () => {
    while (!ending.signal.aborted) {
      expect(await shown(address)).toBe(before);
      handshakes += 1;
    }
  })();
  for (const [, cert, key, path, found] of faults) {
    put(cert(), key());
    await gateway.reloading.reload('test');
    expect(gateway.reloading.report()).toMatchObject({
      successful: false,
      problems: [{ path, found: found(directory) }],
    });
  }
  rmSync(tls.key);
  await gateway.reloading.reload('test');
  expect(gateway.reloading.report()).toMatchObject({
    problems: [{ path: 'tls.key', found: `${tls.key}, a file that cannot be read (ENOENT)` }],
  });
  ending.abort();
  await meanwhile;
  expect(handshakes).toBeGreaterThan(0);
  put(other.cert, other.key);
  await gateway.reloading.reload('test');
  expect(gateway.reloading.report().successful).toBe(true);
  expect(await shown(address)).not.toBe(before);
});
