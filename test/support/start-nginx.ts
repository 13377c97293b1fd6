import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { temporaryPaths } from './nginx-temporary.ts';
import { freePort, listening } from './ports.ts';
import { projectRoot, type RunningGateway } from './start-gateway.ts';

export interface RunningNginx {
  /** `host:port` of each entry point; the authenticated one speaks TLS. */
  readonly authenticated: string;
  readonly internal: string;
  /** What nginx wrote to its error log. */
  readonly errors: () => string;
  close(): Promise<void>;
}

export interface NginxOptions {
  /** Sockets of the gateway's forward-auth listeners, as `unix:/path`. */
  readonly gateway?: { readonly authenticated: string; readonly internal: string };
  /** Those of its relays: without a listener by default. */
  readonly relay?: { readonly authenticated: string; readonly internal: string };
  /** What the gate guards: `unix:/path` or `host:port`. */
  readonly recorder: string;
  /** Directories of the sockets of several gates, of several-gates.conf. */
  readonly gates?: readonly string[];
  /** The configuration; nginx.conf by default. */
  readonly main?: 'nginx.conf' | 'recorder.conf' | 'several-gates.conf';
  /** Whether `/` leads to the gateway's pages; in recorder.conf it is the recorder's. */
  readonly sharedPages?: boolean;
  /** Whether the authenticated entry point speaks TLS, as it does by default. */
  readonly tls?: boolean;
  /** More replacements, by file below `nginx/`. */
  readonly changes?: Readonly<Record<string, readonly Replacement[]>>;
}

type Replacement = readonly [from: string, to: string];

/** The same in front of a gateway, and by default of its own events app. */
export function startNginxFor(
  { addresses }: Pick<RunningGateway, 'addresses'>,
  options: Partial<Omit<NginxOptions, 'gateway'>> = {},
): Promise<RunningNginx> {
  const { forwardAuthAuthenticated = '', forwardAuthInternal = '', events } = addresses;
  const { relayAuthenticated = noListener, relayInternal = noListener } = addresses;
  const gateway = { authenticated: forwardAuthAuthenticated, internal: forwardAuthInternal };
  const relay = { authenticated: relayAuthenticated, internal: relayInternal };
  return startNginx({ gateway, relay, recorder: events, ...options });
}

const noListener = 'unix:/no/listener/here.sock';
const noListeners = { authenticated: noListener, internal: noListener };

/** Debian's nginx with the project's own configuration; only addresses and paths of the machine are replaced. */
export async function startNginx({
  gateway = noListeners,
  relay = noListeners,
  recorder,
  gates,
  main = gates === undefined ? 'nginx.conf' : 'several-gates.conf',
  sharedPages = false,
  tls = true,
  changes = {},
}: NginxOptions): Promise<RunningNginx> {
  const prefix = mkdtempSync(join(tmpdir(), 'postern-nginx-'));
  const conf = join(prefix, 'conf');
  const [authenticated, internal] = [await freePort(), await freePort()];
  cpSync(join(projectRoot, 'nginx'), conf, { recursive: true });
  mkdirSync(join(prefix, 'temp'));
  const certificate = await selfSignedCertificate(prefix, Date.now());
  writeFileSync(join(prefix, 'certificate.pem'), certificate.cert);
  writeFileSync(join(prefix, 'key.pem'), certificate.key, { mode: 0o600 });

  const temporary = temporaryPaths(`${prefix}/temp`);
  const replacements: readonly Replacement[] = [
    ['listen 8971 ssl', `listen 127.0.0.1:${authenticated}${tls ? ' ssl' : ''}`],
    ['listen 127.0.0.1:5000', `listen 127.0.0.1:${internal}`],
    ...(gates?.map((directory, index) => [`/run/postern/${index + 1}/`, `${directory}/`] as const) ??
      socketsOf(gateway, relay)),
    [
      main === 'nginx.conf' ? 'server unix:/run/postern/events.sock' : 'server recorder:8971',
      `server ${recorder}`,
    ],
    ['/run/postern/', `${prefix}/`],
    ['/etc/postern/tls/', `${prefix}/`],
    ['worker_processes auto;', `worker_processes 1;\n${process.getuid?.() === 0 ? 'user root;' : ''}`],
    ...(sharedPages || main !== 'nginx.conf'
      ? []
      : [['    include postern/root-redirect.conf', '    # include postern/root-redirect.conf'] as const]),
    ['http {', `http {\n  ${temporary}`],
  ];
  replaceIn(join(conf, main), replacements);
  for (const [file, more] of Object.entries(changes)) replaceIn(join(conf, file), more);

  const child = spawn('nginx', ['-p', prefix, '-c', `conf/${main}`, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(prefix, { recursive: true, force: true });
  };
  const ended = exited.then(() => {
    throw new Error(`nginx ended: ${errors}`);
  });
  await Promise.race([listening(`127.0.0.1:${authenticated}`), ended]);
  ended.catch(() => undefined);
  return {
    authenticated: `127.0.0.1:${authenticated}`,
    internal: `127.0.0.1:${internal}`,
    errors: () => errors,
    close,
  };
}

function socketsOf(
  gateway: NonNullable<NginxOptions['gateway']>,
  relay: NonNullable<NginxOptions['relay']>,
): readonly Replacement[] {
  return [
    ['server unix:/run/postern/authenticated.sock', `server ${gateway.authenticated}`],
    ['server unix:/run/postern/internal.sock', `server ${gateway.internal}`],
    ['server unix:/run/postern/relay-authenticated.sock', `server ${relay.authenticated}`],
    ['server unix:/run/postern/relay-internal.sock', `server ${relay.internal}`],
  ];
}

function replaceIn(file: string, replacements: readonly Replacement[]): void {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  writeFileSync(file, text);
}
