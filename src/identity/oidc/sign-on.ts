import type { Clock } from '../../clock.ts';
import type { Configuration, OidcConfiguration } from '../../config/configuration.ts';
import { prepareRoleResolution } from '../../policy/role-map.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { federatedUserOf, type FederatedUser, type PersonRefusal } from './federated-user.ts';
import { createProvider, type Claims, type Provider } from './provider.ts';

/** What one configuration, with the custom roles of a moment, means for people of a provider. */
export interface SignOn {
  readonly oidc: OidcConfiguration;
  readonly provider: Provider;
  readonly federatedUserOf: (claims: Claims) => FederatedUser | { readonly refused: PersonRefusal };
}

/** @returns undefined when nobody signs in at a provider */
export function createSignOn(
  { auth, publicUrl, basePath }: Pick<Configuration, 'auth' | 'publicUrl' | 'basePath'>,
  dependencies: { readonly clock: Clock; readonly logger: Pick<Logger, 'info' | 'warn'> },
): SignOn | undefined {
  const { oidc, roles } = auth;
  if (oidc === undefined || publicUrl === undefined) return undefined;
  const { roleMap, defaultRole } = oidc;
  const resolution = prepareRoleResolution({ separator: ',', roleMap, defaultRole, customRoles: roles });
  return {
    oidc,
    provider: createProvider(oidc, { publicUrl, basePath, ...dependencies }),
    federatedUserOf: (claims) => federatedUserOf(claims, oidc, resolution),
  };
}
