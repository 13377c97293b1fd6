/** Texts of the pages of refusals, which are not part of the UI. */
export const refusals = {
  /** By the code of an error; `unavailable` is any other 503, and `other` is what is left. */
  texts: {
    bad_request: {
      title: "That request doesn't work",
      text: "Your browser, or a proxy on the way, sent something that Postern can't accept.",
    },
    unauthenticated: { title: 'Sign in first', text: 'Only people who are signed in can see this.' },
    forbidden: {
      title: "This isn't shared with you",
      text: "You can't open this page, or do this, with your account.",
    },
    screen: {
      title: 'This screen only shows cameras',
      text: 'To open anything else here, sign in with your account.',
    },
    outside_schedule: {
      title: 'Closed now',
      text: "You have access on certain days or at certain hours. There's no need to sign in again.",
    },
    stopped: {
      title: 'Stopped for now',
      text: "An admin has stopped this for a while. There's no need to sign in again.",
    },
    sign_on_unfinished: {
      title: 'Sign in again',
      text: 'That took longer than ten minutes, was finished before, or began in another browser.',
    },
    sign_on_refused: {
      title: "You're not signed in",
      text: "The provider didn't sign you in, or you cancelled there.",
    },
    sign_on_name: {
      title: "That user name doesn't work here",
      text: "The provider signed you in, but your user name there can't be used here. Your administrator can help.",
    },
    sign_on_no_access: {
      title: 'This account has no access',
      text: 'The provider signed you in, but that account has no access here. Your administrator can help.',
    },
    sign_on_failed: {
      title: "Signing in didn't work",
      text: "The provider sent an answer that Postern can't use. Your administrator finds more in the log.",
    },
    sign_on_away: {
      title: "The provider doesn't answer",
      text: "The service that signs you in doesn't answer. It may be starting, or switched off.",
    },
    host_unknown: {
      title: 'This address has another name',
      text: "Use port 8971 instead. This is the internal entry point, where everyone is admin, and it doesn't answer to the name in the address bar. Add a name of your own network to networking.internal_hosts.",
    },
    not_found: { title: "There's nothing here", text: 'Check the address, or go back to your cameras.' },
    payload_too_large: { title: "That's too large", text: 'Postern takes less than what was sent.' },
    too_many_requests: { title: 'Too many tries', text: 'Wait a moment before you try again.' },
    internal: {
      title: 'Something went wrong',
      text: "Postern couldn't finish this. Your administrator finds more in the log.",
    },
    upstream_unavailable: {
      title: "The recorder doesn't answer",
      text: "Postern is running, but the recorder isn't answering. It may be starting, or switched off.",
    },
    loop_detected: {
      title: "The recorder's address leads back here",
      text: 'Postern is set up to ask itself instead of the recorder. Your administrator finds more in the log.',
    },
    upstream_busy: { title: 'The recorder is busy', text: 'All connections to it are in use right now.' },
    session_not_ended: {
      title: "You're signed out here only",
      text: "This browser is signed out, but Postern couldn't end the session. It stays valid until it expires.",
    },
    unavailable: {
      title: 'Not available right now',
      text: "Postern can't read or save something that this page needs.",
    },
    gate_away: {
      title: "Postern doesn't answer",
      text: "The web server is running, but Postern isn't answering, and nothing gets through without it. It may be starting.",
    },
    other: { title: "That didn't work", text: "Postern couldn't do this." },
  },
  opens: (when: string) => `Opens ${when}`,
  closedSince: (when: string) => `Closed since ${when}`,
  stoppedUntil: (when: string) => `Stopped until ${when}`,
  loggedInAs: "You're signed in as",
  role: 'role',
  isScreen: 'This is the screen',
  askFor: 'Ask for access',
  askedFor: 'You asked for access',
  internal: 'Everyone who reaches this internal entry point is an admin.',
  proxyLogsIn: 'The proxy in front of this site signs you in.',
  whomToAsk: 'Need help? Ask',
  retryIn: (seconds: number) =>
    seconds === 1 ? 'Try again in one second.' : `Try again in ${seconds} seconds.`,
  again: 'Try again',
  logIn: 'Sign in',
  logInLocally: 'Sign in with a password',
  logOut: 'Sign out',
  logInAsOther: 'Sign in as someone else',
  home: 'Your cameras',
  wall: 'Show the cameras',
  account: 'Your account',
  start: 'Open the recorder',
  decision: 'Code for your administrator:',
  copy: 'Copy',
  copied: 'Copied',
};

export type RefusalTexts = typeof refusals;
