import { byOwner } from '../../api/people/parts.ts';
import { mount } from '../../api/endpoint.ts';
import { addressOf } from '../../http/fronts/client.ts';
import { isProtectedConnection } from '../../policy/client-address.ts';
import { createLimiter } from '../../store/slow-store.ts';
import type { Store } from '../../store/store.ts';
import type { Core, Feature } from '../feature.ts';
import { createApiTokens, type ApiTokens } from './api-tokens.ts';
import { addApiToken, listApiTokens, revokeApiToken } from './endpoints.ts';
import { listedApiToken } from './listed-token.ts';
import { apiToken } from './strategy.ts';
import { createApiTokenUses, usesOf, type ApiTokenUses } from './uses.ts';

export const open = [] as const;
export const guarded = [listApiTokens, addApiToken, revokeApiToken] as const;

interface ApiTokensFeature extends Feature {
  readonly findToken: ApiTokens['find'];
  readonly uses: ApiTokenUses;
}

/** API tokens: programs send them as `Authorization: Bearer`, or as the password of Basic. */
export function create(core: Core): ApiTokensFeature {
  const { store, activity, clock, storeVersion, isShared, sawRoles } = core.foundation;
  const { audit, logger, requestLog, closing } = core.foundation;
  const { users, changeLimit } = core.accounts;
  // Half of the connections to a shared store are left for users that are signed in.
  const inTurn = isShared ? createLimiter(2) : undefined;
  const apiTokens = createApiTokens(store, { clock, storeVersion, inTurn, sawRoles, kind: 'token' });
  const apiTokenUses = createApiTokenUses(activity, {
    clock,
    onError: (error) => logger.warn({ err: error }, 'the last use of API tokens was not written'),
  });
  closing.defer(apiTokenUses.close);
  return {
    compose: ({ settings }) => {
      const { rules, issuer, isTrustedProxy } = settings;
      return {
        open: [],
        guarded: mount(guarded, {
          settings,
          apiTokens,
          apiTokenUses,
          users,
          changeLimit,
          audit,
          clock,
          logger: requestLog,
        }),
        ofPeople: async (username) => {
          const [kept, lastUses] = await Promise.all([
            apiTokens.list(username),
            usesOf(apiTokenUses, requestLog),
          ]);
          return {
            tokens: byOwner(kept, (token) => {
              const listed = listedApiToken(token, lastUses.get(token.id), clock.now(), rules.roles);
              const { id, name, role, cameras, expires_at, last_used_at, state } = listed;
              return { id, name, role, cameras: cameras && [...cameras], expires_at, last_used_at, state };
            }),
          };
        },
        identify: {
          bearer: apiToken(apiTokens, {
            roles: rules.roles,
            issuer,
            isProtected: (request) =>
              isProtectedConnection(request, addressOf(request, settings), isTrustedProxy),
          }),
        },
      };
    },
    findToken: apiTokens.find,
    uses: apiTokenUses,
    noteToken: ({ id }, address) => apiTokenUses.note(id, address),
    endCredential: async ({ token, source }, permit) => {
      if (token === undefined || source === 'display') return 'other';
      const found = await apiTokens.find(token);
      if (found === undefined || !(await apiTokens.revoke(token, permit))) return undefined;
      return { event: 'api_token_revoked', object: found.name, detail: { id: token, owner: found.owner } };
    },
    prune: () => pruneUses(store, apiTokenUses),
  };
}

/** Deletes the last uses of tokens and displays that no longer exist. */
async function pruneUses(store: Store, uses: Pick<ApiTokenUses, 'prune'>) {
  const all = await store.selectFrom('api_tokens').select('token_id').execute();
  await uses.prune(new Set(all.map(({ token_id: id }) => id)));
}

export async function prune({ foundation: { store, activity, clock } }: Core): Promise<void> {
  const uses = createApiTokenUses(activity, { clock, onError: () => undefined });
  await pruneUses(store, uses);
  await uses.close();
}
