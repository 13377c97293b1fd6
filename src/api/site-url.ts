import type { Settings } from '../access/settings/settings.ts';
import { clientOf } from '../http/fronts/client.ts';
import { isHost } from '../policy/forwarded.ts';
import type { ApiContext } from './environment.ts';

/** @returns the address of the site for links, without a slash at its end; only its prefix if the host is not a possible one */
export function siteUrl(c: ApiContext, settings: Settings, publicUrl: string | undefined): string {
  const { secure, host, prefix } = clientOf(c.env, settings);
  if (publicUrl !== undefined) return publicUrl + prefix;
  return host !== undefined && isHost(host) ? `${secure ? 'https' : 'http'}://${host}${prefix}` : prefix;
}
