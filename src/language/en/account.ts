export const account = {
  title: 'Account',
  userName: 'User name',
  role: 'Role',
  cameras: 'Cameras',
  noCameras: 'none',
  what: 'your account',
  password: 'Password',
  signIn: 'Sign-in methods',
  byProvider: (label: string | undefined) =>
    `You sign in with ${label ?? 'a provider'}. Your password and your second factor are changed there.`,
  notRefreshed: (label: string, ends: string) =>
    `${label} could not be asked whether this session may go on: it ends at ${ends}, and you sign in again.`,
  internal: 'You came in by the internal entry point, where nobody logs in. There is no password here.',
  byProxy: 'The proxy in front of this site logs you in: your password is changed there.',
  internalSessions: 'Nobody logs in on the internal entry point: there are no sessions of yours.',
  sessionsByProxy: 'The proxy in front of this site keeps your sessions: they are ended there.',
  oldPassword: 'Old password',
  changed: 'Your password is changed. Your sessions elsewhere have ended.',
  changePassword: 'Change password',
  api: 'API',
  sharesLink: 'What you share by links',
  apiLink: 'What programs may ask of this site',
};
