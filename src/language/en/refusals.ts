/** What the pages of refusals say: the gate's alone, no part of the UI. */
export const refusals = {
  /** By the code of an error; `unavailable` is any other 503, and `other` is whatever is left. */
  texts: {
    bad_request: {
      title: 'Bad request',
      text: 'The browser, or a proxy on the way, has sent something that Postern does not accept.',
    },
    unauthenticated: {
      title: 'Authentication required',
      text: 'Only people who are logged in may see this.',
    },
    forbidden: {
      title: 'Access denied',
      text: 'You are not allowed to open this page, or to do what you asked for.',
    },
    outside_window: {
      title: 'Not at this time',
      text: 'Your role has access on certain days or at certain hours, and this is none of them. You need not log in again.',
    },
    sign_on_unfinished: {
      title: 'Log in again',
      text: 'This login is over: it took longer than ten minutes, was finished before, or began in another browser.',
    },
    sign_on_refused: {
      title: 'Not logged in',
      text: 'The provider has not logged you in, or you have cancelled there.',
    },
    sign_on_name: {
      title: 'Your user name cannot be used here',
      text: 'The provider has logged you in, but your user name there cannot be used here. Ask an administrator of this site.',
    },
    sign_on_no_access: {
      title: 'No access with this account',
      text: 'The provider has logged you in, but your account there has no access here. Ask an administrator of this site.',
    },
    sign_on_failed: {
      title: 'The login did not work',
      text: 'The provider has answered something that Postern cannot use. Its log tells an administrator more.',
    },
    sign_on_away: {
      title: 'The provider does not answer',
      text: 'The provider that logs you in does not answer. It may be starting, or switched off.',
    },
    host_unknown: {
      title: 'Unknown name',
      text: 'The internal entry point does not know the name in the address bar: add the host to networking.internal_hosts.',
    },
    not_found: { title: 'Not found', text: 'There is nothing at this address.' },
    payload_too_large: { title: 'The body is too large', text: 'Postern takes less than what was sent.' },
    too_many_requests: { title: 'Too many attempts', text: 'There were too many attempts in a short time.' },
    internal: {
      title: 'Internal error',
      text: 'Something went wrong inside Postern. Its log tells an administrator more.',
    },
    upstream_unavailable: {
      title: 'The recorder does not answer',
      text: 'Postern is running, but the recorder behind it does not answer. It may be starting, or switched off.',
    },
    upstream_busy: {
      title: 'The recorder is busy',
      text: 'Too many connections to the recorder are in use at this moment.',
    },
    session_not_ended: {
      title: 'Logged out here only',
      text: 'This browser is logged out, but the session could not be ended: it is good until it expires.',
    },
    unavailable: {
      title: 'Not available at the moment',
      text: 'Postern cannot read or save something that this page needs.',
    },
    gate_away: {
      title: 'Postern does not answer',
      text: 'The web server is running, but Postern does not answer it, and nothing passes without Postern. It may be starting.',
    },
    other: { title: 'That did not work', text: 'Postern could not do what was asked for.' },
  },
  loggedInAs: 'You are logged in as',
  role: 'role',
  internal: 'Everybody who reaches this internal entry point is admin.',
  proxyLogsIn: 'The proxy in front of this site logs users in.',
  whomToAsk: 'Whom to ask:',
  retryIn: (seconds: number) =>
    seconds === 1 ? 'Try again in one second.' : `Try again in ${seconds} seconds.`,
  again: 'Try again',
  logIn: 'Log in',
  logInLocally: 'Log in with a password',
  logOut: 'Log out',
  logInAsOther: 'Log in as somebody else',
  home: 'Home of Postern',
  account: 'Your account',
  start: 'Start page',
  decision: 'Decision',
  decisionMeans: 'By this id, an administrator finds the reason.',
  copy: 'Copy',
  copied: 'Copied',
  status: (status: number) => `Error ${status}`,
};

export type RefusalTexts = typeof refusals;
