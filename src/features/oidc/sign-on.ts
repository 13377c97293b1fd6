import type { Clock } from '../../clock.ts';
import type { Configuration, OidcConfiguration } from '../../config/configuration.ts';
import { prepareRoleResolution } from '../../policy/role-map.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { federatedUserOf, type FederatedUser, type FederatedUserRefusal } from './federated-user.ts';
import { createProvider, type Claims, type Provider } from './provider.ts';

/** What a configuration and the current custom roles mean for federated users. */
export interface SignOn {
  readonly oidc: OidcConfiguration;
  readonly provider: Provider;
  readonly federatedUserOf: (claims: Claims) => FederatedUser | { readonly refused: FederatedUserRefusal };
}

/** @returns undefined when there is no provider */
export function createSignOn(
  { auth, publicUrl, basePath }: Pick<Configuration, 'auth' | 'publicUrl' | 'basePath'>,
  dependencies: { readonly clock: Clock; readonly logger: Pick<Logger, 'info' | 'warn'> },
): SignOn | undefined {
  const { oidc, roles } = auth;
  if (oidc === undefined || publicUrl === undefined) return undefined;
  const { roleMap, defaultRole } = oidc;
  const resolution = prepareRoleResolution({ separator: ',', roleMap, defaultRole, roles });
  return {
    oidc,
    provider: createProvider(oidc, { publicUrl, basePath, ...dependencies }),
    federatedUserOf: (claims) => federatedUserOf(claims, oidc, resolution),
  };
}
