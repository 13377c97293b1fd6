import { clientOf } from '../../http/fronts/client.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { ProviderLogout } from '../../api/login/provider-logout.ts';
import { afterLogout } from '../../api/after-logout.ts';
import { undocumentedEndpoint } from '../../api/endpoint.ts';

export interface LoggedOutDependencies {
  readonly settings: Settings;
  /** Undefined: there is no provider. */
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
