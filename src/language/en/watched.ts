/** Settings > Audit > Watching. */
export const watched = {
  title: 'Watching',
  what: 'who watched what',
  caption: 'Who watched what',
  toAudit: 'All audit records',
  watched: (user: string, camera: string) => `${user} watched ${camera}`,
  live: 'Live',
  recording: (from: string, to: string) => `Recording of ${from} to ${to}`,
  recorded: 'Recording',
  stretch: (from: string, to: string) => `${from} to ${to}`,
  none: 'No one has watched yet',
  off: 'Watching is not recorded',
  offHint: 'Set audit.viewing to true in config.yml. Let the people who use your cameras know.',
  ways: {
    internal: 'internal entry point',
    proxy: 'proxy',
    session: 'signed in',
    bearer: 'session token',
    'api-token': 'API token',
    display: 'display',
    share: 'share',
  },
};
