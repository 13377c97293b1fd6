import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import { foldUserName, isNoRole } from '../../policy/names.ts';
import { foldedUsername } from '../../store/account-columns.ts';
import { issuerOf, spellingsOf } from '../../policy/issuer.ts';
import { wholeSeconds } from '../../clock.ts';
import { isPersonalRole, type Roles } from '../../policy/role-access.ts';

export interface User {
  readonly username: string;
  readonly role: string;
}

/** The one who blocks a user: an admin, or the provider, which no longer gives the user a role. */
export type Blocker = 'admin' | 'provider';

type SecondFactor = 'passkey' | 'one_time_code';

/** A user as lists show it. Times are milliseconds since the epoch. */
export interface UserDetails extends User {
  /** Issuer of the federated user's provider; absent for a local user. */
  readonly issuer: string | undefined;
  /** Reason for a federated user's role. */
  readonly roleReason: string | undefined;
  readonly createdAt: number;
  /** Absent for local users. */
  readonly lastLoginAt: number | undefined;
  readonly blocked: Blocker | undefined;
  readonly secondFactors: readonly SecondFactor[];
  /** Where the alerts of the account go. */
  readonly email: string | undefined;
}

/** All given conditions must hold. */
interface UserFilter {
  /** The whole name. */
  readonly username?: string | undefined;
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
  /** Number of users with each role. */
  readonly byRole: Readonly<Record<string, number>>;
  /** Number of federated users of each provider, by issuer. */
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
  /** @returns the users whose role is one of these, sorted by name */
  listWith(roles: readonly string[]): Promise<User[]>;
  /** @returns the users whose role is none of these, sorted by role and name */
  listOthers(roles: Iterable<string>): Promise<User[]>;
}

/** @param issuer of the current provider */
export function createUserList(store: Store, issuer: () => string | undefined = () => undefined): UserList {
  const matching = ({ username, search = '', role, issuer: provider, isBlocked }: UserFilter) => {
    const part = `%${foldUserName(search).replaceAll(/[\\%_]/g, '\\$&')}%`;
    return store
      .selectFrom('users')
      .$if(search !== '', (query) => query.where(sql<boolean>`${foldedUsername} LIKE ${part} ESCAPE '\\'`))
      .$if(username !== undefined, (query) => query.where('username', '=', username ?? ''))
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
        .select([
          'username',
          'role',
          'issuer',
          'role_reason',
          'created_at',
          'last_login_at',
          'blocked',
          'email',
        ])
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
        email: row.email ?? undefined,
      }));
    },

    count: async (filter) => {
      const { count } = await matching(filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    listWith: async (roles) => {
      // PostgreSQL has no empty list.
      if (roles.length === 0) return [];
      return store
        .selectFrom('users')
        .select(['username', 'role'])
        .where('role', 'in', roles)
        .orderBy('username')
        .execute();
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

export interface ListedUser {
  readonly username: string;
  readonly role: string;
  /** Issuer of the federated user's provider; null: a local user. */
  readonly provider: string | null;
  /** Label of the provider on the login page; null: it is no longer configured, or the user has no provider. */
  readonly provider_label: string | null;
  /** Reason for a federated user's role: `group NAME`, `default_role`. */
  readonly role_reason: string | null;
  /** Seconds since the epoch; null: not known. */
  readonly last_login: number | null;
  readonly blocked: Blocker | null;
  readonly second_factors: readonly SecondFactor[];
}

/**
 * @param lastLogin of this name in the audit log; milliseconds since the epoch
 * @param provider where federated users sign in
 */
export function listedUser(
  user: UserDetails,
  lastLogin: number | undefined,
  provider: { readonly issuer: string | undefined; readonly label: string | undefined },
): ListedUser {
  const { username, role, issuer, roleReason, createdAt, lastLoginAt, blocked, secondFactors } = user;
  // Another user may have had the name before.
  const isOwn = lastLogin !== undefined && lastLogin >= createdAt;
  const last = Math.max(lastLoginAt ?? 0, isOwn ? lastLogin : 0);
  return {
    username,
    role,
    provider: issuer ?? null,
    provider_label: (issuer !== undefined && issuer === provider.issuer && provider.label) || null,
    role_reason: roleReason ?? null,
    last_login: last === 0 ? null : wholeSeconds(last),
    blocked: blocked ?? null,
    second_factors: secondFactors,
  };
}

/** A role that users have and the configuration does not define. */
interface UndefinedRole {
  readonly role: string;
  /** It was made for one person, who has no access now. Others count as viewers. */
  readonly isPersonal: boolean;
  /** Its first users by name. */
  readonly users: readonly string[];
  readonly count: number;
}

/** As many as a log line can hold. */
const mostNames = 20;

/** @param users sorted by role and name */
export function undefinedRoles(users: readonly User[], roles: Roles): readonly UndefinedRole[] {
  const found = users.filter(({ role }) => !roles.has(role) && !isNoRole(role));
  return [...Map.groupBy(found, ({ role }) => role)].map(([role, having]) => ({
    role,
    isPersonal: isPersonalRole(role, roles),
    users: having.slice(0, mostNames).map(({ username }) => username),
    count: having.length,
  }));
}

export function describeUndefinedRole({ role, isPersonal, users, count }: UndefinedRole): string {
  const more = count > users.length ? ` and ${count - users.length} more` : '';
  if (isPersonal)
    return `the access of ${users.join(', ')}${more} is lost (role ${role}), and Postern refuses everything to ${count === 1 ? 'this user' : 'these users'}. Give access again under People`;
  return (
    `the role ${role} is not defined: ${users.join(', ')}${more} ${count === 1 ? 'counts' : 'count'} as viewer, who sees ` +
    `every camera. Define ${role} in auth.roles, or give ${count === 1 ? 'this user' : 'these users'} another role`
  );
}
