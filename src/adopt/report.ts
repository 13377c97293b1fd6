import { join } from 'node:path';
import { isBuiltIn } from '../policy/names.ts';
import { headersName, type Plan } from './plan.ts';
import { variablesIn } from './own-file.ts';

/** Describes in lines what was found at Frigate. */
export function describeFound({ frigate }: Plan): readonly string[] {
  const { before, now, users, directory } = frigate;
  const row = (name: string, value: string) => `  ${name.padEnd(9)}${value}`;
  const list = (names: Iterable<string>) => [...names].join(', ') || 'none';
  const proxyKeys = Object.keys(before.proxy);
  return [
    `Frigate${now.release === undefined ? '' : ` ${now.release}`} in ${directory}:`,
    row('cameras', list(now.cameras)),
    row('sign-in', signInWords(frigate)),
    row('users', list(users.map(({ username, role }) => `${username} (${role})`))),
    row('roles', list([...now.roles].map(([role, cameras]) => `${role} (${cameras.join(', ')})`))),
    ...(now.groups.size > 0 ? [row('groups', list(now.groups.keys()))] : []),
    row(
      'ports',
      `${now.port} asks who it is, with TLS ${before.hasTls ? 'on' : 'off'}; ${now.openPort} lets everyone in as admin`,
    ),
    ...(proxyKeys.length > 0 ? [row('proxy', list(proxyKeys))] : []),
  ];
}

function signInWords({ now }: Plan['frigate']): string {
  return {
    postern: 'at Postern, which Frigate trusts already',
    accounts: "Frigate's own accounts",
    proxy: 'a proxy in front of it; Postern takes its place behind that proxy, and needs no accounts',
    open: 'off: everyone who reaches it is let in; Postern asks everyone for a password',
  }[now.signIn];
}

/** Describes in lines what will be done. @param due the files that are not as planned yet */
export function describePlan(plan: Plan, due: Plan['files']): readonly string[] {
  const { own, people, frigateFile, diff, configuration } = plan;
  const isDue = (path: string) => due.some((file) => file.path === path);
  const ownFile = join(own.directory, 'config.yml');
  const lines: string[] = [];
  if (isDue(ownFile))
    lines.push(
      `  ${own.text === undefined ? 'write' : 'add to'} ${ownFile}: Frigate at ${configuration.upstream ?? ''}, its database at ${configuration.eventsDatabase ?? ''}, ${rolesIn(configuration)}the cookie ${configuration.auth.cookieName}, times of ${configuration.timezone}, and a secret that only Postern and Frigate know`,
    );
  for (const key of plan.kept) lines.push(`  keep ${key} as it is in ${ownFile}`);
  for (const { path } of due)
    if (path !== ownFile && path !== frigateFile.path) lines.push(`  write ${path}`);
  for (const { username, role } of people.imported)
    lines.push(`  import ${username} as ${role}, with the same password`);
  for (const { name, why } of people.skipped) lines.push(`  not import ${name}: ${why}`);
  if (isDue(frigateFile.path)) {
    lines.push(
      frigateFile.isInUse
        ? `  change ${frigateFile.path}, so that it trusts Postern only:`
        : `  write ${frigateFile.path}, which differs from Frigate's config.yml in:`,
      ...diff.map((line) => `    ${line}`),
    );
  }
  if (configuration.auth.enabled && !hasAdmin(plan))
    lines.push('  no admin is imported: the first start of Postern makes one, and logs the password');
  return lines;
}

function rolesIn({ auth }: Plan['configuration']): string {
  const custom = [...auth.roles.keys()].filter((role) => !isBuiltIn(role));
  return custom.length === 0 ? '' : `the roles ${custom.join(', ')}, `;
}

function hasAdmin({ people, own }: Plan): boolean {
  return [...people.imported, ...own.users].some(({ role }) => role === 'admin');
}

/** Tells the operator what is left to do: the service, the ports, and the check. */
export function describeNext(plan: Plan): readonly string[] {
  const { frigate, frigateFile, own, headersFile, configuration } = plan;
  const environment = [
    ...(headersFile === undefined
      ? []
      : ['SERVICE_TRUSTED_HEADERS_FILE: /config/proxy_trusted_headers.conf']),
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
    // In a container, only its starter knows the name outside.
    `      - ${own.directory === '/config' ? './postern' : own.directory}:/config`,
    ...[...new Set([frigate.directory, directoryOf(frigate.database)])].map(
      (directory) => `      - ${directory}:${directory}:ro`,
    ),
  ];
  const secure = configuration.tls.enabled ? 'https' : 'http';
  return [
    "Add Postern to Frigate's compose file:",
    '',
    ...service.map((line) => `  ${line}`),
    '',
    'and in the service of Frigate',
    `  - delete its ports ${[frigate.now.port, frigate.now.openPort, 8554, 1984].join(', ')} and 8555: anyone who reaches them gets past Postern`,
    '  - add to its volumes:',
    `      - ${join(frigate.directory, headersName)}:/usr/local/nginx/conf/proxy_trusted_headers.conf:ro`,
    '',
    'Then:',
    ...(frigateFile.isInUse ? [] : [`  mv ${quoted(frigateFile.path)} ${quoted(frigate.path)}`]),
    '  docker compose up -d --force-recreate',
    ...(configuration.auth.enabled
      ? [
          `  docker compose exec postern postern adopt --check ${secure}://localhost:8971`,
          '',
          'The check signs in as imported users and looks for their cameras.',
        ]
      : [
          '',
          'Lead the proxy to Postern in place of Frigate, and sign in through it: Frigate shows your cameras.',
        ]),
    '"postern adopt --undo" puts everything back.',
  ];
}

function directoryOf(path: string): string {
  return join(path, '..');
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
