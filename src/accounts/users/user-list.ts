import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import { foldUserName } from '../../policy/names.ts';
import { foldedUsername } from '../../store/account-columns.ts';
import { issuerOf, spellingsOf } from '../../policy/issuer.ts';

export interface User {
  readonly username: string;
  readonly role: string;
}

/** Who blocks a user: an admin, or the provider, which no longer gives the user a role. */
export type Blocker = 'admin' | 'provider';

export type SecondFactor = 'passkey' | 'one_time_code';

/** A user as lists show it. Times are milliseconds since the epoch. */
export interface UserDetails extends User {
  /** Issuer of the federated user's provider; undefined: a local user. */
  readonly issuer: string | undefined;
  /** Why a federated user has the role. */
  readonly roleReason: string | undefined;
  readonly createdAt: number;
  /** Of federated users only. */
  readonly lastLoginAt: number | undefined;
  readonly blocked: Blocker | undefined;
  readonly secondFactors: readonly SecondFactor[];
}

/** All given conditions must hold. */
interface UserFilter {
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  readonly role?: string | undefined;
  /** Issuer of the provider; null: local users. */
  readonly issuer?: string | null | undefined;
  readonly isBlocked?: boolean | undefined;
}

interface UserPage extends UserFilter {
  /** Only names after this one. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

interface UserCounts {
  /** How many users have each role. */
  readonly byRole: Readonly<Record<string, number>>;
  /** How many federated users each provider has, by issuer. */
  readonly byIssuer: Readonly<Record<string, number>>;
  readonly blocked: number;
  /** Admins who can sign in: at least one must stay. */
  readonly activeAdmins: number;
}

export interface UserList {
  /** @returns the matching users, sorted by name; without a filter, all */
  list(page?: UserPage): Promise<User[]>;
  /** @returns the same users with everything that a list shows */
  listDetails(page?: UserPage): Promise<UserDetails[]>;
  /** @returns how many users match, on all pages */
  count(filter: UserFilter): Promise<number>;
  counts(): Promise<UserCounts>;
  /** @returns the users whose role is none of these, sorted by role and name */
  listOthers(roles: Iterable<string>): Promise<User[]>;
}

/** @param issuer of the current provider */
export function createUserList(store: Store, issuer: () => string | undefined = () => undefined): UserList {
  const matching = ({ search = '', role, issuer: provider, isBlocked }: UserFilter) => {
    const part = `%${foldUserName(search).replaceAll(/[\\%_]/g, '\\$&')}%`;
    return store
      .selectFrom('users')
      .$if(search !== '', (query) => query.where(sql<boolean>`${foldedUsername} LIKE ${part} ESCAPE '\\'`))
      .$if(role !== undefined, (query) => query.where('role', '=', role ?? ''))
      .$if(provider === null, (query) => query.where('issuer', 'is', null))
      .$if(typeof provider === 'string', (query) => query.where('issuer', 'in', spellingsOf(provider ?? '')))
      .$if(isBlocked !== undefined, (query) =>
        query.where('blocked', isBlocked === true ? 'is not' : 'is', null),
      );
  };
  const pageOf = ({ after, limit, ...filter }: UserPage) =>
    matching(filter)
      .$if(after !== undefined, (query) => query.where('username', '>', after ?? ''))
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .orderBy('username');

  return {
    list: (page = {}) => pageOf(page).select(['username', 'role']).execute(),

    listDetails: async (page = {}) => {
      const rows = await pageOf(page)
        .select(['username', 'role', 'issuer', 'role_reason', 'created_at', 'last_login_at', 'blocked'])
        .select(({ exists, selectFrom }) => [
          exists(selectFrom('passkeys').select('username').whereRef('username', '=', 'users.username')).as(
            'passkey',
          ),
          exists(
            selectFrom('one_time_codes').select('username').whereRef('username', '=', 'users.username'),
          ).as('one_time_code'),
        ])
        .execute();
      return rows.map((row): UserDetails => ({
        username: row.username,
        role: row.role,
        issuer: issuerOf(row),
        roleReason: row.role_reason ?? undefined,
        createdAt: row.created_at * 1000,
        lastLoginAt: row.last_login_at === null ? undefined : row.last_login_at * 1000,
        blocked: row.blocked ?? undefined,
        secondFactors: (['passkey', 'one_time_code'] as const).filter((factor) => Boolean(row[factor])),
      }));
    },

    count: async (filter) => {
      const { count } = await matching(filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    listOthers: (roles) =>
      store
        .selectFrom('users')
        .select(['username', 'role'])
        .where('role', 'not in', [...roles])
        .orderBy('role')
        .orderBy('username')
        .execute(),

    counts: async () => {
      const rows = await store
        .selectFrom('users')
        .select(({ fn }) => ['role', 'issuer', 'blocked', fn.countAll<number>().as('count')] as const)
        .groupBy(['role', 'issuer', 'blocked'])
        .orderBy('role')
        .orderBy('issuer')
        .execute();
      const current = issuer();
      const comesIn = (row: (typeof rows)[number]) => row.issuer === null || issuerOf(row) === current;
      const sum = (of: typeof rows) => of.reduce((total, { count }) => total + count, 0);
      const sumsBy = (nameOf: (row: (typeof rows)[number]) => string | null) =>
        Object.fromEntries(
          [...Map.groupBy(rows, nameOf)].flatMap(([name, of]) => (name === null ? [] : [[name, sum(of)]])),
        ) as Record<string, number>;
      return {
        byRole: sumsBy(({ role }) => role),
        byIssuer: sumsBy((row) => issuerOf(row) ?? null),
        blocked: sum(rows.filter(({ blocked }) => blocked !== null)),
        activeAdmins: sum(rows.filter((row) => row.role === 'admin' && row.blocked === null && comesIn(row))),
      };
    },
  };
}
