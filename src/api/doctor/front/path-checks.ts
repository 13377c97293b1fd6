import { isDeepStrictEqual } from 'node:util';
import { mayEverything } from '../../../policy/capability.ts';
import { isPlainObject } from '../../../policy/json.ts';
import { maskedConfiguration } from '../../../policy/recorder/masked-configuration.ts';
import { type Finding, faultsOr, finding, skipped, tryEach } from '../check.ts';
import type { Examination, FrontCheck, Session } from './examination.ts';
import {
  type ProbeAnswer,
  type HeaderLine,
  type RawRequest,
  hasPassed,
  inWords,
  isSuccess,
  jsonOf,
} from './exchange.ts';
import { type ClosedTarget, closedTargets, isLimited } from './session.ts';

/** Ways around `location /api/config`, for a server that normalizes the path before or after it asks. */
const anonymousTargets = [
  '//api/config',
  '/api/../api/config',
  '/login/../api/config',
  '/./api/config',
  '/login/%2e%2e/api/config',
  '/login/%2E./api/config',
  '/login/..%2fapi/config',
  '/login%2f..%2fapi%2fconfig',
  '/login/..%5capi%5cconfig',
  String.raw`/login\..\api\config`,
  String.raw`/api\config`,
  '/api//config',
  '/api/config/',
  '/api/config%00',
  '/login/%252e%252e/api/config',
  '/api/%2563onfig',
  '/api;x=y/config',
  '/api/config;x=y',
  '/login;/../api/config',
  '/login/..;/api/config',
];

const foreignPathChange =
  'proxy_set_header X-Original-URL $request_uri; in postern/authorization-request.conf, proxy_pass http://$recorder_of_somebody$gate_target; without a path after the names, include postern/gate-narrow.conf; in location / and not only in /api/, and merge_slashes on;';

/** No spelling of a path lets a visitor in, or leads a user to something outside the role. */
export const traversal: FrontCheck = {
  name: 'traversal',
  needs: 'guard',
  run: async (examination) => [
    ...(await tryEach(
      anonymousTargets,
      (target) => tryTarget(examination, target, []),
      `GET ${anonymousTargets.length} spellings of /api/config`,
    )),
    ...(await asUser(examination)),
  ],
};

async function asUser(examination: Examination): Promise<readonly Finding[]> {
  const { session } = examination;
  if ('missing' in session || !isSuccess(session.profile)) return [];
  const closed = closedTargets(examination);
  if (closed.length === 0) return [skipped('the session is an admin, who may have everything')];
  const findings = [];
  if (isLimited(session) && closed.length === 1) {
    findings.push(skipped('other cameras: give --camera with one that the user may not see'));
  }
  for (const one of closed) {
    const targets = [one.target, ...aliasesOf(one, session.cameras[0] ?? 'version')];
    findings.push(
      ...(await tryEach(
        targets,
        (target) => tryTarget(examination, target, session.headers),
        `GET ${targets.length} spellings of ${one.target} with the session`,
      )),
    );
  }
  findings.push(await configurationOf(session, examination));
  return findings;
}

/** An operator may open it: then the gate masks what the user may not see. */
async function configurationOf(session: Session, { send }: Examination): Promise<Finding> {
  const answer = await send({ target: '/api/config', headers: session.headers });
  const [sent, expected] = ['GET /api/config with the session', 'refused, or masked by Postern'];
  if (!isSuccess(answer)) return finding(sent, expected, inWords(answer), false);
  return isMasked(answer, session)
    ? finding(sent, expected, `${inWords(answer)}, masked`, false)
    : finding(
        sent,
        expected,
        `${inWords(answer)}, not masked`,
        'location = /api/config with include postern/relay.conf; (nginx/postern/server.conf)',
      );
}

/** Masking a masked value does not change it. */
function isMasked(answer: ProbeAnswer, session: Session): boolean {
  const configuration = jsonOf(answer);
  if (!isPlainObject(configuration)) return false;
  const { role, cameras } = session;
  const grant = isLimited(session) ? new Set(cameras) : 'all';
  // It may keep what only some roles get.
  const masked = maskedConfiguration(configuration, { role, grant, may: mayEverything });
  return isDeepStrictEqual(masked, configuration);
}

async function tryTarget(
  { send }: Examination,
  target: string,
  headers: readonly HeaderLine[],
): Promise<Finding> {
  const answer = await send({ target, headers });
  const isVisitor = headers.length === 0;
  const isOpen = isVisitor ? isSuccess(answer) : hasPassed(answer);
  const sent = `GET ${target}${isVisitor ? '' : ' with the session'}`;
  return finding(sent, 'refused', inWords(answer), isOpen && foreignPathChange);
}

/**
 * Other spellings of a target that some servers read as the same.
 * @param open a segment that the session may have
 */
function aliasesOf({ segment, rest }: ClosedTarget, open: string): readonly string[] {
  const hex = segment.charCodeAt(0).toString(16);
  const beside = `/api/${encodeURIComponent(open)}`;
  return [
    `//api/${segment}${rest}`,
    `/api//${segment}${rest}`,
    `/api/./${segment}${rest}`,
    `/api/%${hex}${segment.slice(1)}${rest}`,
    `/api/%25${hex}${segment.slice(1)}${rest}`,
    `${beside}/../${segment}${rest}`,
    `${beside}/%2e%2e/${segment}${rest}`,
    `${beside}/..%2f${segment}${rest}`,
    `${beside}/..%5c${segment}${rest}`,
    `${beside}\\..\\${segment}${rest}`,
    `${beside}/..;/${segment}${rest}`,
    `${beside}/%252e%252e/${segment}${rest}`,
    `/api;x=y/${segment}${rest}`,
    `/api/${segment};x=y${rest}`,
    `/api/${segment}${rest}?camera=${encodeURIComponent(open)}`,
  ];
}

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
        ? finding(
            sent,
            expected,
            `${inWords(without)} became ${difference(answer, without)}`,
            ownHeaderChange(name),
          )
        : finding(sent, expected, inWords(answer), false),
    );
  }
  return tried;
}

/** A front may also reject such a header by itself. The Location distinguishes the gate's answer from one of a server behind it. */
function isOther(answer: ProbeAnswer, without: ProbeAnswer): boolean {
  if (hasPassed(answer)) return !hasPassed(without);
  if (answer.status === without.status)
    return answer.headers.has('location') !== without.headers.has('location');
  return ![400, 403].includes(answer.status) || answer.headers.has('x-postern-decision');
}

function difference(answer: ProbeAnswer, without: ProbeAnswer): string {
  return answer.status === without.status ? 'the same from behind Postern' : inWords(answer);
}

function ownHeaderChange(name: string): string {
  return `proxy_set_header X-Original-URL $request_uri; and X-Original-Method $request_method; in postern/authorization-request.conf, proxy_set_header ${name} ""; in postern/front-headers.conf (X-Original-URL and X-Original-Method: in postern/recorder.conf)`;
}
