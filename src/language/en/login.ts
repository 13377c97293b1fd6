export const login = {
  title: 'Log in',
  logIn: 'Log in',
  user: 'User name',
  password: 'Password',
  wrong: 'Login failed: the user name or the password is wrong.',
  retryIn: (wait: string) => `Try again in ${wait}`,
  ended: 'Your session has ended. Log in to go on where you were.',
  proxy: 'The proxy in front of this site logs users in.',
  goOn: 'Go on',
  contact: 'No account? Ask',
  /** Around the name of the user. */
  generated: ['The generated password of', "is in Postern's log. This hint goes away once it has been used."],
};
