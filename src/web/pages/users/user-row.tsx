import type { User } from '../../api-client.ts';
import { providerName } from '../../ui/accounts/provider-name.ts';
import { RoleBadge, type RowContent } from '../../ui/lists/row.tsx';
import { text } from '../../text.ts';
import { TimeAgo } from '../../ui/time.tsx';

/** Actions on a user. */
export type UserAction = 'role' | 'password' | 'block' | 'unblock' | 'reset' | 'delete';

interface Circumstances {
  readonly isSelf: boolean;
  readonly isLastAdmin: boolean;
  readonly open: (action: UserAction) => void;
}

/** A user with details and the actions of an admin. */
export function userRow(user: User, { isSelf, isLastAdmin, open }: Circumstances): RowContent {
  const { username, role, blocked, provider } = user;
  // The provider manages its users.
  const isOfProvider = provider !== null;
  const reason = `protected-${username}`;
  const action = (kind: UserAction, label: string, name: string) => ({
    label,
    name,
    onClick: () => open(kind),
  });
  const guarded = isLastAdmin ? { disabled: true, 'aria-describedby': reason } : {};
  return {
    key: username,
    title: username,
    aside: (
      <>
        {isSelf && <small>{text.users.you}</small>}{' '}
        {blocked === 'admin' && <span class="badge failure">{text.users.isBlocked}</span>}
        {blocked === 'provider' && <span class="badge failure">{text.users.isBlockedByProvider}</span>}
      </>
    ),
    line: (
      <>
        <RoleBadge role={role} /> {user.role_reason && <small>{roleReasonText(user.role_reason)}</small>}
      </>
    ),
    facts: [
      ...(isOfProvider ? [user.provider_label ?? <ProviderGone name={providerName(provider)} />] : []),
      <LastLogin at={user.last_login} />,
      ...user.second_factors.map((factor) => text.users.factors[factor]),
    ],
    actions: [
      !isOfProvider && { ...action('role', text.users.changeRoleOf(username), text.users.role), ...guarded },
      !isOfProvider && action('password', text.users.changePasswordOf(username), text.users.password),
      user.second_factors.length > 0 &&
        action('reset', text.users.resetFactorsOf(username), text.users.resetFactors),
      !isSelf &&
        (blocked === 'admin'
          ? action('unblock', text.users.unblockOf(username), text.users.unblock)
          : { ...action('block', text.users.blockOf(username), text.users.block), ...guarded }),
      { ...action('delete', text.users.deleteOf(username), text.users.delete), danger: true, ...guarded },
    ],
    reason: isLastAdmin ? [reason, text.users.lastAdmin] : undefined,
  };
}

function ProviderGone({ name }: { readonly name: string }) {
  return <span class="row-warning">{text.users.providerGone(name)}</span>;
}

function LastLogin({ at }: { readonly at: User['last_login'] }) {
  if (typeof at !== 'number') return <>{text.users.noLogin}</>;
  return (
    <>
      {text.users.lastLogin} <TimeAgo seconds={at} />
    </>
  );
}

/** Why a federated user has the role. */
function roleReasonText(reason: string): string {
  if (reason === 'default_role') return text.users.byDefaultRole;
  if (reason === 'role_removed') return text.users.byRemovedRole;
  const group = /^group (.+)$/s.exec(reason)?.[1];
  return group === undefined ? reason : text.users.byGroup(group);
}
