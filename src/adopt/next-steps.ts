import { join } from 'node:path';
import { isLoopback } from '../config/listen.ts';
import { variablesIn } from './own-file.ts';
import { headersName, type Plan } from './plan.ts';

/** Tells the operator what is left to do: where Postern runs, the ports, and the check. @param isRunning whether Postern has to stop first */
export function describeNext(plan: Plan, isRunning = false): readonly string[] {
  return [
    ...frontSteps(plan),
    ...(isOnThisMachine(plan) ? stepsHere(plan, isRunning) : stepsInCompose(plan)),
    ...checkSteps(plan),
    '"postern adopt --undo" puts everything back.',
  ];
}

/** Where the file for nginx has to be, if nginx doesn't have Postern's directory. */
function frontSteps({ own, secretFile }: Plan): readonly string[] {
  if (secretFile === undefined) return [];
  const file = `${outside(own.directory)}/tls/recorder-secret.conf`;
  return [
    `nginx sends Frigate the secret by ${file}. Unless that directory is its /etc/postern/tls, copy the file as root, for the group of nginx:`,
    `  install -m 640 -g www-data ${quoted(file)} /etc/postern/tls/`,
    'Then restart nginx. Other fronts: docs/fronts/README.md.',
    '',
  ];
}

/** A container would reach only itself at an upstream on loopback. */
function isOnThisMachine({ configuration }: Plan): boolean {
  const upstream = URL.parse(configuration.upstream ?? '');
  if (upstream === null) return false;
  return isLoopback({ host: upstream.hostname.replace(/^\[|\]$/g, ''), port: 80 });
}

function stepsHere(plan: Plan, isRunning: boolean): readonly string[] {
  const { frigate, configuration, own } = plan;
  const published = URL.parse(configuration.upstream ?? '')?.host ?? '';
  return [
    'Postern runs on this machine. In the service of Frigate',
    `  - publish its port ${frigate.now.port} only as ${published}, and delete ${portsToClose(plan)}`,
    ...headersMount(join(frigate.directory, headersName)),
    '',
    `Then restart Frigate, and ${isRunning ? 'stop and start' : 'start'} Postern:`,
    ...moveStep(plan, frigate.path),
    '  docker compose up -d --force-recreate',
    `  ${[`SERVICE_CONFIG_DIR=${quoted(own.directory)}`, ...ownList(plan).map((file) => `SERVICE_TRUSTED_HEADERS_FILE=${quoted(file)}`)].join(' ')} script/server`,
  ];
}

function stepsInCompose(plan: Plan): readonly string[] {
  const { frigate, own } = plan;
  const environment = [
    ...ownList(plan).map(() => 'SERVICE_TRUSTED_HEADERS_FILE: /config/proxy_trusted_headers.conf'),
    ...variablesIn(frigate.before)
      .filter((name) => !Object.hasOwn(frigate.before.variables, name))
      .map((name) => `${name}: # as Frigate has it`),
  ];
  const service = [
    'services:',
    '  postern:',
    '    image: ${POSTERN_IMAGE:-postern-gateway}',
    `    user: '${own.owner}'`,
    '    restart: unless-stopped',
    `    ports: ['8971:8971']`,
    ...(environment.length === 0 ? [] : ['    environment:', ...environment.map((line) => `      ${line}`)]),
    '    read_only: true',
    '    tmpfs: [/tmp]',
    '    cap_drop: [ALL]',
    '    security_opt: [no-new-privileges:true]',
    '    volumes:',
    `      - ${outside(own.directory)}:/config`,
    ...[...new Set([frigate.directory, join(frigate.database, '..')])].map(
      (directory) => `      - ${outside(directory)}:${directory}:ro`,
    ),
  ];
  return [
    "Postern's service, in Frigate's compose file:",
    '',
    ...service.map((line) => `  ${line}`),
    '',
    'and in the service of Frigate',
    `  - delete ${portsToClose(plan, frigate.now.port)}`,
    ...headersMount(`${outside(frigate.directory)}/${headersName}`),
    '',
    'Then:',
    ...moveStep(plan, `${outside(frigate.directory)}/${relativePath(plan)}`),
    '  docker compose up -d --force-recreate',
  ];
}

function checkSteps(plan: Plan): readonly string[] {
  const { configuration, own } = plan;
  if (!configuration.auth.enabled)
    return [
      '',
      'Lead the proxy to Postern in place of Frigate, and sign in through it: Frigate shows your cameras.',
    ];
  const { authenticated } = configuration.listen;
  const port = authenticated !== undefined && 'port' in authenticated ? authenticated.port : 8971;
  const check = `postern adopt --check ${configuration.tls.enabled ? 'https' : 'http'}://localhost:${port}`;
  return [
    isOnThisMachine(plan)
      ? `  SERVICE_CONFIG_DIR=${quoted(own.directory)} script/${check}    # in another shell`
      : `  docker compose exec postern ${check}`,
    '',
    'The check signs in as imported users and looks for their cameras.',
  ];
}

function portsToClose({ frigate }: Plan, ...more: readonly number[]): string {
  return `its ports ${[...more, frigate.now.openPort, 8554, 1984].join(', ')}: anyone who reaches them gets past Postern. 8555 too, unless you need WebRTC, which Postern cannot cut`;
}

function headersMount(path: string): readonly string[] {
  return ['  - add to its volumes:', `      - ${path}:/usr/local/nginx/conf/proxy_trusted_headers.conf:ro`];
}

function moveStep({ frigateFile }: Plan, path: string): readonly string[] {
  return frigateFile.isInUse ? [] : [`  mv ${quoted(`${path}.postern`)} ${quoted(path)}`];
}

function ownList({ headersFile }: Plan): readonly string[] {
  return headersFile === undefined ? [] : [headersFile];
}

const relativePath = ({ frigate }: Plan) => frigate.path.slice(frigate.directory.length + 1);

/** The names beside the compose file, of the two directories that docs/container.md mounts; in a container, only its starter knows others. */
function outside(directory: string): string {
  return { '/config': './postern', '/recorder': './config' }[directory] ?? directory;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
