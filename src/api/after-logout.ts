import { backTo } from '../http/fronts/refusal-page.ts';
import type { Settings } from '../access/settings/settings.ts';

/**
 * @param next a path of this site where someone else continues
 * @returns where the browser goes after a logout: a login that leads straight to a provider would log the same user in again
 */
export function afterLogout(
  prefix: string,
  { mode, logoutUrl, issuer }: Pick<Settings, 'mode' | 'logoutUrl' | 'issuer'>,
  next: string | undefined,
): string {
  if (next !== undefined && mode === 'session') {
    const back = backTo({ navigatedTo: next });
    // The parameters after `next` belong to the path in it.
    return `${prefix}/login${issuer === undefined ? back : `?logged-out${back.replace('?', '&')}`}`;
  }
  return logoutUrl ?? `${prefix}/login${issuer === undefined ? '' : '?logged-out'}`;
}
