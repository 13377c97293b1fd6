import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { temporaryPaths } from './nginx-temporary.ts';
import { listening } from './ports.ts';
import { projectRoot } from './start-gateway.ts';

export interface Site {
  close(): Promise<void>;
}

interface SiteOptions {
  /** What an operator includes inside `http { … }`, below the project's root. */
  readonly file: string;
  /** Where it listens, as `host:port`, once `replaced` is applied. */
  readonly addresses: readonly string[];
  /** Addresses and paths of the machine; each must be in the file. */
  readonly replaced: ReadonlyArray<readonly [from: string, to: string]>;
  /** Files of `/etc/nginx/`, by their path below it; `tls/cameras.pem` and its key are there. */
  readonly files: Readonly<Record<string, string>>;
}

/** Debian's nginx with a file of a guide. */
export async function startSite({ file, addresses, replaced, files }: SiteOptions): Promise<Site> {
  const prefix = mkdtempSync(join(tmpdir(), 'postern-site-'));
  mkdirSync(join(prefix, 'temp'));
  mkdirSync(join(prefix, 'tls'));
  const { cert, key } = await selfSignedCertificate(prefix, Date.now());
  const certificate = { 'tls/cameras.pem': cert, 'tls/cameras.key': key };
  for (const [name, text] of Object.entries({ ...certificate, ...files })) {
    writeFileSync(join(prefix, name), text, { mode: 0o600 });
  }
  const site = [...replaced, ['/etc/nginx/', `${prefix}/`] as const].reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(projectRoot, file), 'utf8'),
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(prefix, 'nginx.conf'),
    `${user} worker_processes 1; pid nginx.pid; error_log stderr; events {} http { access_log off;\n${temporaryPaths(`${prefix}/temp`)}\n${site}}\n`,
  );
  const child = spawn('nginx', ['-p', prefix, '-c', 'nginx.conf', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error(`nginx ended: ${errors}`);
  });
  await Promise.race([Promise.all(addresses.map((address) => listening(address))), ended]);
  ended.catch(() => undefined);
  return {
    close: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(prefix, { recursive: true, force: true });
    },
  };
}
