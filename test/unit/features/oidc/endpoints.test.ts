import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { ProviderError } from '../../../../src/accounts/provider.ts';
import type { ApiEnvironment } from '../../../../src/api/environment.ts';
import type { AuditEntry } from '../../../../src/audit/audit-entry.ts';
import { AppError, errorAnswer } from '../../../../src/errors.ts';
import { beginOidcLogin, finishOidcLogin } from '../../../../src/features/oidc/endpoints.ts';
import { createTallies } from '../../../../src/telemetry/tallies.ts';
import { sessionSettings } from '../../api/ask-endpoint.ts';

interface Facts {
  /** The provider's answer to the code. */
  readonly exchange?: () => Promise<unknown>;
  readonly person?: object;
  readonly arrived?: object;
  readonly isKnown?: boolean;
  readonly hadSession?: boolean;
  readonly isLimited?: boolean;
  /** The configuration is another one from then on. */
  readonly reloaded?: 'while the code is exchanged' | 'while the person is written';
  readonly isWithout?: boolean;
  readonly mode?: 'session' | 'proxy';
  readonly metadata?: () => Promise<unknown>;
}

const person = { name: 'vera', role: 'family', subject: 's1', roleReason: 'groups' };
const user = { username: 'vera', role: 'family' };

/** A gate with a provider, and one browser. */
function gate(facts: Facts = {}) {
  const done: string[] = [];
  const recorded: AuditEntry[] = [];
  const reasons: string[] = [];
  const arrivals: object[] = [];
  const jar = new Map<string, string>();
  const clock = { now: () => 1_800_000_000_000 };
  const tallies = createTallies();
  const settings = { ...sessionSettings, mode: facts.mode ?? 'session' };
  let now = settings;
  const current = () => ({ settings: now });
  const reload = (when: Facts['reloaded']) => {
    if (facts.reloaded === when) now = { ...settings };
  };
  const finishing = {
    settings,
    current,
    tallies,
    sessions: { begin: async () => ({ token: 't' }) },
    cookieHeader: { set: () => void done.push('session') },
    audit: { record: async (entry: AuditEntry) => void recorded.push(entry) },
    alerts: { signedIn: () => undefined },
  };
  const dependencies = {
    finishing,
    current,
    sealing: createSealing('a secret of the gate', clock),
    clock,
    sessionLength: 60_000,
    signOn: facts.isWithout
      ? undefined
      : {
          oidc: { issuer: 'https://id.example' },
          provider: {
            metadata: facts.metadata ?? (async () => ({})),
            authorizationUrl: async ({ state }: { state: string }, prompt?: string) =>
              `https://id.example/auth?state=${state}${prompt === undefined ? '' : `&prompt=${prompt}`}`,
            exchange: async () => {
              reload('while the code is exchanged');
              return facts.exchange?.() ?? { claims: { sub: 's1' } };
            },
          },
          federatedUserOf: () => facts.person ?? person,
          explain: () => ({ claims: [], looked_for: [], unreadable: undefined }),
        },
    federatedUsers: {
      nameOf: async () => (facts.isKnown ? 'vera' : undefined),
      arrive: async (arriving: object, _keep: unknown, permit: (on: object) => Promise<unknown>) => {
        arrivals.push(arriving);
        reload('while the person is written');
        await permit({});
        done.push('arrived');
        return facts.arrived ?? { user, former: undefined };
      },
    },
    providerSessions: {
      begin: async () => () => undefined,
      block: async ({ username }: { username: string }) => {
        done.push(`block ${username}`);
        return facts.hadSession === true;
      },
    },
    failureLimit: {
      reserve: async () =>
        facts.isLimited ? { retryAfterSeconds: 9 } : { giveBack: async () => void done.push('no guess') },
    },
    changeLimit: { take: async () => undefined },
    recordDecision: (_: object, { reason }: { reason: string }) => {
      reasons.push(reason);
      return 'd1';
    },
  };
  const app = new Hono<ApiEnvironment>()
    .get('/postern/oidc/login', beginOidcLogin.handle(dependencies as never))
    .get('/postern/oidc/callback', finishOidcLogin.handle(dependencies as never))
    .onError((error, c) => c.json(errorAnswer(error).body, errorAnswer(error).status));
  const ask = async (path: string, headers: readonly string[] = []) => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await app.request(`http://gate.test${path}`, undefined, {
      incoming: {
        method: 'GET',
        url: path,
        headers: {},
        rawHeaders: ['Host', 'gate.test', 'Cookie', cookie, ...headers],
        socket: { remoteAddress: '192.0.2.1' },
      },
      path: path.split('?', 1)[0],
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const begin = async (query = '?next=/live') => {
    const answer = await ask(`/postern/oidc/login${query}`);
    return new URL(answer.headers.get('location') ?? 'http://none').searchParams.get('state') ?? '';
  };
  return { ask, begin, jar, done, recorded, reasons, arrivals, tallies };
}

/** A browser signs in. */
async function signIn(facts: Facts = {}) {
  const found = gate(facts);
  const state = await found.begin();
  const answer = await found.ask(`/postern/oidc/callback?state=${state}&code=c`);
  const { done, recorded, reasons, jar, tallies } = found;
  const counted = Object.entries(tallies.logins).filter(([, count]) => count > 0);
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    done,
    reasons,
    events: recorded.map(({ event, object }) => (object === undefined ? event : `${event} ${object}`)),
    counted: counted.map(([name]) => name),
    isKept: jar.size > 0,
  };
}

test('a person whom the provider lets in gets a session, and the page that was asked for', async () => {
  expect(await signIn()).toEqual({
    status: 303,
    location: '/live',
    done: ['arrived', 'session', 'no guess'],
    reasons: [],
    events: ['provider_user_added vera', 'login'],
    counted: ['success'],
    isKept: false,
  });
});

test.each<[what: string, former: object | undefined, events: readonly string[]]>([
  ['nothing has changed', { name: 'vera', role: 'family', wasBlocked: false }, []],
  ['the name has', { name: 'eve', role: 'family', wasBlocked: false }, ['user_renamed vera']],
  ['the role has', { name: 'vera', role: 'admin', wasBlocked: false }, ['user_role_changed vera']],
  ['the block is lifted', { name: 'vera', role: 'family', wasBlocked: true }, ['user_unblocked vera']],
])('the audit has of a person who comes back: %s', async (_, former, events) => {
  expect((await signIn({ arrived: { user, former } })).events).toEqual([...events, 'login']);
});

test('the audit has no change of name where the previous one stays', async () => {
  const former = { name: 'vera', role: 'family', wasBlocked: false };
  const kept = await signIn({ person: { ...person, name: 'vеra' }, arrived: { user, former } });
  expect(kept.events).toEqual(['login']);
});

const without = { person: { refused: 'oidc_no_role' }, isKnown: true, hadSession: true };
/** The sign-in begins again. */
const again = {
  status: 303,
  location: '/postern/oidc/login?next=%2Flive',
  reasons: [],
  done: ['no guess'],
  events: [],
  counted: [],
};
const fails = (kind: 'refused' | 'away' | 'nonsense') => () => Promise.reject(new ProviderError(kind, 'no'));

test.each<[what: string, facts: Facts, refused: Partial<Awaited<ReturnType<typeof signIn>>>]>([
  [
    'has no role anymore',
    without,
    {
      status: 403,
      reasons: ['oidc_no_role'],
      done: ['block vera'],
      events: ['session_ended_by_provider vera'],
      counted: ['failure'],
    },
  ],
  [
    'has no role, and no session',
    { person: { refused: 'oidc_no_role' }, isKnown: true },
    { reasons: ['oidc_no_role'], done: ['block vera'], events: [] },
  ],
  [
    'has another address, and was never here',
    { person: { refused: 'oidc_email_refused' } },
    { reasons: ['oidc_email_refused'], done: [], events: [] },
  ],
  [
    'has no name',
    { person: { refused: 'oidc_name_missing' }, isKnown: true, hadSession: true },
    { reasons: ['oidc_name_missing'], done: [], events: [], counted: ['failure'] },
  ],
  [
    'has the name of another account',
    { arrived: { refused: 'oidc_name_taken' } },
    { reasons: ['oidc_name_taken'], done: ['arrived'], events: [], counted: ['failure'], isKept: false },
  ],
  [
    'is refused by the provider',
    { exchange: fails('refused') },
    { status: 403, reasons: ['oidc_refused'], done: [], counted: ['failure'], isKept: false },
  ],
  [
    'comes with an answer that is none',
    { exchange: fails('nonsense') },
    { reasons: ['oidc_protocol_error'], done: [], counted: ['error'], isKept: false },
  ],
  [
    'comes while the provider is away, and may try again',
    { exchange: fails('away') },
    { reasons: ['oidc_unreachable'], done: ['no guess'], counted: ['error'], isKept: true },
  ],
  [
    'has guessed too often',
    { isLimited: true },
    { status: 429, reasons: [], done: [], events: ['login_limited'], counted: ['limited'], isKept: true },
  ],
  [
    'comes while the store is away',
    { exchange: () => Promise.reject(new AppError('store_unavailable')) },
    { status: 503, reasons: [], done: ['no guess'], counted: ['error'], isKept: false },
  ],
  [
    'is refused by roles from before a reload',
    { reloaded: 'while the code is exchanged', ...without },
    again,
  ],
  ['is let in by roles from before a reload', { reloaded: 'while the code is exchanged' }, again],
  ['is written by roles from before a reload', { reloaded: 'while the person is written' }, again],
])('a person gets no session who %s', async (_, facts, refused) => {
  const found = await signIn(facts);
  expect(found).toMatchObject(refused);
  expect(found.done).not.toContain('session');
});

test('a person arrives with what the provider says of them, once for each attempt', async () => {
  const { begin, ask, arrivals } = gate();
  const state = await begin();
  await ask(`/postern/oidc/callback?state=${state}&code=c`);
  const stateExpiresAt = 1_800_000_600_000;
  expect(arrivals).toEqual([{ ...person, issuer: 'https://id.example', state, stateExpiresAt }]);
});

test.each<[what: string, query: (state: string) => string]>([
  ['without a state', () => '?code=c'],
  ['with another state', () => `?code=c&state=${'x'.repeat(43)}`],
])('a browser that returns %s began no attempt', async (_, query) => {
  const { begin, ask, reasons, done } = gate();
  const state = await begin();
  expect((await ask(`/postern/oidc/callback${query(state)}`)).status).toBe(400);
  expect([reasons, done]).toEqual([['oidc_attempt_unknown'], []]);
});

test('a code is exchanged once, also when two requests bring it at once', async () => {
  const answered = Promise.withResolvers<object>();
  let exchanges = 0;
  const { begin, ask, reasons, done } = gate({
    exchange: () => {
      exchanges += 1;
      return answered.promise;
    },
  });
  const state = await begin();
  const callback = `/postern/oidc/callback?state=${state}&code=c`;
  const first = ask(callback);
  await expect.poll(() => exchanges).toBe(1);
  expect((await ask(callback)).status).toBe(400);
  answered.resolve({ claims: { sub: 's1' } });
  expect((await first).status).toBe(303);
  expect([exchanges, reasons]).toEqual([1, ['oidc_attempt_unknown']]);
  expect(done.filter((what) => what === 'session')).toHaveLength(1);
});

test.each<[what: string, query: string, headers: readonly string[], facts: Facts, to: string | number]>([
  ['a visit', '', [], {}, 'https://id.example/auth?state='],
  ['another account', '?another&next=/', [], {}, '&prompt=login'],
  ['another, only in what comes next', '?next=/x%3Fanother', [], {}, 'https://id.example/auth?state='],
  ['a frame of another site', '', ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Dest', 'iframe'], {}, 403],
  ['a provider that is away', '', [], { metadata: fails('away') }, 503],
  ['a gate behind a proxy', '', [], { isWithout: true, mode: 'proxy' }, 'authentication_disabled'],
  ['a gate without a provider', '', [], { isWithout: true }, 'not_found'],
])('a sign-in by %s begins, or not', async (_, query, headers, facts, to) => {
  const { ask, jar } = gate(facts);
  const answer = await ask(`/postern/oidc/login${query}`, headers);
  const location = answer.headers.get('location');
  if (typeof to === 'number') expect(answer.status).toBe(to);
  else if (location === null) expect(await answer.json()).toMatchObject({ code: to });
  else expect([answer.status, location]).toEqual([303, expect.stringContaining(to)]);
  if (to === 'https://id.example/auth?state=') expect(location).not.toContain('prompt');
  expect(jar.size).toBe(location === null ? 0 : 1);
});
