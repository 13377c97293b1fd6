import type { UserCounts } from '../../api-client.ts';
import { countedUsers } from '../../ui/roles/roles-api.ts';
import { Choice } from '../../ui/forms/field.tsx';
import { numberText } from '../../ui/words.ts';
import { fill, text } from '../../text.ts';
import { providerName } from '../../ui/accounts/user-dialogs.tsx';

type Filter = 'role' | 'provider' | 'blocked';

/** The filters of the user list. One that matches no user is left out, unless it is active. */
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
