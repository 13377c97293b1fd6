import type { Person, User, UserCounts } from '../../api-client.ts';
import { accessText, faceStateOf, watchingText } from '../../ui/people/access-text.ts';
import { Face } from '../../ui/people/face.tsx';
import { personPath } from '../../ui/roles/role-paths.ts';
import { ownAccessText } from '../../ui/roles/schedule.ts';
import { providerName } from '../../ui/accounts/provider-name.ts';
import type { Columns } from '../../ui/lists/column-table.tsx';
import type { RowAction } from '../../ui/lists/row-menu.tsx';
import { listText, numberText } from '../../ui/words.ts';
import { fill, text } from '../../text.ts';
import { TimeAgo } from '../../ui/parts.tsx';
import { countedUsers } from '../../ui/roles/roles-api.ts';
import { Choice } from '../../ui/forms/field.tsx';

/** Actions on a user. */
export type UserAction = 'role' | 'password' | 'block' | 'unblock' | 'reset' | 'delete';

interface Circumstances {
  readonly personOf: (username: string) => Person | undefined;
  readonly self: string;
  readonly isLastAdmin: (user: User) => boolean;
  readonly open: (action: UserAction, user: User) => void;
}

/** People with the actions of an admin. */
export function peopleColumns({ self, personOf, isLastAdmin, open }: Circumstances): Columns<User> {
  const words = text.users.columns;
  return {
    class: 'users',
    keyOf: ({ username }) => username,
    columns: [
      {
        title: words.name,
        isName: true,
        sort: { name: 'name', of: ({ username }) => username },
        cell: (user) => <Name user={user} person={personOf(user.username)} isSelf={user.username === self} />,
      },
      {
        title: words.sees,
        sort: { name: 'role', of: ({ role }) => role },
        cell: (user) => (
          <>
            {seesText(user, personOf(user.username))}
            {user.role_reason && <small class="muted"> {roleReasonText(user.role_reason)}</small>}
          </>
        ),
      },
      {
        title: words.signsIn,
        isWide: true,
        sort: { name: 'signs-in', of: signsInText },
        cell: signsInText,
      },
      {
        title: words.seen,
        sort: { name: 'seen', of: ({ last_login: at }) => (typeof at === 'number' ? at : null) },
        cell: ({ username, last_login: at }) => {
          const [watched] = personOf(username)?.watched.now ?? [];
          if (watched !== undefined && username !== self) return <Watching cameras={watched.cameras} />;
          return typeof at === 'number' ? <TimeAgo seconds={at} /> : text.users.neverSignedIn;
        },
      },
    ],
    actions: (user) => actionsOf(user, user.username === self, isLastAdmin(user), open),
    reasonOf: (user) => (isLastAdmin(user) ? text.users.lastAdmin : undefined),
  };
}

function actionsOf(
  user: User,
  isSelf: boolean,
  disabled: boolean,
  open: Circumstances['open'],
): ReadonlyArray<RowAction | false> {
  const { username, blocked, provider } = user;
  // The provider manages its users.
  const isOfProvider = provider !== null;
  const action = (kind: UserAction, label: string, name: string) => ({
    label,
    name,
    onClick: () => open(kind, user),
  });
  return [
    !isOfProvider && {
      ...action('role', fill(text.users.changeRoleOf, { user: username }), text.users.changeRole),
      disabled,
    },
    !isOfProvider &&
      action('password', fill(text.users.changePasswordOf, { user: username }), text.users.changePassword),
    user.second_factors.length > 0 &&
      action('reset', fill(text.users.resetFactorsOf, { user: username }), text.users.resetFactors),
    !isSelf &&
      (blocked === 'admin'
        ? action('unblock', fill(text.users.unblockOf, { user: username }), text.users.unblock)
        : { ...action('block', fill(text.users.blockOf, { user: username }), text.users.block), disabled }),
    {
      ...action('delete', fill(text.users.deleteOf, { user: username }), text.users.delete),
      danger: true,
      disabled,
    },
  ];
}

/** @param person undefined for a user who was added since */
function seesText({ role, own_access: own }: User, person: Person | undefined): string {
  if (person !== undefined) return accessText(person);
  return own === null ? role : ownAccessText(own);
}

function Watching({ cameras }: { readonly cameras: readonly string[] }) {
  return <span dir="auto">{watchingText(cameras)}</span>;
}

interface NameProps {
  readonly user: User;
  readonly person: Person | undefined;
  readonly isSelf: boolean;
}

function Name({ user, person, isSelf }: NameProps) {
  const { username, blocked, provider, provider_label: label } = user;
  return (
    <span class="named">
      <Face name={username} state={person === undefined ? 'plain' : faceStateOf(person)} size="small" />
      <a class="plain" href={personPath(username)}>
        <strong>{username}</strong>
      </a>
      {isSelf && <span class="tag">{text.users.you}</span>}
      {blocked === 'admin' && <span class="tag danger">{text.users.isBlocked}</span>}
      {blocked === 'provider' && <span class="tag danger">{text.users.isBlockedByProvider}</span>}
      {provider !== null && label === null && (
        <span class="tag danger" title={fill(text.users.providerGone, { provider: providerName(provider) })}>
          {text.users.cannotSignIn}
        </span>
      )}
    </span>
  );
}

function signsInText({ provider, provider_label: label, second_factors: factors }: User): string {
  const first = provider === null ? text.users.withPassword : (label ?? providerName(provider));
  return listText([first, ...factors.map((factor) => text.users.factors[factor])]);
}

/** Why a federated user has the role. */
function roleReasonText(reason: string): string {
  if (reason === 'default_role') return text.users.byDefaultRole;
  if (reason === 'role_removed') return text.users.byRemovedRole;
  const group = /^group (.+)$/s.exec(reason)?.[1];
  return group === undefined ? reason : fill(text.users.byGroup, { group });
}

type Filter = 'role' | 'provider' | 'blocked';

/** The filters of the user list. It leaves out a filter that matches no user, unless it is active. */
export function UserFilters(props: {
  readonly filters: Readonly<Record<Filter, string>>;
  readonly setFilters: (changes: Partial<Record<Filter, string>>) => void;
  readonly roles: readonly string[];
  readonly counts: UserCounts;
}) {
  const { filters, setFilters, roles, counts } = props;
  const providers = counts.by_provider.map(
    ({ provider, provider_label: label, count }) =>
      [
        provider,
        fill(text.users.atProvider, { provider: label ?? providerName(provider), count: numberText(count) }),
      ] as const,
  );
  const choice = (name: Filter, label: string, options: ReadonlyArray<readonly [string, string]>) => {
    const value = filters[name];
    const isKnown = options.some(([option]) => option === value);
    return (
      <Choice
        label={label}
        options={[...options, ...(isKnown ? [] : [[value, value] as const])]}
        value={value}
        onChange={(event) => setFilters({ [name]: event.currentTarget.value })}
      />
    );
  };
  return (
    <>
      {choice('role', text.users.role, [
        ['', text.users.anyRole],
        ...[...new Set([...roles, filters.role].filter(Boolean))].map(
          (role) => [role, `${role} (${countedUsers(counts.by_role[role] ?? 0)})`] as const,
        ),
      ])}
      {(providers.length > 0 || filters.provider !== '') &&
        choice('provider', text.users.signsInBy, [
          ['', text.users.anyProvider],
          ['none', text.users.here],
          ...providers,
        ])}
      {(counts.blocked > 0 || filters.blocked !== '') &&
        choice('blocked', text.users.access, [
          ['', text.users.anyAccess],
          ['true', fill(text.users.blockedOnes, { count: numberText(counts.blocked) })],
          ['false', text.users.otherOnes],
        ])}
    </>
  );
}
