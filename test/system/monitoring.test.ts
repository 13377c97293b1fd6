import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { reasons } from '../../src/policy/reasons.ts';
import { monitoringPaths } from '../../src/telemetry/monitoring-answers.ts';
import { activityPath, openActivity } from '../../src/store/sqlite/open-store.ts';
import { startFronts, type Fronts } from '../support/fronts.ts';
import { adminOf, visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { scrape } from '../support/scrape.ts';
import {
  projectRoot,
  startGateway,
  type GatewayOptions,
  type RunningGateway,
} from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';

async function start(options: GatewayOptions = {}): Promise<RunningGateway> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

const onPort = {
  listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0', metrics: '127.0.0.1:0' },
};

describe('where the paths are', () => {
  let fronts: Fronts;
  beforeAll(async () => {
    fronts = await startFronts({
      config: {
        auth: { enabled: false },
        proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
      },
    });
  });
  afterAll(() => fronts.close());

  describe.each(['embedded front', 'nginx'] as const)('%s', (front) => {
    test.each(monitoringPaths)('%s is the gate’s on the internal entry point', async (uri) => {
      const answer = await fronts.send(front, 'internal', { uri });
      expect(answer).toMatchObject({ status: 200, reached: [] });
      expect(answer.headers.get('cache-control')).toEqual(['no-store']);
      expect(answer.body).toMatch(uri === '/metrics' ? /^# HELP postern_/ : /^{"status":"(alive|ready)"/);
    });

    test.each(monitoringPaths)('%s is the recorder’s on the authenticated entry point', async (uri) => {
      const headers = [
        ['Remote-User', 'vera'],
        ['Remote-Groups', 'viewer'],
      ] as const;
      const answer = await fronts.send(front, 'authenticated', { uri, headers });
      expect(answer.reached).toHaveLength(1);
      expect(answer.body).not.toMatch(/postern|"status"/);
      expect(await fronts.send(front, 'authenticated', { uri })).toMatchObject({ status: 401, reached: [] });
    });

    test('similar paths are the recorder’s on the internal entry point too', async () => {
      for (const uri of ['/metrics/', '/metrics/x', '/healthz/', '/Metrics', '/api/metrics']) {
        const answer = await fronts.send(front, 'internal', { uri });
        expect([uri, answer.reached?.length]).toEqual([uri, 1]);
      }
    });

    test('a scrape is no decision, and HEAD has no body', async () => {
      const { internal } = fronts.gateway.addresses;
      const before = await scrape(internal);
      for (const uri of monitoringPaths) {
        const answer = await fronts.send(front, 'internal', { method: 'HEAD', uri });
        expect(answer).toMatchObject({ status: 200, body: '' });
      }
      const decisions = (samples: ReadonlyMap<string, number>) =>
        [...samples].filter(([name]) => name.startsWith('postern_decisions_total'));
      expect(decisions(await scrape(internal))).toEqual(decisions(before));
    });
  });

  test('the forward-auth listener of the authenticated entry point does not give them', async () => {
    const { forwardAuthAuthenticated = '' } = fronts.gateway.addresses;
    for (const uri of monitoringPaths) {
      const answer = await sendRaw(forwardAuthAuthenticated, { uri });
      expect([uri, answer.status]).toEqual([uri, 401]);
    }
  });
});

describe('the separate listener', () => {
  test('serves the three paths, to readers only, and nothing else', async () => {
    const { addresses } = await start({ config: { networking: onPort } });
    const at = addresses.metrics ?? '';
    for (const uri of [...monitoringPaths, '/metrics?x=1', '/readyz?verbose'])
      expect([uri, (await sendRaw(at, { uri })).status]).toEqual([uri, 200]);
    for (const uri of monitoringPaths) {
      expect(await sendRaw(at, { method: 'HEAD', uri })).toMatchObject({ status: 200, body: '' });
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
        expect([method, (await sendRaw(at, { method, uri })).status]).toEqual([method, 404]);
    }
    for (const uri of [
      '/',
      '/metrics/',
      '/auth',
      '/api/profile',
      '/api/users',
      '/login',
      '/api/events',
      '//metrics',
      '*',
    ])
      expect([uri, (await sendRaw(at, { uri })).status]).toEqual([uri, 404]);
  });

  test('can be a Unix socket, and is off by default', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-metrics-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const path = `unix:${directory}/metrics.sock`;
    const listen = { ...onPort.listen, metrics: path };
    const { addresses } = await start({ config: { networking: { listen } } });
    expect(addresses.metrics).toBe(path);
    expect((await sendRaw(path, { uri: '/healthz' })).status).toBe(200);
    expect((await start()).addresses.metrics).toBeUndefined();
  });
});

describe('/readyz', () => {
  test('reports that the events cannot be read, without their path', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-recorder-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const database = join(directory, 'events.db');
    copyFileSync(join(projectRoot, 'test', 'support', 'recorder.db'), database);
    const { addresses, log } = await start({ config: { events: { database } } });
    const ask = async () => {
      const { status, body } = await sendRaw(addresses.internal ?? '', { uri: '/readyz' });
      expect(body).not.toContain(directory);
      return [status, JSON.parse(body)] as const;
    };
    const checks = { accounts: 'ok', events: 'ok', store: 'ok', activity: 'ok', configuration: 'ok' };
    expect(await ask()).toEqual([200, { status: 'ready', checks }]);
    rmSync(database);
    await vi.waitFor(
      async () =>
        expect(await ask()).toEqual([503, { status: 'unready', checks: { ...checks, events: 'failed' } }]),
      { timeout: patience, interval: 100 },
    );
    expect(log.filter(({ check }) => check === 'events')).toEqual([
      expect.objectContaining({ level: 'error', msg: 'a check of /readyz fails' }),
    ]);
    copyFileSync(join(projectRoot, 'test', 'support', 'recorder.db'), database);
    await vi.waitFor(async () => expect((await ask())[0]).toBe(200), { timeout: patience, interval: 100 });
    expect((await sendRaw(addresses.internal ?? '', { uri: '/healthz' })).status).toBe(200);
  });

  test.each([
    ['postern.db', 'accounts', 503, { status: 'unready', checks: { accounts: 'failed', store: 'failed' } }],
    ['activity.db', 'activity', 200, { status: 'degraded', checks: { accounts: 'ok', activity: 'failed' } }],
  ] as const)('says that %s cannot be read', async (name, check, status, said) => {
    const { addresses, directory, log } = await start();
    const broken = new DatabaseSync(join(directory, name));
    broken.exec('DROP TABLE schema_version');
    broken.close();
    const answer = await sendRaw(addresses.internal ?? '', { uri: '/readyz' });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, said]);
    expect(log.find((line) => line['check'] === check)).toMatchObject({
      level: 'error',
      err: { message: 'no such table: schema_version' },
    });
    expect((await scrape(addresses.internal)).get(`postern_check_successful{check="${check}"}`)).toBe(0);
    expect((await sendRaw(addresses.internal ?? '', { uri: '/healthz' })).status).toBe(200);
  });

  test('reports that postern.db is locked', async () => {
    const { addresses, directory } = await start();
    const store = async () => {
      const { body } = await sendRaw(addresses.internal ?? '', { uri: '/readyz' });
      const { status, checks } = JSON.parse(body) as { status: string; checks: { store: string } };
      return [status, checks.store];
    };
    const other = new DatabaseSync(join(directory, 'postern.db'));
    other.exec('BEGIN IMMEDIATE');
    await vi.waitFor(async () => expect(await store()).toEqual(['degraded', 'failed']), {
      timeout: patience,
    });
    other.close();
    await vi.waitFor(async () => expect(await store()).toEqual(['ready', 'ok']), { timeout: patience });
  });

  test('a database of another program is refused', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-recorder-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const other = await start({ directory });
    const { addresses } = await start({ config: { events: { database: join(directory, 'activity.db') } } });
    const answer = await sendRaw(addresses.internal ?? '', { uri: '/readyz' });
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ checks: { accounts: 'ok', events: 'failed' } });
    expect((await sendRaw(other.addresses.internal ?? '', { uri: '/readyz' })).status).toBe(200);
  });
});

describe('/metrics', () => {
  const accounts = { config: { auth: { failed_login_rate_limit: '2/hour' } } };

  test('counts decisions by verdict, reason and front, and logins by their outcome', async () => {
    const gateway = await start(accounts);
    const { internal, authenticated = '', forwardAuthAuthenticated = '' } = gateway.addresses;
    const admin = await adminOf(gateway);
    await admin.send('GET', '/api/events');
    const headers = [['Cookie', `session_token=${admin.token}`] as const];
    const said = [
      ['X-Original-Method', 'GET'],
      ['X-Original-URL', '/review'],
    ] as const;
    for (let i = 0; i < 3; i += 1)
      await sendRaw(forwardAuthAuthenticated, { uri: '/auth', headers: [...said, ...headers] });
    await sendRaw(forwardAuthAuthenticated, { uri: '/auth', headers: said });
    for (const password of ['wrong', 'wrong', 'wrong'])
      await visitor(authenticated).logIn('unknown', password);

    const samples = await scrape(internal);
    const decided = (verdict: string, reason: string, front: string) =>
      samples.get(`postern_decisions_total{verdict="${verdict}",reason="${reason}",front="${front}"}`);
    expect(decided('allow', 'allowed', 'embedded')).toBe(1);
    // An alert sees the first of these grow.
    expect(decided('forbidden', 'failure', 'auth-request')).toBe(0);
    expect(decided('forbidden', 'front_unproven', 'none')).toBe(0);
    expect(decided('allow', 'allowed', 'auth-request')).toBe(3);
    expect(decided('unauthenticated', 'no_session', 'auth-request')).toBe(1);
    expect(samples.get('postern_decision_duration_seconds_count{front="auth-request"}')).toBe(4);
    expect(samples.get('postern_logins_total{result="success"}')).toBe(1);
    expect(samples.get('postern_logins_total{result="failure"}')).toBe(2);
    expect(samples.get('postern_logins_total{result="limited"}')).toBe(1);
    expect(samples.get('postern_limited_total{limit="login_failures"}')).toBe(1);
    // The session was checked once, and cached for its later requests.
    expect(samples.get('postern_cache_hits_total{cache="sessions"}')).toBeGreaterThanOrEqual(2);
    expect(samples.get('postern_cache_entries{cache="sessions"}')).toBe(1);
  });

  test('a full queue of hashes is counted, before and behind Hono', async () => {
    const gateway = await start({
      config: { auth: { failed_login_rate_limit: null } },
      passwordIterations: 600_000,
    });
    const { authenticated = '', internal } = gateway.addresses;
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => visitor(authenticated).logIn('x', 'wrong')),
    );
    const turnedAway = answers.filter(({ status }) => status === 429).length;
    expect(turnedAway).toBeGreaterThan(0);
    const samples = await scrape(internal);
    expect(samples.get('postern_limited_total{limit="password_hashes"}')).toBe(turnedAway);
    expect(samples.get('postern_logins_total{result="limited"}')).toBe(turnedAway);
  });

  test('no value from a client becomes a label', async () => {
    const { addresses } = await start();
    const { internal = '', authenticated = '', forwardAuthAuthenticated = '' } = addresses;
    const word = 'inj3cted';
    const odd = [
      { uri: `/${word}?${word}=${word}`, method: word.toUpperCase() },
      { uri: `/%00${word}`, headers: [['Cookie', `session_token=${word}`]] },
      {
        uri: `/auth`,
        headers: [
          ['X-Original-URL', `/${word}`],
          ['X-Original-Method', word],
        ],
      },
      { uri: `/api/authz/forward-auth`, headers: [['X-Forwarded-Uri', `/${word}`]] },
      { uri: `/api/authz/ext-authz/${word}"}\\n`, headers: [[word, word]] },
      {
        uri: `/${word}`,
        headers: [
          ['X-Original-URL', word],
          ['X-Original-URL', word],
        ],
      },
      { uri: `/\u0001${word}` },
    ] as const;
    for (const request of odd) {
      await sendRaw(internal, request);
      await sendRaw(authenticated, request, true);
      await sendRaw(forwardAuthAuthenticated, request);
    }
    await visitor(authenticated).logIn(word, word);
    const { body } = await sendRaw(internal, { uri: '/metrics' });
    expect(body).not.toContain(word);
    expect(body).not.toContain(word.toUpperCase());
    const found = [
      ...body.matchAll(/^postern_decisions_total\{verdict="(.*)",reason="(.*)",front="(.*)"\}/gm),
    ];
    expect(found.length).toBeGreaterThan(3);
    for (const [, verdict = '', reason = '', front = ''] of found) {
      expect(['allow', 'unauthenticated', 'forbidden']).toContain(verdict);
      expect(reasons).toContain(reason);
      expect(['embedded', 'relay', 'auth-request', 'forward-auth', 'ext-authz', 'none']).toContain(front);
    }
  });

  test('counts the sessions whose last token has not expired', async () => {
    const gateway = await start();
    const seconds = Math.floor(Date.now() / 1_000);
    const activity = await openActivity(activityPath(gateway.directory), 1_000);
    const row = (session_id: string, expires_at: number) => ({
      session_id,
      username: 'olaf',
      session_generation: null,
      began_at: seconds - 100,
      last_seen_at: seconds - 100,
      expires_at,
      address: null,
      agent: null,
    });
    await activity
      .insertInto('seen_sessions')
      .values([row('a', seconds + 900), row('b', seconds + 900), row('c', seconds - 10)])
      .execute();
    await activity.destroy();
    expect((await scrape(gateway.addresses.internal)).get('postern_sessions')).toBe(2);
  });
});
