export const exchanges = {
  title: 'Other open streams',
  titleHint:
    'Streams of programs, of people whom a proxy logs in, of shares and of the internal entry point. Those of a session stand with the session.',
  open: 'Open now',
  watching: (what: string) => `watching ${what}`,
  replaying: (what: string | undefined) => `playing a recording${what === undefined ? '' : ` of ${what}`}`,
  updates: 'receiving updates of the recorder',
  loading: (path: string) => `loading ${path}`,
  livePictures: 'live pictures',
  allCameras: 'all cameras',
  since: (clock: string) => `since ${clock}`,
  share: 'A share',
  nobody: 'Unknown user',
  source: {
    'api-token': 'API token',
    bearer: 'session token of a program',
    internal: 'internal entry point',
    proxy: 'logged in by the proxy',
    session: 'session that is not in this list',
  },
  cut: 'Cut',
  cutOf: (what: string, user: string) => `Cut: ${user}, ${what}`,
  cutQuestion: 'Cut this stream?',
  cutIt: 'Cut stream',
  cutMeans: (user: string) =>
    `It ends at once. A player that connects again by itself will do so while ${user} may watch: to prevent that, end the session, block the user or change the role.`,
  cutMeansOfShare:
    'It ends at once. A player that connects again by itself will do so while the share is good: to prevent that, end the share.',
  wasCut: (what: string) => `The stream was cut: ${what}.`,
  notRead: 'What is open could not be read.',
};
