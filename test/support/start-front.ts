import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { temporaryPaths } from './nginx-temporary.ts';
import { freePort, listening } from './ports.ts';
import { projectRoot } from './start-gateway.ts';

/** Fronts of docs/fronts whose programs Debian has. */
export const frontNames = ['nginx', 'Nginx Proxy Manager', 'Caddy', 'HAProxy'] as const;
export type FrontName = (typeof frontNames)[number];

export interface RunningFront {
  /** `host:port` */
  readonly address: string;
  readonly tls: boolean;
  /** What the program wrote to its error output. */
  readonly errors: () => string;
  close(): Promise<void>;
}

interface RecipeInput {
  /** Where the program's files are, and where it may write. */
  readonly directory: string;
  readonly port: number;
  /** `host:port` of the gateway's forward-auth listener. */
  readonly gateway: string;
  /** `host:port` of the gateway's relay; without a listener by default. */
  readonly relay: string;
  /** `host:port` of what the gate guards. */
  readonly recorder: string;
  /** Whether that has a UI of its own, at `/`. */
  readonly hasOwnUi: boolean;
}

/** What stands in a file, what takes its place, and how often it is there; once when absent. */
type Replacement = readonly [from: string, to: string, times?: number];

interface Recipe {
  readonly tls: boolean;
  /** Writes the program's files. @returns its command line */
  readonly prepare: (input: RecipeInput) => readonly string[];
  /** HAProxy and nginx end at once by it. */
  readonly signal: 'SIGTERM' | 'SIGINT';
}

const recipes: Readonly<Record<FrontName, Recipe>> = {
  nginx: {
    tls: true,
    signal: 'SIGTERM',
    prepare: ({ directory, port, gateway, relay, recorder, hasOwnUi }) => {
      const conf = nginxDirectory(directory);
      cpSync(join(projectRoot, 'nginx', 'postern'), join(conf, 'postern'), { recursive: true });
      copyDocument('nginx/cameras.conf', join(conf, 'cameras.conf'), [
        ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
        ['listen 80;', `listen unix:${directory}/plain.sock;`],
        ['server unix:/run/postern/authenticated.sock', `server ${gateway}`],
        ['server unix:/run/postern/relay-authenticated.sock', `server ${relay}`],
        ['server unix:/run/postern/events.sock', `server ${recorder}`],
        ['/etc/postern/tls/', `${directory}/`, 2],
        ...withoutRoot(hasOwnUi, '\n  include postern/root-redirect.conf;\n'),
      ]);
      writeFileSync(join(conf, 'nginx.conf'), nginxAround(directory, 'include cameras.conf;'));
      return ['nginx', '-p', directory, '-c', 'conf/nginx.conf'];
    },
  },
  'Nginx Proxy Manager': {
    tls: false,
    signal: 'SIGTERM',
    prepare: ({ directory, port, gateway, relay, recorder, hasOwnUi }) => {
      const conf = nginxDirectory(directory);
      copyDocument('nginx-proxy-manager/advanced.conf', join(conf, 'advanced.conf'), [
        ['http://postern:8972', `http://${gateway}`, 4],
        ['http://postern:8974', `http://${relay}`],
        ['http://recorder:8971', `http://${recorder}`],
        ...withoutRoot(hasOwnUi, '\nlocation = / {\n  auth_request off;\n  return 303 postern/;\n}\n'),
      ]);
      writeFileSync(join(conf, 'nginx.conf'), nginxAround(directory, proxyHost(port, recorder)));
      return ['nginx', '-p', directory, '-c', 'conf/nginx.conf'];
    },
  },
  Caddy: {
    tls: false,
    signal: 'SIGINT',
    prepare: ({ directory, port, gateway, relay, recorder, hasOwnUi }) => {
      const file = join(directory, 'Caddyfile');
      copyDocument('caddy/Caddyfile', file, [
        ['cameras.example {', `http://gate.local:${port} {\n\tbind 127.0.0.1`],
        ['127.0.0.1:8972', gateway, 3],
        ['127.0.0.1:8973', recorder],
        ['127.0.0.1:8974', relay, 2],
        ...withoutRoot(hasOwnUi, '\n\t\tredir / postern/ 303\n'),
      ]);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, `{\n\tadmin off\n}\n${text}`);
      return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
    },
  },
  HAProxy: {
    tls: true,
    signal: 'SIGTERM',
    prepare: ({ directory, port, gateway, relay, recorder, hasOwnUi }) => {
      const pem = ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(directory, name), 'utf8'));
      writeFileSync(join(directory, 'cameras.pem'), pem.join('\n'), { mode: 0o600 });
      copyDocument('haproxy/haproxy.cfg', join(directory, 'haproxy.cfg'), [
        ['bind :8971', `bind 127.0.0.1:${port}`],
        ['/etc/haproxy/', `${directory}/`, 2],
        ['127.0.0.1:8972', gateway, 2],
        ['127.0.0.1:8973', recorder],
        ['127.0.0.1:8974', relay],
        ...withoutRoot(hasOwnUi, '\n  http-request redirect location postern/ code 303 if { path / }\n'),
      ]);
      copyDocument('haproxy/postern.lua', join(directory, 'postern.lua'), [['127.0.0.1:8972', gateway]]);
      return ['haproxy', '-db', '-f', join(directory, 'haproxy.cfg')];
    },
  },
};

/**
 * A front with the very files of docs/fronts; only addresses, ports and paths of the machine are replaced.
 * @param options whether the recorder has a UI of its own: it has by default
 */
export async function startFront(
  name: FrontName,
  gate: Pick<RecipeInput, 'gateway' | 'recorder'> & Partial<Pick<RecipeInput, 'relay'>>,
  options: Partial<Pick<RecipeInput, 'hasOwnUi'>> = {},
): Promise<RunningFront> {
  const { tls, signal, prepare } = recipes[name];
  const directory = mkdtempSync(join(tmpdir(), 'postern-front-'));
  const certificate = await selfSignedCertificate(directory, Date.now());
  writeFileSync(join(directory, 'certificate.pem'), certificate.cert);
  writeFileSync(join(directory, 'key.pem'), certificate.key, { mode: 0o600 });
  const port = await freePort();
  const [program = '', ...parameters] = prepare({
    directory,
    port,
    relay: '127.0.0.1:1',
    hasOwnUi: true,
    ...options,
    ...gate,
  });

  const child = spawn(program, parameters, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error(`${name} ended: ${errors}`);
  });
  const address = `127.0.0.1:${port}`;
  await Promise.race([listening(address), ended]);
  let closing = false;
  ended.catch((error: Error) => closing || process.stderr.write(`${error.message}\n`));
  return {
    address,
    tls,
    errors: () => errors,
    close: async () => {
      closing = true;
      child.kill(signal);
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function copyDocument(document: string, to: string, replacements: readonly Replacement[]): void {
  let text = readFileSync(join(projectRoot, 'docs', 'fronts', document), 'utf8');
  for (const [from, replacement, times = 1] of replacements) {
    const found = text.split(from).length - 1;
    if (found !== times) throw new Error(`${document} has ${found} of ${from}, not ${times}`);
    text = text.replaceAll(from, replacement);
  }
  writeFileSync(to, text);
}

/** @param lines that lead from `/` to the gate's pages; the documents remove them for a recorder with a UI */
function withoutRoot(hasOwnUi: boolean, lines: string): Replacement[] {
  return hasOwnUi ? [[lines, '\n']] : [];
}

/** @returns the directory of nginx's configuration */
function nginxDirectory(directory: string): string {
  mkdirSync(join(directory, 'temp'));
  mkdirSync(join(directory, 'conf'));
  return join(directory, 'conf');
}

function nginxAround(directory: string, inHttp: string): string {
  const temporary = temporaryPaths(`${directory}/temp`);
  return `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  ${temporary}
  ${inHttp}
}
`;
}

/**
 * A server like those that Nginx Proxy Manager writes, with WebSockets switched on and a location that takes files out of
 * `location /`, as "Cache Assets" does: the text of "Advanced" stands behind.
 */
function proxyHost(port: number, recorder: string): string {
  return `
  server {
    set $forward_scheme http;
    listen 127.0.0.1:${port};
    server_name cameras.example;
    location ~* ^.*\\.(svg|woff)$ {
      proxy_pass http://${recorder};
    }
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $http_connection;
    proxy_http_version 1.1;
    include advanced.conf;
  }`;
}
