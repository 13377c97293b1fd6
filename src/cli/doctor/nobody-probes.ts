import { inWords, isSuccess, type Answer } from './answer.ts';
import { fault, faultsOr, ok, type Probe } from './probe.ts';
import type { RawRequest } from './raw-exchange.ts';

const guardedTargets = ['/', '/api/profile', '/api/events?limit=1', '/api/config'];

export const loginRequiredProbe: Probe = {
  name: 'login-required',
  meaning: 'Without a session or token, pages and API are refused, or lead to the login.',
  change:
    '`include postern/gate.conf;` in every location that passes requests on (`nginx/postern/server.conf` has `gate-narrow.conf` in `location /`), and an `auth_request` that goes to `networking.forward_auth.authenticated`, never to the socket of the internal entry point. A 500: the gate does not answer its front.',
  run: async ({ send, first, profile }) => {
    const known = new Map([
      ['/', first],
      ['/api/profile', profile],
    ]);
    const tried = [];
    for (const target of guardedTargets) {
      const answer = known.get(target) ?? (await send({ target }));
      const [sent, expected] = [`GET ${target}`, '401, or a way to the login'];
      tried.push(
        isRefusal(answer)
          ? ok(sent, expected, inWords(answer))
          : fault(sent, expected, inWords(answer), changeFor(answer)),
      );
    }
    return faultsOr(tried, `GET ${guardedTargets.join(', ')}`);
  },
};

function isRefusal({ status }: Answer): boolean {
  return status >= 300 && status < 500;
}

function changeFor(answer: Answer): string {
  return isSuccess(answer)
    ? 'include postern/gate.conf; in the location of this path, and ask networking.forward_auth.authenticated there'
    : 'start the gate and look at the error log of the front: it cannot ask';
}

// In the words of one front at a time: the gate refuses a mixture.
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

export const authorizationReachableProbe: Probe = {
  name: 'question-reachable',
  meaning:
    'Clients cannot send authorization requests through the front: without a session `/_gate`, `/auth` and `/api/authz/…` never succeed, whatever `X-Original-URL` or `X-Forwarded-Uri` says.',
  change:
    '`internal;` in `location = /_gate`, and `include postern/authorization-request.conf;` in `location = /auth`: its `X-Original-URL $request_uri` replaces what a client sends.',
  run: async ({ send }) => {
    const tried = [];
    for (const request of authorizationRequests) {
      const answer = await send(request);
      const said = request.headers === undefined ? '' : ' in the words of a front';
      const [sent, expected] = [`GET ${request.target}${said}`, 'no success'];
      tried.push(
        isSuccess(answer)
          ? fault(
              sent,
              expected,
              inWords(answer),
              'internal; in location = /_gate, and proxy_set_header X-Original-URL $request_uri; wherever clients reach $gateway/auth',
            )
          : ok(sent, expected, inWords(answer)),
      );
    }
    return faultsOr(tried, 'GET /_gate, /auth, /api/authz/…, plain and in the words of a front');
  },
};
