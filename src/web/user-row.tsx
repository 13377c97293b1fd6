import type { User } from './api-client.ts';
import { useProfile } from './profile.ts';
import { providerName } from './provider-name.ts';
import { Row, RowAction } from './row.tsx';
import { text } from './text.ts';
import { TimeAgo } from './time.tsx';

/** What can be done to a user. */
export type UserAction = 'role' | 'password' | 'block' | 'unblock' | 'reset' | 'delete';

/** A user, with what is known of them and what an admin may do. */
export function UserRow(props: {
  readonly user: User;
  readonly marked: boolean;
  readonly isLastAdmin: boolean;
  readonly open: (action: UserAction) => void;
}) {
  const { user, marked, isLastAdmin, open } = props;
  const { username, role, blocked } = user;
  const isSelf = useProfile().username === username;
  // The provider has the last word on its people.
  const isOfProvider = user.provider !== null;
  const reason = isLastAdmin ? `protected-${username}` : undefined;
  const action = (kind: UserAction, label: string, name: string, more: object = {}) => (
    <RowAction aria-label={label} onClick={() => open(kind)} {...more}>
      {name}
    </RowAction>
  );
  const guarded = { disabled: isLastAdmin, 'aria-describedby': reason };
  return (
    <Row name={username} marked={marked}>
      <div class="row-name long">
        <strong>{username}</strong> {isSelf && <small>{text.users.you}</small>}{' '}
        {blocked === 'admin' && <span class="badge failure">{text.users.isBlocked}</span>}
        {blocked === 'provider' && <span class="badge failure">{text.users.isBlockedByProvider}</span>}
        <div>
          <span class={`badge ${role === 'admin' ? 'strong' : ''}`}>{role}</span>{' '}
          {user.role_reason && <small>{roleReasonText(user.role_reason)}</small>}
        </div>
        <UserFacts user={user} />
      </div>
      <div class="row-actions">
        {!isOfProvider && (
          <>
            {action('role', text.users.changeRoleOf(username), text.users.role, guarded)}
            {action('password', text.users.changePasswordOf(username), text.users.password)}
          </>
        )}
        {user.second_factors.length > 0 &&
          action('reset', text.users.resetFactorsOf(username), text.users.resetFactors)}
        {!isSelf &&
          (blocked === 'admin'
            ? action('unblock', text.users.unblockOf(username), text.users.unblock)
            : action('block', text.users.blockOf(username), text.users.block, guarded))}
        {action('delete', text.users.deleteOf(username), text.users.delete, { danger: true, ...guarded })}
      </div>
      {isLastAdmin && (
        <small class="row-reason" id={reason}>
          {text.users.lastAdmin}
        </small>
      )}
    </Row>
  );
}

function UserFacts({ user }: { readonly user: User }) {
  const { provider, provider_label: label, last_login: lastLogin, second_factors: factors } = user;
  return (
    <div>
      <small>
        {provider !== null && (
          <>
            {label ?? <span class="row-warning">{text.users.providerGone(providerName(provider))}</span>}
            {' · '}
          </>
        )}
        {typeof lastLogin === 'number' ? (
          <>
            {text.users.lastLogin} <TimeAgo seconds={lastLogin} />
          </>
        ) : (
          text.users.noLogin
        )}
        {factors.map((factor) => ` · ${text.users.factors[factor]}`)}
      </small>
    </div>
  );
}

/** Why a person of a provider has the role. */
function roleReasonText(reason: string): string {
  if (reason === 'default_role') return text.users.byDefaultRole;
  if (reason === 'role_removed') return text.users.byRemovedRole;
  const group = /^group (.+)$/s.exec(reason)?.[1];
  return group === undefined ? reason : text.users.byGroup(group);
}
