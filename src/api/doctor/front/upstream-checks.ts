import { finding, skipped, tryEach, type Finding } from '../check.ts';
import { type ProbeAnswer, type HeaderLine, camerasIn, inWords, isSuccess, jsonOf } from './exchange.ts';
import type { FrontCheck, Session } from './examination.ts';
import { closedCamera, isLimited } from './session.ts';

// A query with a semicolon is not narrowed: it shows how the server behind the gate treats the role.
const target = '/api/events?limit=100&doctor=;';

const claims: ReadonlyArray<readonly HeaderLine[]> = [
  // Headers by which a client claims to be more than it is.
  [['Remote-Role', 'admin']],
  [['Remote_Role', 'admin']],
  [
    ['Remote-User', 'admin'],
    ['Remote-Role', 'admin'],
    ['Remote-Groups', 'admin'],
  ],
  // An unknown role sees nothing: with it, even an admin's session shows whether the client's header arrives.
  [['Remote-Role', 'postern-doctor']],
];

/** Only the gate sets the identity headers of the server behind it. */
export const upstreamIdentity: FrontCheck = {
  name: 'identity-reaches-upstream',
  needs: 'session',
  run: async ({ session, send }) => {
    const plain = await send({ target, headers: session.headers });
    if (plain.status === 404 && !isOfGate(plain)) return [skipped('there is no /api/events behind Postern')];
    const tried = await tryEach(
      claims,
      async (headers) => {
        const answer = await send({ target, headers: [...session.headers, ...headers] });
        return claim(session, plain, headers, answer);
      },
      `GET /api/events with Remote-User, Remote-Role, Remote_Role`,
    );
    return [arrival(plain), ...tried];
  },
};

/** The gate's own text, which no recorder sends. */
function isOfGate(answer: ProbeAnswer): boolean {
  const said = jsonOf(answer);
  return typeof said === 'object' && said !== null && 'code' in said && said.code === 'not_found';
}

function arrival(plain: ProbeAnswer): Finding {
  const [sent, expected] = [`GET /api/events with the session`, '200'];
  if (isSuccess(plain)) return finding(sent, expected, inWords(plain), false);
  const [what, change] = plain.status >= 500 ? away : (refusals[plain.status] ?? refusals.other);
  return finding(sent, expected, `${inWords(plain)}: ${what}`, change);
}

const away = [
  'Frigate does not answer behind Postern',
  'start Frigate and look at its log; if it runs, give its address in upstream of config.yml, and in the front (nginx: upstream recorder)',
] as const;

/** Meaning of an answer other than success, and what to change, by its status. */
const refusals: Readonly<Record<number, readonly [what: string, change: string]>> & {
  readonly other: readonly [what: string, change: string];
} = {
  404: [
    'Postern answers what it should be asked about',
    'the path at which the front asks: docs/fronts has it for each front',
  ],
  403: [
    'the authorization request is refused',
    "what Postern's log names as reason, and docs/reasons.md has its meaning",
  ],
  other: [
    'identity headers do not reach the upstream',
    'proxy_set_header Remote-User $gate_user; and proxy_set_header Remote-Role $gate_role; in postern/recorder.conf, included beside the proxy_pass',
  ],
};

function claim(
  session: Session,
  plain: ProbeAnswer,
  headers: readonly HeaderLine[],
  answer: ProbeAnswer,
): Finding {
  const said = headers.map(([name, value]) => `${name}: ${value}`).join(', ');
  const [sent, expected] = [`GET /api/events with the session and ${said}`, 'the same as without'];
  return isBelieved(session, plain, answer)
    ? finding(
        sent,
        expected,
        `${inWords(answer)}: the client's identity headers reach the upstream`,
        changeFor(headers[0]?.[0] ?? ''),
      )
    : finding(sent, expected, inWords(answer), false);
}

function changeFor(sent: string): string {
  const name = sent.replaceAll('_', '-');
  const variable = name.toLowerCase().replaceAll('-', '_');
  const line = `proxy_set_header ${name} ${variable.replace('remote', '$gate')};`;
  return `${line} in postern/recorder.conf, never $http_${variable}; underscores_in_headers off; in postern/http.conf`;
}

/** Events come and go meanwhile: only differences that no new event explains count. */
function isBelieved(session: Session, plain: ProbeAnswer, answer: ProbeAnswer): boolean {
  if (!isSuccess(plain)) return isSuccess(answer);
  const [before, after] = [camerasIn(plain), camerasIn(answer)];
  // A front or a gate may also reject the header itself.
  if (!isSuccess(answer)) return false;
  if (before.size > 0 && after.size === 0) return true;
  return isLimited(session) && camerasBeyond(session, after) > 0;
}

function camerasBeyond(session: Session, cameras: ReadonlySet<string>): number {
  return cameras.difference(new Set(session.cameras)).size;
}

/** A front that lets the gate narrow the query of a list passes on the narrowed one. */
export const narrowedLists: FrontCheck = {
  name: 'narrowed-lists',
  needs: 'session',
  run: async (examination) => {
    const { session, send } = examination;
    if (!isLimited(session)) return [skipped('the user may see all cameras')];
    const closed = closedCamera(session, examination);
    if (closed === undefined) return [skipped('give --camera with one that the user may not see')];
    const names = [...session.cameras.slice(0, 1), closed].map(encodeURIComponent);
    return tryEach(
      [`cameras=${names.join(',')}&limit=100`, 'limit=100'],
      async (query) => narrowed(session, query, await send(listOf(session, query))),
      'GET /api/events, and with cameras that the user may not see',
    );
  },
};

const listOf = ({ headers }: Session, query: string) => ({ target: `/api/events?${query}`, headers });

function narrowed(session: Session, query: string, answer: ProbeAnswer): Finding {
  const others = isSuccess(answer) ? camerasBeyond(session, camerasIn(answer)) : 0;
  return finding(
    `GET /api/events?${query} with the session`,
    'no event of another camera',
    `${inWords(answer)}${others === 0 ? '' : `: events of ${others} other camera(s)`}`,
    others > 0 &&
      'pass on what Postern says: proxy_pass http://$recorder_of_somebody$gate_target; in every location with include postern/gate-narrow.conf;, and include postern/gate.conf; in locations that pass on the target of the client',
  );
}
