import { sql } from 'kysely';
import type { Endpoint, EndpointGroups } from '../api/endpoint.ts';
import { coreEndpoints } from '../api/endpoints.ts';
import type { EndpointLists } from '../api/own-paths.ts';
import * as alerts from './alerts/feature.ts';
import type { Core, Feature } from './feature.ts';
import * as oidc from './oidc/feature.ts';
import { everyFeature, type FeatureName, type Features } from '../policy/features.ts';

/*
 * Loads the features that are on. Nothing else imports one, but for the commands in `commands.ts`.
 */

const modules = {
  api_tokens: () => import('./api-tokens/feature.ts'),
  shares: () => import('./shares/feature.ts'),
  displays: () => import('./displays/feature.ts'),
  invitations: () => import('./invitations/feature.ts'),
  push: () => import('./push/feature.ts'),
  access_requests: () => import('./access-requests/feature.ts'),
} satisfies Record<FeatureName, () => Promise<EndpointLists & { prune: (core: Core) => Promise<void> }>>;

/** Endpoints of the core, and of the features that keys of their own switch on: they are there anyway. */
export const lastingEndpoints = {
  open: { ...coreEndpoints.open, oidcLogout: oidc.logout, oidc: oidc.login },
  guarded: { ...coreEndpoints.guarded, alerts: alerts.guarded },
} as const;

type Lasting = typeof lastingEndpoints;
type EndpointOfGroups<Groups extends EndpointGroups> = Groups[keyof Groups][number];

type Modules = { readonly [Name in FeatureName]: Awaited<ReturnType<(typeof modules)[Name]>> };
type ListsOf<Lists extends EndpointLists> = (Lists['open'] | Lists['guarded'])[number];

/** Every endpoint of a gate with all features; for the types of the UI's calls. */
export type EveryEndpoint =
  | EndpointOfGroups<Lasting['open']>
  | EndpointOfGroups<Lasting['guarded']>
  | ListsOf<Modules[FeatureName]>;

/** Features whose code is loaded, and the endpoints of the gate with them. */
export interface LoadedFeatures extends EndpointLists {
  readonly create: (core: Core) => readonly Feature[];
}

export async function loadFeatures(on: Features): Promise<LoadedFeatures> {
  const load = async <Name extends FeatureName>(name: Name) =>
    on.has(name) ? ((await modules[name]()) as Modules[Name]) : undefined;
  const apiTokens = await load('api_tokens');
  const displays = apiTokens && (await load('displays'));
  const shares = await load('shares');
  const invitations = await load('invitations');
  const push = await load('push');
  const accessRequests = await load('access_requests');

  const loaded = [apiTokens, displays, shares, invitations, push, accessRequests].filter(isDefined);
  const listed = (list: keyof EndpointLists): readonly Endpoint[] => [
    ...Object.values<readonly Endpoint[]>(lastingEndpoints[list]).flat(),
    ...loaded.flatMap((each): readonly Endpoint[] => each[list]),
  ];
  return {
    open: listed('open'),
    guarded: listed('guarded'),
    create: (core) => {
      const tokens = apiTokens?.create(core);
      return [
        tokens,
        tokens && displays?.create(core, tokens.uses),
        shares?.create(core, tokens?.findToken),
        invitations?.create(core),
        push?.create(core),
        accessRequests?.create(core),
      ].filter(isDefined);
    },
  };
}

/** Tables whose rows are pruned by code of a feature. */
const tables = {
  api_tokens: 'api_tokens',
  shares: 'shares',
  displays: 'api_tokens',
  invitations: 'invitations',
  push: 'push_subscriptions',
  access_requests: 'access_requests',
} as const satisfies Record<FeatureName, string>;

/** Prunes features that are off. Their code is loaded only if they have stored something. */
export async function pruneOthers(on: Features, core: Core): Promise<void> {
  for (const name of everyFeature) {
    if (on.has(name)) continue;
    const row = await core.foundation.store
      .selectFrom(tables[name])
      .select(sql`1`.as('one'))
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) await (await modules[name]()).prune(core);
  }
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
