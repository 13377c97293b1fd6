import { hasPassed, inWords, isSuccess, type Answer } from './answer.ts';
import { closedTargets } from './closed-targets.ts';
import { openToNobody, type Examination } from './examination.ts';
import { fault, faultsOr, ok, skipped, type Finding, type Probe } from './probe.ts';
import type { HeaderLine, RawRequest } from './raw-exchange.ts';

const names = [
  'X-Original-URL',
  'X-Original-URI',
  'X-Original-Method',
  'X-Rewrite-URL',
  'X-Forwarded-Uri',
  'X-Forwarded-Method',
  'X-Original-Host',
  'X-HTTP-Method-Override',
  'X-HTTP-Method',
  'X-Method-Override',
];

/** What only a front may say of a request, turned to what anybody may have. */
function words(method: string): readonly HeaderLine[] {
  return names.map((name) => [name, !name.includes('Method') ? '/login' : method === 'GET' ? 'HEAD' : 'GET']);
}

const change = (name: string) =>
  `proxy_set_header X-Original-URL $request_uri; and X-Original-Method $request_method; in postern/authorization-request.conf, proxy_set_header ${name} ""; in postern/front-headers.conf (X-Original-URL and X-Original-Method: in postern/recorder.conf)`;

export const originalUrlProbe: Probe = {
  name: 'original-url',
  meaning:
    'The headers in which a front describes a request (`X-Original-URL`, `X-Original-Method`, `X-Rewrite-URL`, `X-Forwarded-Uri` …) do not change the answer when a client sends them, neither without a session nor with one that may not.',
  change:
    '`proxy_set_header X-Original-URL $request_uri;` and `proxy_set_header X-Original-Method $request_method;` in `postern/authorization-request.conf`, and `""` for the others in `postern/front-headers.conf`, which `postern/recorder.conf` includes.',
  run: async (examination) => {
    const open = openToNobody(examination);
    if (open !== undefined) return [skipped(open)];
    const tried = [];
    for (const target of ['/', '/api/profile', '/api/events?limit=1']) {
      tried.push(...(await sayTo(examination, { target })));
    }
    const [closed] = closedTargets(examination);
    if (closed !== undefined && !('missing' in examination.session)) {
      const { headers } = examination.session;
      tried.push(...(await sayTo(examination, { target: closed.target, headers })));
      // Nothing is there, so that nothing happens if it passes.
      tried.push(...(await sayTo(examination, { method: 'POST', target: '/postern-doctor', headers })));
    }
    return faultsOr(tried, `GET and POST with ${names.length} headers of fronts`);
  },
};

async function sayTo({ send }: Examination, request: RawRequest): Promise<readonly Finding[]> {
  const without = await send(request);
  if (isSuccess(without)) return [];
  const { method = 'GET', target, headers = [] } = request;
  const tried = [];
  for (const [name, value] of words(method)) {
    const answer = await send({ ...request, headers: [...headers, [name, value]] });
    const [sent, expected] = [`${method} ${target} with ${name}: ${value}`, 'the answer without it'];
    tried.push(
      isOther(answer, without)
        ? fault(sent, expected, `${inWords(without)} became ${difference(answer, without)}`, change(name))
        : ok(sent, expected, inWords(answer)),
    );
  }
  return tried;
}

/** A front that refuses such a header as such does well. The Location tells an answer of the gate from one behind it. */
function isOther(answer: Answer, without: Answer): boolean {
  if (hasPassed(answer)) return !hasPassed(without);
  if (answer.status === without.status)
    return answer.headers.has('location') !== without.headers.has('location');
  return ![400, 403].includes(answer.status) || answer.headers.has('x-postern-decision');
}

function difference(answer: Answer, without: Answer): string {
  return answer.status === without.status ? 'the same from behind the gate' : inWords(answer);
}
