import { finding, tryEach } from '../check.ts';
import {
  type ProbeAnswer,
  type HeaderLine,
  type RawRequest,
  hasPassed,
  inWords,
  isSuccess,
} from './exchange.ts';
import type { Examination, FrontCheck } from './examination.ts';

/* Attempts of a visitor without a session or token. */

const guardedTargets = ['/', '/api/profile', '/api/events?limit=1', '/api/config'];

/** Pages and API are refused, or redirect to the login. */
export const loginRequired: FrontCheck = {
  name: 'login-required',
  run: ({ send, first, profile }) => {
    const known = new Map([
      ['/', first],
      ['/api/profile', profile],
    ]);
    return tryEach(
      guardedTargets,
      async (target) => {
        const answer = known.get(target) ?? (await send({ target }));
        const isRefusal = answer.status >= 300 && answer.status < 500;
        const expected = '401, or a way to the login';
        return finding(`GET ${target}`, expected, inWords(answer), !isRefusal && changeForOpen(answer));
      },
      `GET ${guardedTargets.join(', ')}`,
    );
  },
};

function changeForOpen(answer: ProbeAnswer): string {
  return isSuccess(answer)
    ? 'include postern/gate.conf; in the location of this path, and ask networking.forward_auth.authenticated there'
    : 'start Postern and look at the error log of the front: it cannot ask';
}

// The headers of one front at a time: the gate refuses a mixture.
const wordsOfNginx = [
  ['X-Original-URL', '/login'],
  ['X-Original-Method', 'GET'],
] as const;
const wordsOfTraefik = [
  ['X-Forwarded-Uri', '/login'],
  ['X-Forwarded-Method', 'GET'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Host', 'postern.invalid'],
] as const;
const wordsOfEnvoy = [['X-Forwarded-Proto', 'https']] as const;

const authorizationRequests: readonly RawRequest[] = [
  { target: '/_gate' },
  { target: '/auth' },
  { target: '/_gate', headers: wordsOfNginx },
  { target: '/auth', headers: wordsOfNginx },
  { target: '/api/authz/auth-request', headers: wordsOfNginx },
  { target: '/api/authz/forward-auth', headers: wordsOfTraefik },
  { target: '/api/authz/ext-authz/login', headers: wordsOfEnvoy },
];

/** Clients cannot send authorization requests through the front. */
export const authorizationReachable: FrontCheck = {
  name: 'question-reachable',
  run: ({ send }) =>
    tryEach(
      authorizationRequests,
      async (request) => {
        const answer = await send(request);
        const said = request.headers === undefined ? '' : ' in the words of a front';
        return finding(
          `GET ${request.target}${said}`,
          'no success',
          inWords(answer),
          isSuccess(answer) &&
            'internal; in location = /_gate, and proxy_set_header X-Original-URL $request_uri; wherever clients reach $gateway/auth',
        );
      },
      'GET /_gate, /auth, /api/authz/…, plain and in the words of a front',
    ),
};

/** Headers that carry identities to servers, besides those of the trusted-headers file. */
const usualHeaders = [
  'remote-user',
  'remote-role',
  'remote-groups',
  'x-forwarded-user',
  'x-remote-user',
  'tailscale-user-login',
  'cf-access-authenticated-user-email',
];

/** An identity with the name and groups that open the most. */
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

/** The identity headers of a proxy have no effect when a client sends them, each by itself and all together. */
export const spoofedIdentity: FrontCheck = {
  name: 'spoofed-identity',
  needs: 'guard',
  run: (examination) => {
    const names = [...new Set([...usualHeaders, ...examination.context.trustedHeaders])];
    return inventIdentities(examination, [
      ...names.map((name): Invention => {
        const value = name.endsWith('-secret') ? 'guess' : 'admin';
        return { said: `${name}: ${value}`, headers: [[name, value]] };
      }),
      { said: 'all of them together', headers: invented },
    ]);
  },
};

/** The same headers have no effect under names that some servers read as the same, or sent twice. */
export const aliases: FrontCheck = {
  name: 'aliases',
  needs: 'guard',
  run: (examination) =>
    inventIdentities(
      examination,
      Object.entries(spellings).map(([said, spell]) => ({ said, headers: invented.flatMap(spell) })),
    ),
};

/** Spellings of a header line, by their names in the table. */
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

function inventIdentities({ send, profile }: Examination, inventions: readonly Invention[]) {
  return tryEach(
    inventions,
    async ({ said, headers }) => {
      const answer = await send({ target: '/api/profile', headers });
      return finding(
        `GET /api/profile with ${said}`,
        'refused as without it',
        inWords(answer),
        isBelieved(answer, profile) && changeForBelieved(headers),
      );
    },
    `GET /api/profile with ${inventions.length} inventions, one after the other`,
  );
}

/** A refusal of the gate because of a role means that it believed the identity. */
function isBelieved(answer: ProbeAnswer, without: ProbeAnswer): boolean {
  const isForbidden = answer.status === 403 && answer.headers.has('x-postern-decision');
  return hasPassed(answer) || (isForbidden && without.status !== 403);
}

function changeForBelieved(headers: readonly HeaderLine[]): string {
  const [[name] = ['Remote-User']] = headers;
  return `set proxy.auth_secret (or auth.enabled: true), and in the upstream proxy: proxy_set_header ${name.replaceAll(/[_.]/g, '-')} "";`;
}
