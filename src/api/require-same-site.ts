import type { AuditLog } from '../audit/audit-log.ts';
import { AppError } from '../errors.ts';
import { clientOf } from '../http/fronts/client.ts';
import { isCrossSite, lostPortHint } from '../policy/cross-site.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { ApiContext } from './environment.ts';

/** For endpoints without a decision. @throws AppError `forbidden` when another site's page sends the request */
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
