import type { Users } from '../accounts/users/users.ts';
import { lacksSecondFactor } from './authentication/session-token.ts';
import type { Clock } from '../clock.ts';
import { currentRole } from '../policy/role-access.ts';
import { plainIdentity, type Identity } from '../policy/identity.ts';
import { identityToken, isWithinOwner, type TokenScope } from '../policy/token-scope.ts';
import type { Settings } from './settings/settings.ts';

/** Who made a share, or subscribed to pushes. */
export interface Creator extends Pick<Identity, 'user' | 'role'> {
  readonly source: Exclude<Identity['source'], 'share' | 'display'>;
  /** The API token it was made with; what it made is deleted with it. */
  readonly tokenId: string | undefined;
}

/** A stored API token and its owner. Times are milliseconds since the epoch. */
interface OwnedToken extends TokenScope {
  readonly id: string;
  readonly owner: string;
  /** The owner's role as stored. */
  readonly ownerRole: string;
  readonly isOwnerBlocked: boolean;
  /** The owner's provider, if the owner is a federated user. */
  readonly ownerIssuer: string | undefined;
  readonly expiresAt: number | undefined;
}

export interface CreatorDependencies {
  readonly users: Pick<Users, 'findTogether'>;
  /** Finds an API token by its id. Absent when API tokens are off: nothing that one made is worth anything then. */
  readonly findToken?: ((id: string) => Promise<OwnedToken | undefined>) | undefined;
  readonly clock: Clock;
}

type CreatorSettings = Pick<Settings, 'mode' | 'issuer' | 'secondFactorFor'> & {
  readonly rules: Pick<Settings['rules'], 'roles'>;
};

/**
 * The current identity of a share's creator, with their current role if the gate has it. For a user of a proxy, it has the role from
 * when the share was created, with that role's current access.
 * @returns undefined if the creator has lost access: blocked, removed, without the token, or by a way that is closed
 */
export async function identityOfCreator(
  creator: Creator,
  settings: CreatorSettings,
  { users, findToken, clock }: CreatorDependencies,
): Promise<Identity | undefined> {
  const { user, role, source, tokenId } = creator;
  const { mode, issuer, secondFactorFor, rules } = settings;
  if (source === 'internal') return plainIdentity(user, role, source);
  if (source === 'proxy') return mode === 'proxy' ? plainIdentity(user, role, source) : undefined;
  if (mode === 'proxy') return undefined;

  if (source === 'api-token') {
    const token = tokenId === undefined ? undefined : await findToken?.(tokenId);
    if (token === undefined || token.owner !== user || token.isOwnerBlocked) return undefined;
    if (token.expiresAt !== undefined && clock.now() >= token.expiresAt) return undefined;
    if (token.ownerIssuer !== undefined && token.ownerIssuer !== issuer) return undefined;
    if (!isWithinOwner(token, token.ownerRole, rules.roles)) return undefined;
    return { ...plainIdentity(user, token.role, source), token: identityToken(token) };
  }

  const found = await users.findTogether(user);
  if (found === undefined || found.blocked !== undefined) return undefined;
  if (found.issuer !== undefined && found.issuer !== issuer) return undefined;
  const roleNow = currentRole(found.role, rules.roles);
  if (lacksSecondFactor(found, roleNow, secondFactorFor)) return undefined;
  return plainIdentity(user, roleNow, source);
}
