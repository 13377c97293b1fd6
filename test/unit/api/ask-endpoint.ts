import { Hono } from 'hono';
import type { Settings } from '../../../src/access/settings/settings.ts';
import { serve, type Endpoint, type ServicesOf } from '../../../src/api/endpoint.ts';
import type { ApiEnvironment, RequestPermit } from '../../../src/api/environment.ts';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { systemClock, type Clock } from '../../../src/clock.ts';
import { errorAnswer } from '../../../src/errors.ts';
import { ValidationError } from '../../../src/http/validation.ts';
import type { Session } from '../../../src/accounts/sessions/session-token.ts';
import { mayEverything } from '../../../src/policy/capability.ts';
import type { Allowed } from '../../../src/policy/decision.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import { permissionBy } from '../../../src/store/permit.ts';
import { settings as ofProxy } from './api-dependencies.ts';

/** Settings of a gate that has accounts. */
export const sessionSettings: Settings = { ...ofProxy, mode: 'session' };

interface Asking<E extends Endpoint> {
  readonly endpoint: E;
  /** What its handler needs; `settings` and `audit` are there. */
  readonly services: Partial<Record<keyof ServicesOf<E>, unknown>>;
  readonly user?: string;
  readonly role?: string;
  readonly source?: Identity['source'];
  /** Everything by default. */
  readonly access?: Partial<Pick<Allowed, 'grant' | 'may'>>;
  /** The proof of the session is as old, in milliseconds. */
  readonly provedAgo?: number;
  readonly permit?: RequestPermit;
  /** Omit for a session of the user; `undefined` for none. */
  readonly session?: Session | undefined;
}

/** An endpoint as a user with a session asks it, without the decision before it. */
export function askEndpoint<E extends Endpoint>(asking: Asking<E>) {
  const { endpoint, services, user = 'olaf', role = 'viewer', source = 'session', provedAgo = 0 } = asking;
  const recorded: AuditEntry[] = [];
  const given: { readonly settings?: Settings; readonly clock?: Clock } = services;
  const { settings = sessionSettings, clock = systemClock } = given;
  const app = new Hono<ApiEnvironment>();
  app.use(async (c, next) => {
    const identity = plainIdentity(user, role, source);
    c.set('allowed', {
      outcome: 'allow',
      reason: 'allowed',
      identity,
      grant: 'all',
      may: mayEverything,
      ...asking.access,
    });
    c.set('session', 'session' in asking ? asking.session : sessionOf(user, role, clock.now() - provedAgo));
    c.set('decision', 'd');
    c.set('permit', asking.permit ?? (async () => ({ settings, ...permissionBy(() => undefined) })));
    await next();
  });
  const all = {
    settings,
    current: () => ({ settings }),
    clock,
    audit: { record: async (entry: AuditEntry) => void recorded.push(entry) },
    ...services,
  };
  const dependencies = { ...all, finishing: all } as unknown as ServicesOf<E>;
  serve(app, { endpoint, services: dependencies });
  app.onError((error, c) => {
    if (error instanceof ValidationError) return c.json(error.body, 422);
    const { body, status } = errorAnswer(error);
    return c.json(body, status);
  });
  const env = {
    incoming: { headers: {}, rawHeaders: ['Host', 'gate.test'], socket: { remoteAddress: '192.0.2.1' } },
    path: endpoint.path,
  };
  /** @param path with its parameters */
  const ask = async (path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await app.request(
      `http://gate.test${path}`,
      {
        method: endpoint.method.toUpperCase(),
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      },
      env,
    );
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  return { ask, recorded };
}

function sessionOf(username: string, role: string, authenticatedAt: number): Session {
  return { user: { username, role }, claims: { authenticatedAt } } as unknown as Session;
}
