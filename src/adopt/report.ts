import { join } from 'node:path';
import { isBuiltIn } from '../policy/names.ts';
import type { Plan } from './plan.ts';

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
    row('ports', `${now.port} ${signInPortWords(frigate)}; ${now.openPort} lets everyone in as admin`),
    ...(proxyKeys.length > 0 ? [row('proxy', list(proxyKeys))] : []),
  ];
}

function signInPortWords({ before, now }: Plan['frigate']): string {
  return now.signIn === 'postern'
    ? 'lets in only Postern'
    : `asks who it is, with TLS ${before.hasTls ? 'on' : 'off'}`;
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
