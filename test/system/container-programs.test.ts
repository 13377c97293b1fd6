import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { generate } from 'selfsigned';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { stringify } from 'yaml';
import { copiesOf, stagesOf } from '../support/dockerfile.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { slowness } from '../support/patience.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'postern-container-'));
  return () => rmSync(directory, { recursive: true, force: true });
});

/** Runs a program of script/container, as it is in the bundle, to its end. */
function run(
  program: 'health' | 'certificate',
  args: readonly string[],
  environment: Record<string, string> = {},
) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(projectRoot, 'dist', `${program}.js`), ...args],
      { env: { PATH: process.env['PATH'], ...environment } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

describe('health', () => {
  /** A listener on a socket, and its requests. */
  async function serve(answer: RequestListener): Promise<{ address: string; asked: string[] }> {
    const path = join(directory, 'health.sock');
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    }).listen(path);
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { address: `unix:${path}`, asked };
  }
  const absent = () => `unix:${join(directory, 'absent.sock')}`;

  test('is content with one address that answers 200', async () => {
    const { address, asked } = await serve((_, response) => response.end('{}'));
    expect(await run('health', [absent(), address])).toEqual({ code: 0, output: '' });
    expect(asked).toEqual(['GET /healthz']);
  });

  test('asks a host and a port too', async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect((await run('health', [`127.0.0.1:${port}`])).code).toBe(0);
  });

  test.each([401, 404, 500, 503])('reports %i as unhealthy', async (status) => {
    const { address } = await serve((_, response) => response.writeHead(status).end());
    expect(await run('health', [address])).toEqual({ code: 1, output: `${address}: ${status}\n` });
  });

  test('reports why there is no answer', async () => {
    const { address } = await serve(() => undefined);
    const { code, output } = await run('health', [absent(), address]);
    expect(code).toBe(1);
    expect(output).toContain('ENOENT');
    expect(output).toContain(`${address}: no answer`);
  });

  test('is not content without an address', async () => {
    expect((await run('health', [])).code).toBe(1);
  });

  test('with --wait asks until there is an answer', async () => {
    const { address, asked } = await serve((_, response) =>
      response.writeHead(asked.length < 3 ? 503 : 200).end(),
    );
    expect((await run('health', ['--wait', '10', address])).code).toBe(0);
    expect(asked).toHaveLength(3);
  });

  test('with --wait does not wait for a process that is gone', async () => {
    const begun = Date.now();
    const gone = await run('health', ['--wait', '20', absent()], { MAINPID: '4194300' });
    expect(gone.code).toBe(1);
    expect(Date.now() - begun).toBeLessThan(10_000 * slowness);
  });
});

describe('certificate', () => {
  const tls = () => join(directory, 'tls');
  const make = () => run('certificate', [tls()]);
  const read = () => ['certificate.pem', 'key.pem'].map((file) => readFileSync(join(tls(), file), 'utf8'));
  const mode = (file: string) => statSync(join(tls(), file)).mode & 0o777;

  /** Puts a certificate of ours in its place that was made then. */
  async function madeAt(day: number): Promise<void> {
    await make();
    await selfSignedCertificate(directory, Date.now() + day * 86_400_000);
    copyFileSync(join(tls(), 'self-signed.pem'), join(tls(), 'certificate.pem'));
    copyFileSync(join(tls(), 'self-signed.key'), join(tls(), 'key.pem'));
  }

  test('makes a pair whose key is for its owner and group, once', async () => {
    expect((await make()).output).toContain('made');
    const [certificate, key] = read();
    expect([certificate?.slice(0, 27), key?.includes('PRIVATE KEY')]).toEqual([
      '-----BEGIN CERTIFICATE-----',
      true,
    ]);
    expect([mode('certificate.pem'), mode('key.pem')]).toEqual([0o644, 0o640]);
    expect((await make()).output).toContain('kept');
    expect(read()).toEqual([certificate, key]);
  });

  test.each([
    ['replaces its own that ends within 30 days', -800, true],
    ['keeps its own that is good for longer', -790, false],
  ])('%s', async (_, day, replaced) => {
    await madeAt(day);
    const before = read();
    expect((await make()).code).toBe(0);
    expect(read()[0] !== before[0]).toBe(replaced);
  });

  test('never touches what is not its own, be it expired or half of a pair', async () => {
    await make();
    const notBeforeDate = new Date('2020-01-01');
    const notAfterDate = new Date('2021-01-01');
    const { cert } = await generate([{ name: 'commonName', value: 'cameras.example' }], {
      notBeforeDate,
      notAfterDate,
    });
    writeFileSync(join(tls(), 'certificate.pem'), cert);
    expect((await make()).output).toContain('kept');
    expect(read()[0]).toBe(cert);
    for (const file of ['certificate.pem', 'key.pem']) rmSync(join(tls(), file));
    writeFileSync(join(tls(), 'key.pem'), 'a key of the operator');
    expect((await make()).output).toContain('kept');
    expect(readFileSync(join(tls(), 'key.pem'), 'utf8')).toBe('a key of the operator');
  });
});

test('the image of the gateway has all it needs', async () => {
  const stage = stagesOf(readFileSync(join(projectRoot, 'Dockerfile'), 'utf8')).get('gateway') ?? [];
  const image = join(directory, 'image');
  for (const { sources, target } of copiesOf(stage)) {
    if (target.startsWith('/')) continue;
    for (const source of sources) {
      const place = /^\.?\/?$|\/$/.test(target) ? join(target, basename(source)) : target;
      cpSync(join(projectRoot, source), join(image, place), { recursive: true });
    }
  }
  cpSync(join(projectRoot, 'dist'), join(image, 'dist'), { recursive: true });

  const config = join(directory, 'config');
  mkdirSync(config);
  const listen = { authenticated: 'off', internal: 'off', metrics: `unix:${directory}/metrics.sock` };
  writeFileSync(join(config, 'config.yml'), stringify({ networking: { listen } }));
  const gateway = spawn(process.execPath, ['dist/main.js'], {
    cwd: image,
    env: {
      SERVICE_CONFIG_DIR: config,
      SERVICE_TRUSTED_HEADERS_FILE: join(projectRoot, 'proxy_trusted_headers.conf'),
    },
    stdio: 'ignore',
  });
  onTestFinished(() => void gateway.kill('SIGKILL'));
  const health = `unix:${directory}/metrics.sock`;
  const answer = await run('health', ['--wait', '20', health], { MAINPID: String(gateway.pid) });
  expect(answer).toEqual({ code: 0, output: '' });
});
