export const account = {
  title: 'Account',
  userName: 'User name',
  role: 'Role',
  cameras: 'Cameras',
  noCameras: 'none',
  what: 'your account',
  displays: 'your displays',
  alerts: 'your alerts',
  password: 'Password',
  signIn: 'Sign-in methods',
  byProvider: (label: string | undefined) =>
    `You sign in with ${label ?? 'a provider'}. Your password and your second factor are changed there.`,
  notRefreshed: (label: string, ends: string) =>
    `${label} isn’t answering. This session ends at ${ends}, and then you sign in again.`,
  internal: 'You came in by the internal entry point, where no one signs in. There’s no password here.',
  byProxy: 'The proxy in front of this site signs you in. Change your password there.',
  internalSessions: 'No one signs in on the internal entry point, so you have no sessions here.',
  sessionsByProxy: 'The proxy in front of this site keeps your sessions. End them there.',
  oldPassword: 'Old password',
  changed: 'Your password is changed. You’re signed out everywhere else.',
  changePassword: 'Change password',
  sharesLink: 'What you share by link',
};
