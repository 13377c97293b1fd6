/** What an item says beside its kind, as the API has it. */
type Detail = Readonly<Record<string, string | number | null>>;

const days = (count: number) => `${count} day${count === 1 ? '' : 's'}`;

/** What needs attention, by its kind: what it is, and what the link to its page says. */
export const attention = {
  title: 'Needs attention',
  password_generated: {
    says: () => 'Your password is still the one that the log has told.',
    action: 'Change password',
  },
  first_run: {
    says: ({ count }: Detail) =>
      `${count === 1 ? 'One step' : `${count} steps`} of the first run ${count === 1 ? 'is' : 'are'} open.`,
    action: 'Go on',
  },
  role_unverified: {
    says: ({ roles, count }: Detail) =>
      count === 1
        ? `The recorder has not confirmed the cameras of the role ${roles}: its lists stay closed.`
        : `The recorder has not confirmed the cameras of ${count} roles: their lists stay closed (${roles}${Number(count) > 5 ? ', …' : ''}).`,
    action: 'Show roles',
  },
  provider_fault: {
    says: ({ provider, sessions }: Detail) =>
      `${provider} could not be asked about ${sessions === 1 ? 'one session' : `${sessions} sessions`}: ${sessions === 1 ? 'it ends' : 'they end'} when the time is over.`,
    action: '',
  },
  session_not_refreshed: {
    says: ({ provider }: Detail) =>
      `${provider} could not be asked about your session: it ends when its time is over, and you log in again.`,
    action: 'Show account',
  },
  reload_failed: {
    says: ({ problems }: Detail) =>
      `The changed configuration was not taken over: ${problems === 1 ? 'one problem' : `${problems} problems`}.`,
    action: 'Show configuration',
  },
  certificate_ends: {
    says: ({ days: left }: Detail) =>
      Number(left) < 0
        ? 'The certificate of this site has ended.'
        : left === 0
          ? 'The certificate of this site ends today.'
          : `The certificate of this site ends in ${days(Number(left))}.`,
    action: '',
  },
  sample_data: {
    says: () => 'These events are a sample.',
    action: 'Connect your recorder',
  },
};
