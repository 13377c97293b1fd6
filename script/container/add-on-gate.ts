// Starts Postern as an add-on of Home Assistant, from its options. add-on.ts has dropped the rights of root before.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { ingressHeaders, readOptions, withOptions, type AddOnOptions } from './add-on-options.ts';

/** The Supervisor on the add-ons' network: ingress comes from there. */
const supervisor = process.env['ADDON_SUPERVISOR'] || '172.30.32.2';
const ingress = {
  host: process.env['ADDON_INGRESS_HOST'] || '0.0.0.0',
  port: Number(process.env['ADDON_INGRESS_PORT'] || 8099),
};
const gatePort = Number(process.env['ADDON_GATE_PORT'] || 8971);
const optionsFile = process.env['SERVICE_OPTIONS_FILE'] || '/data/options.json';
const root = process.env['SERVICE_CONFIG_DIR'] || '/config';

const options = readOptions(readFileSync(optionsFile, 'utf8'));
// Accounts and ingress have files of their own: neither finds the other's when the option changes.
const directory = options.ingress ? join(root, 'ingress') : root;
prepare(options);
(options.ingress ? openDoor() : openSign()).listen(ingress);
process.env['SERVICE_CONFIG_DIR'] = directory;
await import('../../src/main.ts');
// Without a gate, the door would keep the process.
if (process.exitCode !== undefined) process.exit();

function prepare(given: AddOnOptions): void {
  mkdirSync(directory, { recursive: true, mode: 0o750 });
  const file = join(directory, 'config.yml');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const text = withOptions(before, given, `127.0.0.1:${gatePort}`);
  if (text !== before) writeFileSync(file, text, { mode: 0o600 });
  if (given.admin_password !== '') process.env['SERVICE_ADMIN_PASSWORD'] = given.admin_password;
  if (!given.ingress) return;
  const headers = join(directory, 'proxy_trusted_headers.conf');
  writeFileSync(headers, ingressHeaders);
  process.env['SERVICE_TRUSTED_HEADERS_FILE'] = headers;
}

/** Lets in only ingress: every other add-on could name any user. */
function openDoor() {
  return createServer((client) => {
    if (client.remoteAddress !== supervisor) return void client.destroy();
    const inside = connect({ host: '127.0.0.1', port: gatePort });
    client.on('error', () => inside.destroy()).on('close', () => inside.destroy());
    inside.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(inside).pipe(client);
  });
}

/** With accounts of its own, Postern isn't in the sidebar. */
function openSign() {
  return createHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(sign);
  });
}

const sign = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Postern</title>
<body style="font: 16px system-ui; margin: 2rem"><p>Postern has its own address: <a id="a" target="_top" href="#"></a></p>
<script>const a = document.getElementById('a'); a.href = a.textContent = 'https://' + location.hostname + ':8971/';</script>
`;
