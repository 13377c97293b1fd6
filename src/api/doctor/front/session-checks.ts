import { finding, skipped, type Finding } from '../check.ts';
import { inWords, isSuccess, type ProbeAnswer } from './exchange.ts';
import type { FrontCheck } from './examination.ts';
import { sessionCookieOf, timesOf } from './session.ts';

/** The cookie of the login is valid for the next request. */
export const session: FrontCheck = {
  name: 'session',
  needs: 'login',
  run: async ({ session: { profile } }) => [
    finding(
      'GET /api/profile with the session',
      '200',
      inWords(profile),
      !isSuccess(profile) &&
        'no proxy_pass_request_headers off; and no proxy_set_header Cookie or Authorization in postern/authorization-request.conf and postern/own.conf',
    ),
  ],
};

/** @param line of Set-Cookie */
function flawsOf(line: string): string[] {
  const attributes = new Set(line.split(';').map((part) => part.trim().toLowerCase()));
  const flaws = ['secure', 'httponly', 'path=/'].filter((name) => !attributes.has(name));
  if (!attributes.has('samesite=lax') && !attributes.has('samesite=strict'))
    flaws.push('samesite=lax or strict');
  return flaws.map((name) => `no ${name}`);
}

/** The cookie of the login has the attributes that protect it. */
export const cookieSecure: FrontCheck = {
  name: 'cookie-secure',
  needs: 'login',
  run: async ({ session: { login } }) => {
    if (login === undefined) return [skipped('no login with --token: give --user')];
    const cookie = sessionCookieOf(login);
    const [sent, expected] = ['POST /api/login', 'Secure, HttpOnly, SameSite=Lax, Path=/'];
    if (cookie === undefined) {
      const change = 'no proxy_hide_header Set-Cookie; in postern/own.conf and location = /api/login';
      return [finding(sent, expected, 'no cookie with a token', change)];
    }
    const flaws = flawsOf(cookie.line).join(', ');
    const change =
      'proxy_set_header X-Forwarded-Proto $scheme; in postern/authorization-request.conf, listen with ssl, and no proxy_cookie_flags';
    return [finding(sent, expected, flaws || 'all of them', flaws !== '' && change)];
  },
};

/** Milliseconds to wait for a refresh that is nearly due. */
const longestWait = 10_000;

/** A refreshed cookie reaches the browser: after a visit to `/auth`, and after any other request when a refresh is due. */
export const cookieRefresh: FrontCheck = {
  name: 'cookie-refresh',
  needs: 'session',
  run: async ({ session: { login, token, headers }, context, send }) => {
    if (login === undefined) return [skipped('a bearer token is never refreshed: give --user')];
    const times = timesOf(token);
    if (times === undefined) return [skipped('the token does not have its times')];
    const length = times.expires - times.issued;
    const visit = refreshedBy('GET /auth', await send({ target: '/auth', headers }));
    const refreshTime =
      context.configuration?.auth.refreshTime ?? Math.min(1_800_000, Math.floor(length / 2));
    const due = times.expires - refreshTime - context.clock.now() + 1_000;
    if (due > longestWait)
      return [visit, skipped(`other requests: a refresh is due in ${Math.round(due / 1000)} s`)];
    if (due > 0) await context.wait(due);
    const target = '/api/events?limit=1';
    return [visit, refreshedBy(`GET ${target}, a refresh being due`, await send({ target, headers }))];
  },
};

function refreshedBy(sent: string, answer: ProbeAnswer): Finding {
  const expected = 'a new cookie';
  return sessionCookieOf(answer) === undefined
    ? finding(
        sent,
        expected,
        `${inWords(answer)}, refreshed cookie lost`,
        'add_header Set-Cookie $gate_cookie always; in postern/gate-answer.conf, and no proxy_hide_header Set-Cookie; in location = /auth',
      )
    : finding(sent, expected, expected, false);
}

/** After the logout the token is refused. */
export const logout: FrontCheck = {
  name: 'logout',
  needs: 'session',
  run: async ({ session: { login, headers }, send }) => {
    if (login === undefined) return [skipped('it would end the session of --token: give --user')];
    const out = await send({ method: 'POST', target: '/api/logout', headers });
    const after = await send({ target: '/api/profile', headers });
    const goesOn = isSuccess(after);
    return [
      finding(
        'GET /api/profile after POST /api/logout',
        '401',
        `${inWords(after)}${goesOn ? ` (the logout: ${inWords(out)})` : ''}`,
        goesOn && 'include postern/own.conf; in location = /api/logout and /logout, and no proxy_cache',
      ),
    ];
  },
};

/** More than the default limit allows in a minute, and few enough to do no harm. */
const attempts = 8;

/** The limit of failed logins follows the address of the client, not its `X-Forwarded-For`. */
export const forwardedFor: FrontCheck = {
  name: 'forwarded-for',
  run: async ({ options, context, send }) => {
    if (!options.loginProbe) return [skipped('give --login-probe: it uses up the limit of your own address')];
    const limit = context.configuration?.auth.failedLoginRateLimit;
    if (limit !== undefined && allowsMore(limit)) {
      return [skipped(`auth.failed_login_rate_limit allows more than ${attempts} failures`)];
    }
    const sent = `POST /api/login, ${attempts} failures, each from another X-Forwarded-For`;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const answer = await send({
        method: 'POST',
        target: '/api/login',
        // RFC 5737: these addresses are reserved for examples.
        headers: [['X-Forwarded-For', `198.51.100.${attempt}`]],
        body: JSON.stringify({ user: context.unknownUser, password: 'no password at all' }),
      });
      if (answer.status === 429) return [finding(sent, '429', `429 at number ${attempt}`, false)];
      if (answer.status !== 401) return [skipped(`a login is answered with ${inWords(answer)}`)];
    }
    const change =
      'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; in postern/authorization-request.conf; auth.trusted_proxies may list the networks of proxies only, never those of clients; auth.failed_login_rate_limit must not be empty (when it allows more than eight in a minute, say so by --config)';
    return [finding(sent, '429', `401 to all ${attempts}`, change)];
  },
};

/** @param limit such as `5/minute;20/hour` */
function allowsMore(limit: string): boolean {
  return limit.split(';').every((rule) => Number(rule.split('/')[0]) >= attempts);
}
