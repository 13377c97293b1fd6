import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { tokenAccess } from '../../config/role-access.ts';
import { apiTokenPrefix } from '../../policy/authorization-header.ts';
import { mayNothing } from '../../policy/capability.ts';
import { readJson } from '../../policy/json.ts';
import { scheduleIn, writtenAccess } from '../../policy/role-access.ts';
import { neverOpen } from '../../policy/schedule.ts';
import type { TokenScope } from '../../policy/token-scope.ts';
import type { Alerting, Permit, Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { askTogether, type Limiter } from '../../store/slow-store.ts';
import { rolesVersionBeside } from '../../store/account-columns.ts';
import { isPostgres } from '../../store/engine.ts';
import type { Store, VersionedStore } from '../../store/store.ts';
import { issuerOf } from '../../policy/issuer.ts';
import { requireNotOfOther } from '../../accounts/users/personal-roles.ts';

/** A stored API token, or a display, which is one that a screen keeps in a cookie. Times are milliseconds since the epoch. */
export interface ApiToken extends TokenScope {
  /** Not secret. */
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  /** The owner's role as stored. */
  readonly ownerRole: string;
  /** An administrator or the provider has blocked the owner. */
  readonly isOwnerBlocked: boolean;
  /** The owner's provider, if the owner is a federated user. */
  readonly ownerIssuer: string | undefined;
  readonly createdAt: number;
  /** Absent when it does not expire. */
  readonly expiresAt: number | undefined;
  /** Only of displays. */
  readonly display?: DisplayCredential;
}

/** The credential of a display, as far as others may know it. */
interface DisplayCredential {
  /** Milliseconds since the epoch, when the screen began to use it; absent until it has fetched one. */
  readonly rotatedAt: number | undefined;
  readonly isFramed: boolean;
  /** Salt of the key that signs its credentials, not a secret; absent when it has a credential of Postern 1.0. */
  readonly salt: string | undefined;
  /** Differs when the JWT secret has changed. */
  readonly secretMark: string | undefined;
}

export type ApiTokenKind = 'token' | 'display';

type ApiTokenProblem = 'api_token_unknown' | 'api_token_expired';

/** The result of checking a presented token. */
export type PresentedApiToken = { readonly apiToken: ApiToken } | { readonly problem: ApiTokenProblem };

export type NewApiToken = Pick<
  ApiToken,
  'name' | 'owner' | 'role' | 'cameras' | 'may' | 'schedule' | 'expiresAt'
>;

export interface ApiTokens {
  /** @param owner omit for all owners. @returns tokens by owner and name */
  list(owner?: string): Promise<ApiToken[]>;
  /** @param on a transaction to read through */
  find(id: string, on?: Reading): Promise<ApiToken | undefined>;
  /**
   * @returns the token itself, which is stored nowhere
   * @throws AppError `user_unknown`, `api_token_exists`, `too_many_api_tokens`
   */
  add(wanted: NewApiToken, permit: Permit): Promise<{ readonly token: string; readonly apiToken: ApiToken }>;
  /** Rejects the token from now on. @returns whether it existed */
  revoke(id: string, permit: Permit, onRevoked?: (permission: Alerting) => void): Promise<boolean>;
  /** Checks a token against the store as it is now. @param on a transaction to read through */
  check(token: string, on?: Reading): Promise<PresentedApiToken>;
  /** The result of an earlier `check`. @returns undefined when the store has to be asked */
  recall(token: string): PresentedApiToken | undefined;
}

/** After the prefix come 256 random bits, which cannot be guessed, so there is no failure limit and no slow hash. */
const forms = { token: /^postern_[\w-]{43}$/, display: /^display_[\w-]{43}$/ };

const nameForm = /^(?! )[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}(?<! )$/u;

export const apiTokenName = v.pipe(
  v.string('Input should be text'),
  v.metadata({ pattern: nameForm.source }),
  v.check(
    (name) => nameForm.test(name) && name.length <= 64,
    'A name has 1 to 64 printable characters, and no space at its ends',
  ),
);

/** Days that an expiring API token may last. */
export const longestLife = 3_650;

const mostOfOneOwner = 100;

// About ten thousand tokens. Only existing tokens are remembered, so a flood of unknown ones cannot push one out.
const rememberedBytes = 8 * 1024 * 1024;
const entryBytes = 800;

interface Remembered {
  readonly apiToken: ApiToken;
  readonly version: number;
}

export interface ApiTokensOptions {
  readonly clock: Clock;
  /** While it stays the same, tokens and users have not changed. */
  readonly storeVersion: () => number;
  /** Queues look-ups of unknown tokens, which anyone can send in any number. */
  readonly inTurn?: Limiter | undefined;
  /** Called with the version of the roles read with each owner. */
  readonly sawRoles?: VersionedStore['sawRoles'];
  /** The only rows it finds, and the only credentials it accepts; `token` by default. */
  readonly kind?: ApiTokenKind;
}

export function createApiTokens(store: Store, options: ApiTokensOptions): ApiTokens {
  const {
    clock,
    storeVersion,
    inTurn = (ask) => ask(),
    sawRoles = () => undefined,
    kind = 'token',
  } = options;
  const form = forms[kind];
  const remembered = new LRUCache<string, Remembered>({ maxSize: rememberedBytes });
  const rows = (on: Reading = store) =>
    on
      .selectFrom('api_tokens')
      .innerJoin('users', 'users.username', 'api_tokens.username')
      .where('api_tokens.kind', '=', kind)
      .selectAll('api_tokens')
      .select(['users.role as owner_role', 'users.blocked as owner_blocked', 'users.issuer as owner_issuer']);
  const withRoles = (on?: Reading) => rows(on).select(rolesVersionBeside(store).as('roles'));
  // Built once: building it takes longer than running it.
  const byHash = withRoles().where('token_hash', '=', 'hash').compile();

  type FoundRow = ApiTokenRow & { readonly roles: number };
  const findByHashes = askTogether<string, FoundRow>(String, async (hashes) => {
    const found = await withRoles().where('token_hash', 'in', hashes).execute();
    return new Map(found.map((row) => [String(row.token_hash), row]));
  });
  const findByIds = askTogether<string, FoundRow>(String, async (ids) => {
    const found = await withRoles().where('token_id', 'in', ids).execute();
    return new Map(found.map((row) => [row.token_id, row]));
  });

  const inTime = (apiToken: ApiToken): PresentedApiToken =>
    apiToken.expiresAt !== undefined && clock.now() >= apiToken.expiresAt
      ? { problem: 'api_token_expired' }
      : { apiToken };

  return {
    list: async (owner) => {
      const all = rows().orderBy('api_tokens.username').orderBy('name');
      const found = await (
        owner === undefined ? all : all.where('api_tokens.username', '=', owner)
      ).execute();
      return found.map(apiTokenOf);
    },

    find: async (id, on) => {
      const row = await (on === undefined
        ? findByIds(id)
        : withRoles(on).where('token_id', '=', id).executeTakeFirst());
      if (row !== undefined) sawRoles(row.roles);
      return row && apiTokenOf(row);
    },

    add: async ({ name, owner, role, cameras, may, schedule, expiresAt }, permit) => {
      const token = `${apiTokenPrefix}${randomBytes(32).toString('base64url')}`;
      const row = {
        token_id: randomUUID(),
        name,
        username: owner,
        role,
        cameras: cameras === undefined ? null : JSON.stringify([...cameras]),
        access: accessText({ may, schedule }),
        created_at: wholeSeconds(clock.now()),
        expires_at: expiresAt === undefined ? null : wholeSeconds(expiresAt),
      };
      const found = await store.change(permit, async (on, { grant, alert }) => {
        const ofOwner = await findOwner(on, owner);
        if (role !== ofOwner.owner_role) await requireNotOfOther(on, role);
        await requireRoom(
          on,
          { owner, kind, name },
          { taken: 'api_token_exists', full: 'too_many_api_tokens' },
        );
        await on
          .insertInto('api_tokens')
          .values({ ...row, role: grant(role), token_hash: hashOf(token) })
          .execute();
        alert('token_made', { user: owner, object: name });
        return ofOwner;
      });
      return {
        token,
        apiToken: apiTokenOf({ ...row, ...found, ...noDisplay, kind }),
      };
    },

    revoke: (id, permit, onRevoked) =>
      store.change(permit, async (on, permission) => {
        const { numDeletedRows } = await on
          .deleteFrom('api_tokens')
          .where('token_id', '=', id)
          .where('kind', '=', kind)
          .executeTakeFirst();
        if (numDeletedRows > 0n) onRevoked?.(permission);
        return numDeletedRows > 0n;
      }),

    check: async (token, on = store) => {
      if (!form.test(token)) return { problem: 'api_token_unknown' };
      const version = storeVersion();
      const tokenHash = hashOf(token);
      const ask = async () => {
        const { rows: found } = await on.executeQuery({ ...byHash, parameters: [kind, tokenHash] });
        return found[0] as FoundRow | undefined;
      };
      const isStrange = on === store && remembered.get(tokenHash) === undefined;
      const isTogether = on === store && isPostgres(store);
      const row = await (isStrange ? inTurn(ask) : isTogether ? findByHashes(tokenHash) : ask());
      if (row === undefined) return { problem: 'api_token_unknown' };
      sawRoles(row.roles);
      const apiToken = apiTokenOf(row);
      if (on === store)
        remembered.set(tokenHash, { apiToken, version }, { size: tokenHash.length + entryBytes });
      return inTime(apiToken);
    },

    recall: (token) => {
      if (!form.test(token)) return { problem: 'api_token_unknown' };
      const found = remembered.get(hashOf(token));
      return found?.version === storeVersion() ? inTime(found.apiToken) : undefined;
    },
  };
}

/** Looking a token up by its hash leaks nothing through timing. */
export function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}

type ApiTokenRow = Omit<Selectable<Tables['api_tokens']>, 'token_hash' | 'device_hash'> & {
  readonly owner_role: string;
  readonly owner_blocked: string | null;
  readonly owner_issuer: string | null;
};

function apiTokenOf(row: ApiTokenRow): ApiToken {
  return {
    id: row.token_id,
    name: row.name,
    owner: row.username,
    ownerRole: row.owner_role,
    isOwnerBlocked: row.owner_blocked !== null,
    ownerIssuer: issuerOf({ issuer: row.owner_issuer }),
    role: row.role,
    cameras: row.cameras === null ? undefined : new Set(JSON.parse(row.cameras) as string[]),
    ...accessIn(row.access),
    createdAt: row.created_at * 1000,
    expiresAt: row.expires_at === null ? undefined : row.expires_at * 1000,
    ...(row.kind === 'display' && {
      display: {
        rotatedAt: row.rotated_at === null ? undefined : row.rotated_at * 1000,
        isFramed: row.is_framed === 1,
        salt: row.salt ?? undefined,
        secretMark: row.secret_mark ?? undefined,
      },
    }),
  };
}

const noDisplay = {
  rotated_at: null,
  is_framed: 0,
  salt: null,
  secret_mark: null,
  generation: 0,
  rotation: null,
} as const;

/** @returns the limits of a token, as its column has them */
export function accessText(narrowed: Pick<ApiToken, 'may' | 'schedule'>): string | null {
  const access = writtenAccess(narrowed);
  return access === null ? null : JSON.stringify(access);
}

/** An access that cannot be read grants nothing. */
function accessIn(text: string | null): Pick<ApiToken, 'may' | 'schedule'> {
  if (text === null) return {};
  const read = v.safeParse(tokenAccess, readJson(text));
  if (!read.success) return { may: mayNothing, schedule: neverOpen };
  const { may } = read.output;
  return { may: may && new Set(may), schedule: scheduleIn(read.output) };
}

/** @throws AppError `user_unknown` */
export async function findOwner(on: Transaction<Tables>, owner: string) {
  const user = await on
    .selectFrom('users')
    .select(['role as owner_role', 'blocked as owner_blocked', 'issuer as owner_issuer'])
    .where('username', '=', owner)
    .executeTakeFirst();
  if (user === undefined) throw new AppError('user_unknown');
  return user;
}

/**
 * @param id of the one that gets the name, if it exists already
 * @throws AppError `taken` if the owner has another of this name, `full` if they have as many as possible
 */
export async function requireRoom(
  on: Transaction<Tables>,
  {
    owner,
    kind,
    name,
    id,
  }: Pick<ApiToken, 'owner' | 'name'> & { readonly kind: ApiTokenKind; readonly id?: string },
  { taken, full }: { readonly taken: ErrorCode; readonly full: ErrorCode },
): Promise<void> {
  const others = await on
    .selectFrom('api_tokens')
    .select(['name', 'token_id'])
    .where('username', '=', owner)
    .where('kind', '=', kind)
    .execute();
  if (others.some((other) => other.name === name && other.token_id !== id)) throw new AppError(taken);
  if (id === undefined && others.length >= mostOfOneOwner) throw new AppError(full);
}
