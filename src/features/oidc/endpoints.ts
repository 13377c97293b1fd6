import { createHash, randomUUID } from 'node:crypto';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { FailureLimit } from '../../accounts/limits/failure-limit.ts';
import type { FederatedUsers } from '../../accounts/users/federated-users.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { Authorization } from '../../access/authorize.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { contextOf, clientOf, recipientOf } from '../../http/fronts/client.ts';
import { refusalAnswer } from '../../http/fronts/refusal.ts';
import { isEmbeddedElsewhere } from '../../policy/cross-site.ts';
import type { Reason } from '../../policy/reasons.ts';
import { sentQuery } from '../../api/request.ts';
import { destinationOf, locationOf, returnAddress, saysBeforeNext } from '../../policy/return-address.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import type { FederatedUser, SignOn } from './sign-on.ts';
import { ProviderError } from '../../accounts/provider.ts';
import type { ProviderSessions } from './provider-sessions.ts';
import type { ProviderGrant } from './provider.ts';
import { onlyIf } from '../../store/permit.ts';
import { undocumentedEndpoint } from '../../api/endpoint.ts';
import { type FinishLoginDependencies, finishLogin, recordLimitedLogin } from '../../api/login/end-login.ts';
import type { CurrentRuntime } from '../../api/permit.ts';
import type { ApiContext } from '../../api/environment.ts';
import { createAttempts, type Attempt } from './attempts.ts';

export interface OidcDependencies {
  /** Begins the session once the user is known. */
  readonly finishing: FinishLoginDependencies;
  /** Absent without a provider. */
  readonly signOn: SignOn | undefined;
  /** A reload may have happened while the provider was asked. */
  readonly current: () => Pick<CurrentRuntime, 'settings' | 'renewRolesIn'>;
  readonly sealing: Pick<Sealing, 'issue' | 'read'>;
  readonly federatedUsers: FederatedUsers;
  readonly providerSessions: Pick<ProviderSessions, 'begin' | 'block'>;
  /** Milliseconds that a session lasts without a refresh. */
  readonly sessionLength: number;
  /** Limits logins with a password too. */
  readonly failureLimit: FailureLimit;
  readonly changeLimit: ChangeLimit;
  readonly recordDecision: Authorization['record'];
  readonly clock: Clock;
}

/** A refused login. */
interface Refusal {
  readonly reason: Reason;
  /** Path that the login would have led to. */
  readonly next: string;
  /** For the operator. */
  readonly entry?: Partial<Pick<AuditEntry, 'event' | 'user' | 'source' | 'detail'>>;
}

const reasonOf = {
  refused: 'oidc_refused',
  away: 'oidc_unreachable',
  nonsense: 'oidc_protocol_error',
} as const;

/** For these reasons the provider no longer lets the user in, so all sessions end. */
const endsSessions: ReadonlySet<Reason> = new Set(['oidc_email_refused', 'oidc_no_role']);

/* The authorization code flow. */

export const beginOidcLogin = undocumentedEndpoint({
  method: 'get',
  path: '/postern/oidc/login',
  level: 'public',
  handle: (dependencies: OidcDependencies) => codeFlow(dependencies).begin,
});

export const finishOidcLogin = undocumentedEndpoint({
  method: 'get',
  path: '/postern/oidc/callback',
  level: 'public',
  handle: (dependencies: OidcDependencies) => codeFlow(dependencies).finish,
});

function codeFlow(dependencies: OidcDependencies) {
  const { signOn, finishing } = dependencies;
  if (signOn !== undefined) return codeFlowAt(dependencies, signOn);
  const absent = () => {
    throw new AppError(finishing.settings.mode === 'proxy' ? 'authentication_disabled' : 'not_found');
  };
  return { begin: absent, finish: absent };
}

function codeFlowAt(
  dependencies: OidcDependencies,
  { oidc: { issuer }, provider, federatedUserOf, explain }: SignOn,
) {
  const { finishing, current, sealing, federatedUsers, providerSessions, clock } = dependencies;
  const { settings, audit, tallies } = finishing;
  const attempts = createAttempts({ settings, sealing, clock, issuer });
  /** A code is valid once; a provider that gets one twice revokes the tokens that it issued for it (RFC 6749, 4.1.2). */
  const exchanging = new Set<string>();

  const refuse = (c: ApiContext, { reason, next, entry }: Refusal) => {
    const decision = { outcome: 'forbidden', reason, identity: undefined, path: c.env.path } as const;
    const id = dependencies.recordDecision(contextOf(c.env, settings), decision, entry);
    const { reader, ...client } = recipientOf(c.env, settings);
    // The address of this page contains the code: no link may lead back to it.
    const recipient = { ...client, reader: reader && { ...reader, navigatedTo: next } };
    const { status, headers, body } = refusalAnswer(decision, recipient, id);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return c.body(body, status as 403);
  };
  const leadTo = (c: ApiContext, next: string) =>
    c.redirect(locationOf(next, clientOf(c.env, settings).prefix), 303);

  /** @throws AppError `too_many_requests` */
  const reserve = async (c: ApiContext) => {
    const { address } = clientOf(c.env, settings);
    const place = await dependencies.failureLimit.reserve(address);
    if (!('retryAfterSeconds' in place)) return place;
    await recordLimitedLogin(finishing, c, { source: 'oidc', address });
    throw new AppError('too_many_requests', { retryAfterSeconds: place.retryAfterSeconds });
  };

  /** Ends sessions that began with another role or address. */
  const keepOut = async (subject: string, reason: Reason) => {
    const username = await federatedUsers.nameOf({ issuer, subject });
    if (username === undefined) return;
    if (!(await providerSessions.block({ username, issuer, subject }))) return;
    await audit.record({ event: 'session_ended_by_provider', source: 'oidc', object: username, reason });
  };

  /** Adds the person or brings the row up to date, and begins the session. @throws ConfigurationChanged */
  const admit = async (c: ApiContext, person: FederatedUser, grant: ProviderGrant, attempt: Attempt) => {
    const { subject, roleReason: why } = person;
    await dependencies.changeLimit.take('provider_login', createHash('sha256').update(subject).digest('hex'));
    const sessionId = randomUUID();
    const expiresAt = clock.now() + dependencies.sessionLength;
    const keep = await providerSessions.begin({ sessionId, issuer, subject }, grant, expiresAt);
    const arrival = { ...person, issuer, state: attempt.state, stateExpiresAt: attempt.expiresAt };
    // The provider decides the role: no proof is asked for here.
    const permit = onlyIf(async (on) => {
      await current().renewRolesIn?.(on);
      if (current().settings !== settings) throw new ConfigurationChanged();
    });
    const arrived = await federatedUsers.arrive(arrival, keep, permit);
    if ('refused' in arrived) return arrived.refused;
    const { username } = arrived.user;
    const address = clientOf(c.env, settings).address;
    const who = { user: username, role: person.role, source: 'oidc', address };
    for (const change of changesOf({ ...person, name: username }, arrived.former))
      await audit.record({ ...who, object: username, ...change, detail: { ...change.detail, why } });
    const { unreadable } = explain(grant.claims);
    const how = { source: 'oidc', ...(unreadable === undefined ? {} : { detail: { unreadable } }) };
    await finishLogin(finishing, c, arrived.user, { ...how, beginning: { sessionId } });
    return undefined;
  };

  /** @returns why the login is refused. @throws ProviderError, ConfigurationChanged */
  const logIn = async (c: ApiContext, attempt: Attempt): Promise<Omit<Refusal, 'next'> | undefined> => {
    exchanging.add(attempt.state);
    try {
      const grant = await provider.exchange(sentQuery(c), attempt);
      if (current().settings !== settings) throw new ConfigurationChanged();
      const person = federatedUserOf(grant.claims);
      const { sub: subject } = grant.claims;
      const detail = { subject, ...explain(grant.claims) };
      const entry = { event: 'login_failed', source: 'oidc', detail } as const;
      if ('refused' in person) {
        if (endsSessions.has(person.refused)) await keepOut(subject, person.refused);
        return { reason: person.refused, entry };
      }
      const reason = await admit(c, person, grant, attempt);
      return reason && { reason, entry: { ...entry, user: person.name } };
    } finally {
      exchanging.delete(attempt.state);
    }
  };

  return {
    begin: async (c: ApiContext) => {
      const next = returnAddress(sentQuery(c), settings.returnDomains);
      c.header('cache-control', 'no-store');
      // Another site could sign users in unnoticed, and displace the attempts that they began.
      const { host } = clientOf(c.env, settings);
      const site = { host, publicOrigin: settings.rules.publicOrigin };
      if (isEmbeddedElsewhere(c.env.incoming.rawHeaders, site))
        return refuse(c, { reason: 'cross_site', next });
      try {
        // First: while the provider is away, no attempt gets a cookie.
        await provider.metadata();
        const prompt = saysBeforeNext(sentQuery(c), 'another') ? 'login' : undefined;
        return c.redirect(await provider.authorizationUrl(await attempts.begin(c, next), prompt), 303);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        return refuse(c, { reason: reasonOf[error.kind], next, entry: detailOf(error) });
      }
    },
    finish: async (c: ApiContext) => {
      c.header('cache-control', 'no-store');
      const attempt = await attempts.find(c);
      if (attempt === undefined || exchanging.has(attempt.state))
        return refuse(c, { reason: 'oidc_attempt_unknown', next: attempt?.next ?? '/' });
      const { next } = attempt;
      const place = await reserve(c);
      try {
        const refusal = await logIn(c, attempt);
        attempts.forget(c, attempt);
        if (refusal !== undefined) {
          tallies.logins.failure += 1;
          return refuse(c, { next, ...refusal });
        }
        await place.giveBack();
        const { prefix, host } = clientOf(c.env, settings);
        return leadTo(c, destinationOf(next, { landing: settings.landing, prefix, host }));
      } catch (error) {
        const kind = error instanceof ProviderError ? error.kind : undefined;
        // The failure was no guess.
        if (kind === undefined || kind === 'away') await place.giveBack();
        // The cookie stays, so that the attempt can continue when the provider is back.
        if (kind !== 'away') attempts.forget(c, attempt);
        if (error instanceof ConfigurationChanged)
          return leadTo(c, `/postern/oidc/login?next=${encodeURIComponent(next)}`);
        tallies.logins[kind === 'refused' ? 'failure' : 'error'] += 1;
        if (!(error instanceof ProviderError)) throw error;
        const entry = { ...detailOf(error), event: 'login_failed' } as const;
        return refuse(c, { reason: reasonOf[error.kind], next, entry });
      }
    },
  };
}

/** The roles or the provider have changed since the login began. */
class ConfigurationChanged extends Error {
  override readonly name = 'ConfigurationChanged';
}

function detailOf(error: ProviderError): Pick<AuditEntry, 'source' | 'detail'> {
  return { source: 'oidc', detail: { cause: error.message } };
}

/** Changes of the user, for the audit. */
function changesOf(
  { name, role }: FederatedUser,
  former: { readonly name: string; readonly role: string; readonly wasBlocked: boolean } | undefined,
): ReadonlyArray<Pick<AuditEntry, 'event' | 'detail'>> {
  if (former === undefined) return [{ event: 'provider_user_added', detail: { role } }];
  return [
    ...(former.wasBlocked ? [{ event: 'user_unblocked' as const }] : []),
    ...(former.name === name ? [] : [{ event: 'user_renamed' as const, detail: { former: former.name } }]),
    ...(former.role === role
      ? []
      : [{ event: 'user_role_changed' as const, detail: { role, former: former.role } }]),
  ];
}
