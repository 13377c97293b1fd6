import type { Context } from 'hono';
import type { LastSeen } from '../access/last-seen.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { SessionCookie } from '../accounts/sessions/session-cookie.ts';
import type { IssuedToken } from '../accounts/sessions/sessions.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { AppError } from '../errors.ts';
import { clientOf, contextOf } from '../http/fronts/client.ts';
import { isCrossSite, lostPortHint } from '../policy/cross-site.ts';
import { isHost } from '../policy/forwarded.ts';
import type { ApiContext, ApiEnvironment } from './environment.ts';

/** Who makes a permitted request, from where, and by which decision: for the audit. */
export function actorOf(
  c: ApiContext,
  settings: Settings,
): Pick<AuditEntry, 'user' | 'role' | 'source' | 'address' | 'decision'> {
  const { identity } = c.var.allowed;
  return {
    user: identity?.user,
    role: identity?.role,
    source: identity?.source,
    address: clientOf(c.env, settings).address,
    decision: c.var.decision,
  };
}

/** Guards endpoints without a decision. @throws AppError `forbidden` when another site's page sends the request */
export async function requireSameSite(
  c: ApiContext,
  { settings, audit }: { readonly settings: Settings; readonly audit: Pick<AuditLog, 'record'> },
): Promise<void> {
  const { host, address } = clientOf(c.env, settings);
  const { rawHeaders } = c.env.incoming;
  if (!isCrossSite(rawHeaders, { host, publicOrigin: settings.rules.publicOrigin })) return;
  const detail = { hint: lostPortHint(rawHeaders, host) };
  await audit.record({ event: 'refused', address, object: c.env.path, reason: 'cross_site', detail });
  throw new AppError('forbidden');
}

/**
 * Redirects to another path of the site, below the prefix that the client sees, with the query that it sent.
 * @param path below the prefix, as it stands in a URI
 */
export function redirectWithin(
  c: Context<ApiEnvironment>,
  settings: Settings,
  path: string,
  status: 303 | 308,
): Response {
  return c.redirect(`${clientOf(c.env, settings).prefix}${path}${sentQuery(c)}`, status);
}

/** @returns the query as the client sent it, with its question mark; empty without one */
export function sentQuery(c: Context<ApiEnvironment>): string {
  return /\?.*$/s.exec(c.env.incoming.url ?? '')?.[0] ?? '';
}

/** @returns the address of the site for links, without a slash at its end; only its prefix if the host is not a possible one */
export function siteUrl(c: ApiContext, settings: Settings, publicUrl: string | undefined): string {
  const { secure, host, prefix } = clientOf(c.env, settings);
  if (publicUrl !== undefined) return publicUrl + prefix;
  return host !== undefined && isHost(host) ? `${secure ? 'https' : 'http'}://${host}${prefix}` : prefix;
}

/** The `Set-Cookie` of an answer. */
export interface SessionCookieHeader {
  /** Sets the session cookie to a token that was just issued: that counts as a use of the session. */
  set(c: ApiContext, issued: IssuedToken): void;
  clear(c: ApiContext): void;
}

export function sessionCookieHeader(
  cookie: SessionCookie,
  lastSeen: Pick<LastSeen, 'noteIssued'>,
  settings: Settings,
): SessionCookieHeader {
  return {
    set: (c, { token, maxAgeSeconds, claims }) => {
      const request = contextOf(c.env, settings);
      lastSeen.noteIssued(claims, request);
      c.header('set-cookie', cookie.set(token, maxAgeSeconds, request.secure));
    },
    clear: (c) => c.header('set-cookie', cookie.clear(clientOf(c.env, settings).secure)),
  };
}
