import { backTo } from '../http/fronts/refusal-page.ts';
import type { Settings } from '../access/settings/settings.ts';

/**
 * @param next a path of this site, where somebody else wants to go on
 * @returns where somebody goes who has logged out. A login that leads straight to a provider would log the same person in again.
 */
export function afterLogout(
  prefix: string,
  { mode, logoutUrl, issuer }: Pick<Settings, 'mode' | 'logoutUrl' | 'issuer'>,
  next: string | undefined,
): string {
  if (next !== undefined && mode === 'session') {
    const back = backTo({ navigatedTo: next });
    // Whatever follows `next` is of the page that it names.
    return `${prefix}/login${issuer === undefined ? back : `?logged-out${back.replace('?', '&')}`}`;
  }
  return logoutUrl ?? `${prefix}/login${issuer === undefined ? '' : '?logged-out'}`;
}
