import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '../../test/support/ports.ts';
import { sendRaw } from '../../test/support/raw-http.ts';
import { startListening, temporaryDirectory } from './programs.ts';
import { questionHeaders } from './questions.ts';
import type { Asked } from './request.ts';

/* Other forward-auth gateways, each with one user who has signed in with a password. Settings that aren't here have their defaults. */

interface Peer {
  readonly name: string;
  /** Looked for in dist/compare and the PATH, unless the environment variable of this name has it: OAUTH2_PROXY. */
  readonly command: string;
  readonly files: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its pages are. */
  readonly host: string;
  readonly signIn: readonly [uri: string, body: URLSearchParams | object];
  /** What nginx asks by `auth_request`. */
  readonly path: string;
}

const domain = 'cameras.example';
const password = 'one-question-for-all';
const hash = '$2a$10$XjqvQem41sGWJlmGM.y8rOTlOyJzVpv0tM5Pf0wktfbHGn.TrCaQm';

function peersIn(directory: string, port: number, secret: string): readonly Peer[] {
  return [
    {
      name: 'Authelia',
      command: 'authelia',
      files: {
        'authelia.yml': `server: { address: 'tcp://127.0.0.1:${port}/' }
log: { level: warn }
ntp: { disable_startup_check: true }
authentication_backend: { file: { path: '${directory}/users.yml' } }
access_control: { default_policy: deny, rules: [{ domain: ${domain}, policy: one_factor }] }
session: { secret: ${secret}, cookies: [{ domain: ${domain}, authelia_url: 'https://auth.${domain}' }] }
storage: { encryption_key: ${secret}, local: { path: '${directory}/db.sqlite3' } }
notifier: { filesystem: { filename: '${directory}/notifications.txt' } }
identity_validation: { reset_password: { jwt_secret: ${secret} } }
`,
        'users.yml': `users: { olaf: { displayname: Olaf, password: '${hash}', email: 'olaf@${domain}' } }\n`,
      },
      arguments: ['--config', `${directory}/authelia.yml`],
      host: `auth.${domain}`,
      signIn: ['/api/firstfactor', { username: 'olaf', password }],
      path: '/api/authz/auth-request',
    },
    {
      name: 'oauth2-proxy',
      command: 'oauth2-proxy',
      files: { users: `olaf:${hash}\n` },
      // No provider is asked: the user is in the file.
      arguments:
        `--http-address=127.0.0.1:${port} --reverse-proxy --trusted-proxy-ip=127.0.0.1/32 --htpasswd-file=${directory}/users
        --provider=github --client-id=unused --client-secret=unused --email-domain=* --cookie-secret=${secret} --cookie-domain=${domain}
        --whitelist-domain=${domain} --set-xauthrequest --upstream=static://202 --request-logging=false --auth-logging=false`.split(
          /\s+/,
        ),
      host: domain,
      signIn: ['/oauth2/sign_in', new URLSearchParams({ username: 'olaf', password })],
      path: '/oauth2/auth',
    },
    {
      name: 'tinyauth',
      command: 'tinyauth',
      files: { users: `olaf:${hash}\n` },
      arguments: [],
      environment: Object.fromEntries(
        `APPURL=https://auth.${domain} SERVER_ADDRESS=127.0.0.1 SERVER_PORT=${port} AUTH_USERSFILE=${directory}/users
        AUTH_SECURECOOKIE=true AUTH_TRUSTEDPROXIES=127.0.0.1 DATABASE_PATH=${directory}/tinyauth.db
        OIDC_PRIVATEKEYPATH=${directory}/key OIDC_PUBLICKEYPATH=${directory}/key.pub RESOURCES_ENABLED=false
        ANALYTICS_ENABLED=false LOG_LEVEL=warn LOG_STREAMS_HTTP_ENABLED=false`
          .split(/\s+/)
          .map((line) => `TINYAUTH_${line}`.split('=')),
      ),
      host: `auth.${domain}`,
      signIn: ['/api/user/login', { username: 'olaf', password }],
      path: '/api/auth/nginx',
    },
  ];
}

/** Starts the peers whose programs are here, and signs in at each. */
export async function startPeers(lines: string): Promise<Readonly<Record<string, Asked>>> {
  const started: Record<string, Asked> = {};
  for (const index of [0, 1, 2]) {
    const [directory, port] = [temporaryDirectory('peer'), await freePort()];
    const peer = peersIn(directory, port, randomBytes(16).toString('hex'))[index];
    const program = peer && programOf(peer);
    if (peer !== undefined && program !== undefined)
      started[peer.name] = await startPeer(peer, program, directory, port, lines);
  }
  return started;
}

async function startPeer(peer: Peer, command: string, directory: string, port: number, lines: string) {
  for (const [file, text] of Object.entries(peer.files)) writeFileSync(join(directory, file), text);
  const address = `127.0.0.1:${port}`;
  const pid = await startListening({ ...peer, command }, address);
  const { name, path, host } = peer;
  const [uri, form] = peer.signIn;
  const isForm = form instanceof URLSearchParams;
  const headers = Object.entries({
    Host: host,
    'X-Forwarded-For': '192.0.2.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': host,
    Origin: `https://${host}`,
    'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
  });
  const body = isForm ? form.toString() : JSON.stringify(form);
  const signedIn = await sendRaw(address, { method: 'POST', uri, headers, body });
  const set = (signedIn.headers.get('set-cookie') ?? []).map((line) => line.split(';', 1)[0] ?? '');
  const cookie = set.filter((one) => !/^[^=]*=$/.test(one)).join('; ');
  const question = (own: string, url: string) => questionHeaders(own, `https://${domain}${url}`);
  const statuses = [cookie, 'forged=1'].map(async (own) => {
    const asked = Object.entries(question(own, '/api/events?limit=25'));
    return (await sendRaw(address, { uri: path, headers: asked })).status;
  });
  const [own = 0, forged = 0] = await Promise.all(statuses);
  if (own >= 300 || forged < 300)
    throw new Error(`${name} answers ${own}, and ${forged} to anyone: ${signedIn.body}`);
  return { address, path, pid, headers: question(cookie, '/{1}'), lines };
}

function programOf({ command }: Peer): string | undefined {
  const given = process.env[command.toUpperCase().replace('-', '_')];
  const made = join(import.meta.dirname, '..', '..', 'dist', 'compare');
  const folders = [made, ...(process.env['PATH'] ?? '').split(delimiter)];
  return given ?? folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

const store = join(import.meta.dirname, 'peers.tsv');

/** Rows of the page that earlier runs measured, for a machine without the programs. The first cell has the day too. */
export function storedPeers(): string[][] {
  const lines = readFileSync(store, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split('\t'));
}

/** The peer of a first cell, such as `Authelia, 2026-11-26`. */
export function peerIn(title: string): string {
  return title.split(',', 1)[0] ?? '';
}

/** Keeps the rows of this run, and those of peers that weren't measured. */
export function storePeers(measured: ReadonlyArray<readonly string[]>): void {
  const date = new Date().toISOString().slice(0, 10);
  const others = storedPeers().filter(([title = '']) => measured.every(([name]) => name !== peerIn(title)));
  const rows = [...measured.map(([name, ...cells]) => [`${name}, ${date}`, ...cells]), ...others];
  writeFileSync(store, rows.map((row) => `${row.join('\t')}\n`).join(''));
}
