import { listedUser, type ListedUser, createUserList } from '../accounts/users/user-list.ts';
import { plainText } from '../audit/audit-entry.ts';
import { createLastLogins, type LastLogins } from '../audit/last-logins.ts';
import { localTime } from './frame/local-time.ts';
import type { StoreWork } from './frame/on-store.ts';
import { onActivity } from './frame/open-kept.ts';

const pageSize = 500;

/** Every user, with all details. */
export async function* findUsers({ store, configuration, keeping, say }: StoreWork) {
  const { issuer, label } = configuration.auth.oidc ?? { issuer: undefined, label: undefined };
  const users = createUserList(store);
  const lastLogins: LastLogins = (names) =>
    onActivity(keeping, (activity) => createLastLogins(activity)(names)).catch(() => {
      say('the last sign-ins cannot be read', 'stderr');
      return new Map<string, number>();
    });
  for (let after: string | undefined; ;) {
    const page = await users.listDetails({ after, limit: pageSize });
    const logins = await lastLogins(page.map(({ username }) => username));
    for (const user of page) yield listedUser(user, logins.get(user.username), { issuer, label });
    if (page.length < pageSize) return;
    after = page.at(-1)?.username;
  }
}

export function userCells(user: ListedUser): readonly string[] {
  const {
    username,
    role,
    role_reason: reason,
    provider,
    provider_label: label,
    last_login: lastLogin,
  } = user;
  return [
    username,
    role,
    reason,
    label ?? provider,
    lastLogin === null ? null : localTime(lastLogin * 1000),
    user.blocked === null ? null : `blocked by ${user.blocked}`,
    user.second_factors.join(','),
  ].map((text) => (text ? plainText(text, 256) : '-'));
}
