import type { AuditLog } from '../../audit/audit-log.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import type { SessionRegistry } from '../../accounts/sessions/last-seen.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { ProviderError } from '../../accounts/provider.ts';
import type { ProviderSessions } from './provider-sessions.ts';
import type { Provider } from './provider.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { readBody } from '../../http/validation.ts';
import { undocumentedEndpoint } from '../../api/endpoint.ts';
import type { ApiContext } from '../../api/environment.ts';
import { withTimeout } from '../../clock.ts';
import { type ProviderLogout, afterLogout } from '../../api/login/logout.ts';
import type { Sealing } from '../../accounts/sealing.ts';

export interface BackchannelLogoutDependencies {
  readonly settings: Settings;
  /** Absent without a provider. */
  readonly signOn?: { readonly provider: Pick<Provider, 'verifyLogoutToken'> } | undefined;
  readonly providerSessions: Pick<ProviderSessions, 'wasUsed' | 'endBy'>;
  readonly sessionRegistry: Pick<SessionRegistry, 'forget'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: RequestLog;
}

/**
 * OpenID Connect Back-Channel Logout 1.0: the provider itself ends sessions. The signature of its token is its only
 * identification. A forged or repeated token causes no write and no request to the provider.
 */
export const logOutByProvider = undocumentedEndpoint({
  method: 'post',
  path: '/postern/oidc/backchannel-logout',
  level: 'public',
  handle:
    ({ settings, signOn, providerSessions, sessionRegistry, audit, logger }: BackchannelLogoutDependencies) =>
    async (c) => {
      if (signOn === undefined || settings.issuer === undefined) throw new AppError('not_found');
      c.header('cache-control', 'no-store');
      const { address } = clientOf(c.env, settings);
      const refuse = async (cause: string) => {
        const reason = 'logout_token_refused';
        await audit.record({ event: 'refused', address, object: c.env.path, reason, detail: { cause } });
        // Section 2.8: on every answer, also on errors.
        return c.json({ error: 'invalid_request' }, 400);
      };
      try {
        // A client that disconnects gets no answer.
        const sent = await logoutTokenOf(c).catch(() => undefined);
        if (sent === undefined) return await refuse('there is no logout token in a form');
        const token = await signOn.provider.verifyLogoutToken(sent);
        const ended = (await providerSessions.wasUsed(token))
          ? undefined
          : await providerSessions.endBy(token, settings.issuer);
        if (ended === undefined) return await refuse('the logout token was used before');
        for (const { sessionId, username } of ended) {
          sessionRegistry.forget(sessionId);
          await audit.record({
            event: 'session_ended_by_provider',
            source: 'oidc',
            address,
            object: username,
            reason: 'backchannel_logout',
            detail: { session: sessionId },
          });
        }
        return c.body(null, 200);
      } catch (error) {
        if (error instanceof ProviderError) return refuse(error.message);
        logger.error({ err: error, address }, 'a logout token was not looked at');
        return refuse('it was not looked at');
      }
    },
});

/** Section 2.5. @returns undefined unless the body is a form with one token */
async function logoutTokenOf(c: ApiContext): Promise<string | undefined> {
  if (!/^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(c.req.header('content-type') ?? ''))
    return undefined;
  const body = await readBody(c.req.raw);
  if (body === 'too_large') return undefined;
  const [token, ...more] = new URLSearchParams(new TextDecoder().decode(body)).getAll('logout_token');
  return more.length > 0 ? undefined : token;
}

/** Seconds that the logout at the provider may take, to return to `next`. */
const stateSeconds = 600;

/** Milliseconds that a logout waits for the provider's metadata, which is usually cached. */
const timeoutMs = 2_000;

/** Characters. A longer ID token makes a header line that fronts reject; without it the provider asks the user. */
const longestHint = 2_048;

const purpose = 'logout';

export function createProviderLogout({
  provider,
  providerSessions,
  sealing,
}: {
  readonly provider: Pick<Provider, 'endSessionUrl'>;
  readonly providerSessions: Pick<ProviderSessions, 'idTokenOf'>;
  readonly sealing: Pick<Sealing, 'issue' | 'read'>;
}): ProviderLogout {
  return {
    prepare: async (sessionId) => {
      const idToken = sessionId && (await providerSessions.idTokenOf(sessionId).catch(() => undefined));
      const hint = idToken && idToken.length <= longestHint ? idToken : undefined;
      return {
        urlTo: async (next) => {
          const found = await withTimeout(provider.endSessionUrl(hint), timeoutMs);
          if (found === undefined) return undefined;
          const url = new URL(found);
          url.searchParams.set('state', await sealing.issue(purpose, { next }, stateSeconds));
          return url.href;
        },
      };
    },
    nextOf: async (state) => {
      const said = state === undefined ? undefined : await sealing.read(purpose, state);
      return typeof said?.['next'] === 'string' ? said['next'] : undefined;
    },
  };
}

interface LoggedOutDependencies {
  readonly settings: Settings;
  /** Absent without a provider. */
  readonly providerLogout?: Pick<ProviderLogout, 'nextOf'> | undefined;
}

/** The provider sends users back to this address after a logout there. */
export const returnFromProvider = undocumentedEndpoint({
  method: 'get',
  path: '/postern/oidc/logged-out',
  level: 'public',
  handle:
    ({ settings, providerLogout }: LoggedOutDependencies) =>
    async (c) => {
      c.header('cache-control', 'no-store');
      const next = await providerLogout?.nextOf(c.req.query('state'));
      return c.redirect(afterLogout(clientOf(c.env, settings).prefix, settings, next), 303);
    },
});
