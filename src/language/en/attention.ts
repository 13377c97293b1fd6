/** What an item has besides its kind, as in the API. */
type Detail = Readonly<Record<string, string | number | null>>;

const moreWait = (count: number) =>
  count < 1 ? '' : count === 1 ? ' One more request waits.' : ` ${count} more requests wait.`;
const days = (count: number) => `${count} day${count === 1 ? '' : 's'}`;

/** What needs attention, by its kind: what it is, and the text of the link to its page. */
export const attention = {
  title: 'Needs attention',
  password_generated: {
    says: () => 'You’re still using the generated password.',
    action: 'Change password',
  },
  first_run: {
    says: ({ count }: Detail) => `${count === 1 ? 'One setup step' : `${count} setup steps`} left`,
    action: 'Continue',
  },
  role_unverified: {
    says: ({ roles, count }: Detail) =>
      count === 1
        ? `The recorder doesn’t agree on the cameras of ${roles} yet, so its lists stay blocked.`
        : `The recorder doesn’t agree on the cameras of ${count} roles yet, so their lists stay blocked (${roles}${Number(count) > 5 ? ', …' : ''}).`,
    action: 'Show roles',
  },
  provider_fault: {
    says: ({ provider, sessions }: Detail) =>
      `${provider} isn’t answering. ${sessions === 1 ? 'One session ends when it expires' : `${sessions} sessions end when they expire`}.`,
    action: '',
  },
  session_not_refreshed: {
    says: ({ provider }: Detail) =>
      `${provider} isn’t answering. When your session expires, you’ll have to sign in again.`,
    action: 'Show account',
  },
  reload_failed: {
    says: ({ problems, first }: Detail) =>
      `The changed config.yml isn’t in use. ${first}.${problems === 1 ? '' : ` It has ${problems} problems: run postern config check.`}`,
    action: '',
  },
  certificate_ends: {
    says: ({ days: left }: Detail) =>
      Number(left) < 0
        ? 'This site’s certificate has expired.'
        : left === 0
          ? 'This site’s certificate expires today.'
          : `This site’s certificate expires in ${days(Number(left))}.`,
    action: '',
  },
  role_undefined: {
    says: ({ roles, users, count }: Detail) =>
      count === 1
        ? `${users} sees every camera: the role ${roles} is missing in the configuration.`
        : `${count} people see every camera (${users}${Number(count) > 5 ? ', …' : ''}): their role is missing in the configuration (${roles}).`,
    action: 'Show users',
  },
  alerts_lost: {
    says: ({ count }: Detail) =>
      count === 1
        ? 'One alert reached its target at no time in a day.'
        : `${count} alerts reached their targets at no time in a day.`,
    action: 'Show alerts',
  },
  access_asked: {
    says: ({ user, camera, count }: Detail) =>
      `${user} asks for the camera ${camera}.${moreWait(Number(count) - 1)}`,
    action: 'Give access',
    decline: 'Decline',
  },
  recorder_away: { says: () => 'The recorder isn’t answering.', action: '' },
  sample_data: {
    says: () => "You're looking at a sample: five drawn cameras and their day.",
    action: 'Connect your recorder',
  },
};
