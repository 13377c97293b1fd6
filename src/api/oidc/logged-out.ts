import { Hono } from 'hono';
import { clientOf } from '../../fronts/client.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ProviderLogout } from '../../sign-on/provider-logout.ts';
import { afterLogout } from '../after-logout.ts';
import type { ApiEnvironment } from '../request-context.ts';

export interface LoggedOutDependencies {
  readonly settings: Settings;
  /** Undefined: nobody signs in at a provider. */
  readonly providerLogout?: Pick<ProviderLogout, 'nextOf'> | undefined;
}

/** `GET /postern/oidc/logged-out`: where the provider leads whoever has logged out there. */
export function loggedOutRoutes({ settings, providerLogout }: LoggedOutDependencies) {
  return new Hono<ApiEnvironment>().get('/', async (c) => {
    c.header('cache-control', 'no-store');
    const next = await providerLogout?.nextOf(c.req.query('state'));
    return c.redirect(afterLogout(clientOf(c.env, settings).prefix, settings, next), 303);
  });
}
