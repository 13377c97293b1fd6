import { camerasIn, inWords, isSuccess, jsonOf, type Answer } from './answer.ts';
import { fault, faultsOr, ok, skipped, type Finding, type Probe } from './probe.ts';
import type { HeaderLine } from './raw-exchange.ts';
import type { Session } from './examination.ts';
import { isLimited } from './session.ts';

// A query with a semicolon is not narrowed: it shows what the server behind makes of the role.
const target = '/api/events?limit=100&doctor=;';

/** What a client would say to be more than it is. */
const promotions: ReadonlyArray<readonly HeaderLine[]> = [
  [['Remote-Role', 'admin']],
  [['Remote_Role', 'admin']],
  [
    ['Remote-User', 'admin'],
    ['Remote-Role', 'admin'],
    ['Remote-Groups', 'admin'],
  ],
];

/** A role that there is not sees nothing: so it shows with an admin too whether what a client says arrives. */
const demotion: readonly HeaderLine[] = [['Remote-Role', 'postern-doctor']];

export const upstreamIdentityProbe: Probe = {
  name: 'identity-reaches-upstream',
  meaning:
    'Only the gate tells the server behind it who asks: GET /api/events is 200 with a session, and shows the same cameras when the client sends `Remote-Role` itself.',
  change:
    '`proxy_set_header Remote-User $gate_user;`, `Remote-Role $gate_role` and the other three in `postern/recorder.conf`, never `$http_remote_…`, and `include postern/recorder.conf;` beside every `proxy_pass` to the recorder (a `proxy_set_header` in a location replaces all those outside it).',
  needs: 'session',
  run: async ({ session, send }) => {
    if ('missing' in session) return [];
    const plain = await send({ target, headers: session.headers });
    if (plain.status === 404 && !isOfGate(plain)) return [skipped('there is no /api/events behind the gate')];
    const reaches = arrival(plain);
    const tried = [];
    for (const headers of [...promotions, demotion]) {
      tried.push(
        claim(session, plain, headers, await send({ target, headers: [...session.headers, ...headers] })),
      );
    }
    return [reaches, ...faultsOr(tried, `GET /api/events with Remote-User, Remote-Role, Remote_Role`)];
  },
};

/** In the gate's own words: no recorder says it so. */
function isOfGate(answer: Answer): boolean {
  const said = jsonOf(answer);
  return typeof said === 'object' && said !== null && 'code' in said && said.code === 'not_found';
}

function arrival(plain: Answer): Finding {
  const [sent, expected] = [`GET /api/events with the session`, '200'];
  if (isSuccess(plain)) return ok(sent, expected, inWords(plain));
  if (plain.status === 404)
    return fault(
      sent,
      expected,
      `${inWords(plain)}: the gate answers what it should be asked about`,
      'the path at which the front asks: docs/fronts has it for each front',
    );
  return plain.status === 403
    ? fault(
        sent,
        expected,
        `${inWords(plain)}: the authorization request is refused`,
        "what the gate's log names as reason, and docs/reasons.md says of it",
      )
    : fault(
        sent,
        expected,
        `${inWords(plain)}: identity headers do not reach the upstream`,
        'proxy_set_header Remote-User $gate_user; and proxy_set_header Remote-Role $gate_role; in postern/recorder.conf, included beside the proxy_pass',
      );
}

function claim(session: Session, plain: Answer, headers: readonly HeaderLine[], answer: Answer): Finding {
  const said = headers.map(([name, value]) => `${name}: ${value}`).join(', ');
  const [sent, expected] = [`GET /api/events with the session and ${said}`, 'the same as without'];
  return isBelieved(session, plain, answer)
    ? fault(
        sent,
        expected,
        `${inWords(answer)}: the client's identity headers reach the upstream`,
        changeFor(headers[0]?.[0] ?? ''),
      )
    : ok(sent, expected, inWords(answer));
}

function changeFor(sent: string): string {
  const name = sent.replaceAll('_', '-');
  const variable = name.toLowerCase().replaceAll('-', '_');
  const line = `proxy_set_header ${name} ${variable.replace('remote', '$gate')};`;
  return `${line} in postern/recorder.conf, never $http_${variable}; underscores_in_headers off; in postern/http.conf`;
}

/** Events come and go while they are looked at: only what no new event explains counts. */
function isBelieved(session: Session, plain: Answer, answer: Answer): boolean {
  if (!isSuccess(plain)) return isSuccess(answer);
  const [before, after] = [camerasIn(plain), camerasIn(answer)];
  // A front or a gate that refuses the header as such does well.
  if (!isSuccess(answer)) return false;
  if (before.size > 0 && after.size === 0) return true;
  return isLimited(session) && [...after].some((camera) => !session.cameras.includes(camera));
}
