import { camerasIn, inWords, isSuccess } from './answer.ts';
import { closedCamera } from './closed-targets.ts';
import type { Session } from './examination.ts';
import { fault, faultsOr, ok, skipped, type Finding, type Probe } from './probe.ts';
import type { Answer } from './answer.ts';
import { isLimited } from './session.ts';

const change =
  'pass on what the gate says: proxy_pass http://$recorder_of_somebody$gate_target; in every location with include postern/gate-narrow.conf;, and include postern/gate.conf; in locations that pass on the target of the client';

export const narrowedListsProbe: Probe = {
  name: 'narrowed-lists',
  meaning:
    'A front that lets the gate narrow the query of a list passes on the narrowed one: GET /api/events, plain and with a camera in `cameras` that the user may not see (`--camera`), shows no event of other cameras than those of the user.',
  change:
    '`proxy_pass http://$recorder_of_somebody$gate_target;` in every location with `include postern/gate-narrow.conf;`. A location that passes on the target of the client takes `include postern/gate.conf;`. In other fronts: what they do with `X-Postern-Target` of the answer.',
  needs: 'session',
  run: async (examination) => {
    const { session, send } = examination;
    if ('missing' in session) return [];
    if (!isLimited(session)) return [skipped('the user may see all cameras')];
    const closed = closedCamera(session, examination);
    const [granted] = session.cameras;
    if (closed === undefined) return [skipped('give --camera with one that the user may not see')];
    const names = [granted, closed].filter((name) => name !== undefined).map(encodeURIComponent);
    const tried = [];
    for (const query of [`cameras=${names.join(',')}&limit=100`, 'limit=100']) {
      const target = `/api/events?${query}`;
      tried.push(finding(session, target, await send({ target, headers: session.headers })));
    }
    return faultsOr(tried, 'GET /api/events, and with cameras that the user may not see');
  },
};

function finding({ cameras }: Session, target: string, answer: Answer): Finding {
  const [sent, expected] = [`GET ${target} with the session`, 'no event of another camera'];
  const others = isSuccess(answer)
    ? [...camerasIn(answer)].filter((camera) => !cameras.includes(camera)).length
    : 0;
  return others === 0
    ? ok(sent, expected, inWords(answer))
    : fault(sent, expected, `${inWords(answer)}: events of ${others} other camera(s)`, change);
}
