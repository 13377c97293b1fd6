import { hasPassed, inWords, isSuccess, type Answer } from './answer.ts';
import { openToNobody, type Examination } from './examination.ts';
import { fault, faultsOr, ok, skipped, type Finding, type Probe } from './probe.ts';
import type { HeaderLine } from './raw-exchange.ts';

/** Headers by which servers are told who asks, besides those of the trusted-headers file. */
const usualHeaders = [
  'remote-user',
  'remote-role',
  'remote-groups',
  'x-forwarded-user',
  'x-remote-user',
  'tailscale-user-login',
  'cf-access-authenticated-user-email',
];

/** Somebody who has the name and the groups that open the most. */
const invented: readonly HeaderLine[] = [
  ['Remote-User', 'admin'],
  ['Remote-Role', 'admin'],
  ['Remote-Groups', 'admin,admins'],
  ['X-Forwarded-User', 'admin'],
  ['X-Forwarded-Groups', 'admin,admins'],
  ['X-authentik-username', 'admin'],
  ['X-authentik-groups', 'admin,admins'],
  ['X-Proxy-Secret', 'guess'],
];

const expected = 'refused as without it';

export const spoofedIdentityProbe: Probe = {
  name: 'spoofed-identity',
  meaning:
    'The identity headers of a proxy (those of the trusted-headers file, and the usual ones) have no effect when a client sends them, each alone and all together.',
  change:
    'With `auth.enabled: false`: set `proxy.auth_secret`, let only the upstream proxy send it, and let nobody reach this front but by that proxy, which empties the headers of its clients: `proxy_set_header Remote-User "";` for each. Otherwise `auth.enabled: true`.',
  run: (examination) =>
    inventIdentities(examination, [
      ...[...new Set([...usualHeaders, ...examination.context.trustedHeaders])].map((name): Invention => ({
        said: `${name}: ${valueFor(name)}`,
        headers: [[name, valueFor(name)]],
      })),
      { said: 'all of them together', headers: invented },
    ]),
};

export const aliasesProbe: Probe = {
  name: 'aliases',
  meaning:
    'The same headers under names that some servers read as the same (`Remote_User`, `Remote.User`, `remote-USER`), and sent twice.',
  change:
    '`underscores_in_headers off;` and `ignore_invalid_headers on;` in `nginx/postern/http.conf`, and no `proxy_set_header Remote-User $http_remote_user;` in `postern/authorization-request.conf`: the gate has to see the lines as they came. Do what `spoofed-identity` says first.',
  run: (examination) =>
    inventIdentities(
      examination,
      Object.entries(spellings).map(([said, spell]) => ({ said, headers: invented.flatMap(spell) })),
    ),
};

/** Spellings of a header line, by what they are called in the table. */
const spellings: Readonly<Record<string, (line: HeaderLine) => readonly HeaderLine[]>> = {
  'Remote_User, Remote_Groups …': ([name, value]) => [[name.replaceAll('-', '_'), value]],
  'Remote.User, Remote.Groups …': ([name, value]) => [[name.replaceAll('-', '.'), value]],
  'remote-USER, remote-GROUPS …': ([name, value]) => [
    [name.replace(/-.*/, (rest) => rest.toUpperCase()), value],
  ],
  'Remote-User, Remote-Groups … twice': (line) => [line, line],
  'Remote-User and Remote_User …': ([name, value]) => [
    [name, value],
    [name.replaceAll('-', '_'), value],
  ],
};

interface Invention {
  readonly said: string;
  readonly headers: readonly HeaderLine[];
}

async function inventIdentities(
  examination: Examination,
  inventions: readonly Invention[],
): Promise<readonly Finding[]> {
  const open = openToNobody(examination);
  if (open !== undefined) return [skipped(open)];
  const { send, profile } = examination;
  const tried = [];
  for (const { said, headers } of inventions) {
    const answer = await send({ target: '/api/profile', headers });
    const sent = `GET /api/profile with ${said}`;
    tried.push(
      isBelieved(answer, profile)
        ? fault(sent, expected, inWords(answer), changeFor(headers))
        : ok(sent, expected, inWords(answer)),
    );
  }
  return faultsOr(tried, `GET /api/profile with ${inventions.length} inventions, one after the other`);
}

/** A refusal of the gate that is about the role means that it knows who asks. */
function isBelieved(answer: Answer, without: Answer): boolean {
  const isForbidden = answer.status === 403 && answer.headers.has('x-postern-decision');
  return isSuccess(answer) || hasPassed(answer) || (isForbidden && without.status !== 403);
}

function changeFor(headers: readonly HeaderLine[]): string {
  const [[name] = ['Remote-User']] = headers;
  return `set proxy.auth_secret (or auth.enabled: true), and in the upstream proxy: proxy_set_header ${name.replaceAll(/[_.]/g, '-')} "";`;
}

function valueFor(name: string): string {
  return name.endsWith('-secret') ? 'guess' : 'admin';
}
