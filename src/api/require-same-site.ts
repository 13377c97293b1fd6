import type { AuditLog } from '../audit/audit-log.ts';
import { AppError } from '../errors.ts';
import { clientOf } from '../http/fronts/client.ts';
import { isCrossSite } from '../policy/cross-site.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { ApiContext } from './environment.ts';

/** For endpoints without a decision. @throws AppError `forbidden` when another site's page sends the request */
export async function requireSameSite(
  c: ApiContext,
  { settings, audit }: { readonly settings: Settings; readonly audit: Pick<AuditLog, 'record'> },
): Promise<void> {
  const { host, address } = clientOf(c.env, settings);
  if (!isCrossSite(c.env.incoming.rawHeaders, host)) return;
  await audit.record({ event: 'refused', address, object: c.env.path, reason: 'cross_site' });
  throw new AppError('forbidden');
}
