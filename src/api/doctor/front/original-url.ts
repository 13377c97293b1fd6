import { faultsOr, finding, type Finding } from '../check.ts';
import { hasPassed, inWords, isSuccess, type Answer } from './answer.ts';
import type { Examination, FrontCheck } from './examination.ts';
import type { HeaderLine, RawRequest } from './raw-exchange.ts';
import { closedTargets } from './session.ts';

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

/** Facts that only a front may send, with values that anyone may have. */
function words(method: string): readonly HeaderLine[] {
  return names.map((name) => [name, !name.includes('Method') ? '/login' : method === 'GET' ? 'HEAD' : 'GET']);
}

/** The headers in which a front describes a request have no effect when a client sends them. */
export const originalUrl: FrontCheck = {
  name: 'original-url',
  needs: 'guard',
  run: async (examination) => {
    const { session } = examination;
    const requests: RawRequest[] = [
      { target: '/' },
      { target: '/api/profile' },
      { target: '/api/events?limit=1' },
    ];
    const [closed] = closedTargets(examination);
    if (closed !== undefined && !('missing' in session)) {
      const { headers } = session;
      // A path where nothing is, so that nothing happens if the POST is permitted.
      requests.push(
        { target: closed.target, headers },
        { method: 'POST', target: '/postern-doctor', headers },
      );
    }
    const tried = [];
    for (const request of requests) tried.push(...(await sayTo(examination, request)));
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
        ? finding(sent, expected, `${inWords(without)} became ${difference(answer, without)}`, change(name))
        : finding(sent, expected, inWords(answer), false),
    );
  }
  return tried;
}

/** A front may also reject such a header by itself. The Location distinguishes the gate's answer from one of a server behind it. */
function isOther(answer: Answer, without: Answer): boolean {
  if (hasPassed(answer)) return !hasPassed(without);
  if (answer.status === without.status)
    return answer.headers.has('location') !== without.headers.has('location');
  return ![400, 403].includes(answer.status) || answer.headers.has('x-postern-decision');
}

function difference(answer: Answer, without: Answer): string {
  return answer.status === without.status ? 'the same from behind the gate' : inWords(answer);
}

function change(name: string): string {
  return `proxy_set_header X-Original-URL $request_uri; and X-Original-Method $request_method; in postern/authorization-request.conf, proxy_set_header ${name} ""; in postern/front-headers.conf (X-Original-URL and X-Original-Method: in postern/recorder.conf)`;
}
