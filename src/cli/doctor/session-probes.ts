import { inWords, isSuccess, type Answer } from './answer.ts';
import { fault, ok, skipped, type Finding, type Probe } from './probe.ts';
import { sessionCookieOf, timesOf } from './session.ts';

export const sessionProbe: Probe = {
  name: 'session',
  meaning: 'The cookie of the login is good for the next request: GET /api/profile is 200 with it.',
  change:
    'The authorization request and what the gate answers itself must carry the headers of the client: no `proxy_pass_request_headers off;`, and no line for `Cookie` or `Authorization`, in `postern/authorization-request.conf` and `postern/own.conf`.',
  needs: 'login',
  run: async ({ session }) => {
    if ('missing' in session) return [];
    const { profile } = session;
    const [sent, expected] = ['GET /api/profile with the session', '200'];
    return [
      isSuccess(profile)
        ? ok(sent, expected, inWords(profile))
        : fault(
            sent,
            expected,
            inWords(profile),
            'no proxy_pass_request_headers off; and no proxy_set_header Cookie or Authorization in postern/authorization-request.conf and postern/own.conf',
          ),
    ];
  },
};

/** @param line of Set-Cookie */
function flawsOf(line: string): string[] {
  const attributes = new Set(line.split(';').map((part) => part.trim().toLowerCase()));
  const flaws = [];
  for (const name of ['secure', 'httponly']) if (!attributes.has(name)) flaws.push(`no ${name}`);
  if (!attributes.has('path=/')) flaws.push('no path=/');
  if (!attributes.has('samesite=lax') && !attributes.has('samesite=strict'))
    flaws.push('no samesite=lax or strict');
  return flaws;
}

export const cookieSecureProbe: Probe = {
  name: 'cookie-secure',
  meaning: 'The cookie of the login has `Secure`, `HttpOnly`, `SameSite=Lax` or `Strict`, and `Path=/`.',
  change:
    '`listen … ssl;`, `proxy_set_header X-Forwarded-Proto $scheme;` in `postern/authorization-request.conf` (behind another proxy that has the TLS: what that one says), and no `proxy_cookie_flags`, `proxy_cookie_path` or `proxy_hide_header Set-Cookie` that changes the cookie.',
  needs: 'login',
  run: async ({ session }) => {
    if ('missing' in session) return [];
    if (session.login === undefined) return [skipped('no login with --token: give --user')];
    const cookie = sessionCookieOf(session.login);
    const [sent, expected] = ['POST /api/login', 'Secure, HttpOnly, SameSite=Lax, Path=/'];
    if (cookie === undefined) {
      const change = 'no proxy_hide_header Set-Cookie; in postern/own.conf and location = /api/login';
      return [fault(sent, expected, 'no cookie with a token', change)];
    }
    const flaws = flawsOf(cookie.line);
    if (flaws.length === 0) return [ok(sent, expected, 'all of them')];
    return [
      fault(
        sent,
        expected,
        flaws.join(', '),
        'proxy_set_header X-Forwarded-Proto $scheme; in postern/authorization-request.conf, listen with ssl, and no proxy_cookie_flags',
      ),
    ];
  },
};

/** How long a refresh that is nearly due is waited for, in milliseconds. */
const patience = 10_000;

export const cookieRefreshProbe: Probe = {
  name: 'cookie-refresh',
  meaning:
    'A refreshed cookie reaches the browser: after a visit to `/auth`, which always refreshes, and after any other request when a refresh is due. The doctor waits at most 10 seconds for that, so with the default `auth.session_length` it hardly ever sees one.',
  change:
    '`auth_request_set $gate_cookie $upstream_http_set_cookie;` and `add_header Set-Cookie $gate_cookie always;` in `postern/gate-answer.conf` (an `add_header` in a location replaces those outside it), and no `proxy_hide_header Set-Cookie` in `location = /auth`.',
  needs: 'session',
  run: async ({ session, context, send }) => {
    if ('missing' in session) return [];
    if (session.login === undefined) return [skipped('a bearer token is never refreshed: give --user')];
    const times = timesOf(session.token);
    if (times === undefined) return [skipped('the token does not say how long it is good')];
    const length = times.expires - times.issued;
    const { headers } = session;
    const visit = refreshedBy('GET /auth', await send({ target: '/auth', headers }));
    const refreshTime =
      context.configuration?.auth.refreshTime ?? Math.min(1_800_000, Math.floor(length / 2));
    const due = times.expires - refreshTime - context.clock.now() + 1_000;
    if (due > patience)
      return [visit, skipped(`other requests: a refresh is due in ${Math.round(due / 1000)} s`)];
    if (due > 0) await context.wait(due);
    const target = '/api/events?limit=1';
    return [visit, refreshedBy(`GET ${target}, a refresh being due`, await send({ target, headers }))];
  },
};

function refreshedBy(sent: string, answer: Answer): Finding {
  const expected = 'a new cookie';
  return sessionCookieOf(answer) === undefined
    ? fault(
        sent,
        expected,
        `${inWords(answer)}, refreshed cookie lost`,
        'add_header Set-Cookie $gate_cookie always; in postern/gate-answer.conf, and no proxy_hide_header Set-Cookie; in location = /auth',
      )
    : ok(sent, expected, 'a new cookie');
}

export const logoutProbe: Probe = {
  name: 'logout',
  meaning: 'After the logout the token is refused. (The session of `--token` goes on.)',
  change:
    '`location = /api/logout` and `location = /logout` with `include postern/own.conf;` (`nginx/postern/server.conf`), and nothing in front that caches answers: no `proxy_cache` for what the gate guards.',
  needs: 'session',
  run: async ({ session, send }) => {
    if ('missing' in session) return [];
    if (session.login === undefined) return [skipped('it would end the session of --token: give --user')];
    const { headers } = session;
    const out = await send({ method: 'POST', target: '/api/logout', headers });
    const after = await send({ target: '/api/profile', headers });
    const [sent, expected] = ['GET /api/profile after POST /api/logout', '401'];
    if (!isSuccess(after)) return [ok(sent, expected, inWords(after))];
    return [
      fault(
        sent,
        expected,
        `${inWords(after)} (the logout: ${inWords(out)})`,
        'include postern/own.conf; in location = /api/logout and /logout, and no proxy_cache',
      ),
    ];
  },
};
