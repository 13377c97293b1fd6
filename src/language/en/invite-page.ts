/** For someone who opens an invitation. */
export const invitePage = {
  pageTitle: 'Invitation',
  invitesYou: (by: string) => `${by} invites you to`,
  opening: 'Opening the invitation…',
  canUse: (cameras: string, may: string, when: string) => `You can use ${cameras}: ${may}${when}.`,
  userName: 'User name',
  joinPasskey: 'Join with a passkey',
  joinPassword: 'Join',
  usePassword: 'Use a password instead',
  usePasskey: 'Use a passkey instead',
  password: 'Password',
  over: 'This invitation is over',
  overHint:
    'Each invitation works once, for a time. If it was you who used it, sign in. If not, ask for a new one.',
  signIn: 'Sign in',
  incomplete: 'Part of this link is missing',
  incompleteHint: 'Copy the whole link from the message, then open it again.',
  failed: 'The invitation couldn’t be opened',
};
