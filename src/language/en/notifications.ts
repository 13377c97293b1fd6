/** Alerts: where they go, what a user gets, and asking for a camera. */
export const notifications = {
  what: 'where alerts go',
  hint: 'Postern alerts you when something happens to an account, or when something stops working.',
  none: 'Alerts go nowhere yet. Add a webhook, an ntfy topic or a mail server to notifications.targets in config.yml.',
  caption: 'Targets',
  kinds: { webhook: 'Webhook', ntfy: 'ntfy', mail: 'Mail' },
  kind: 'Type',
  host: 'Host',
  result: 'Last test',
  notTested: 'Not tested',
  sent: 'Sent',
  failed: (fault: string) => `Failed: ${fault}`,
  lost: (count: number) =>
    count === 1
      ? 'One alert of the last week was given up after a day.'
      : `${count} alerts of the last week were given up after a day.`,
  test: 'Send a test',
  tested: (count: number): string =>
    count === 0 ? 'The test was sent.' : 'The test did not reach every target.',
  own: {
    title: 'Alerts',
    what: 'your alerts',
    email: 'E-mail address',
    emailHint: 'You get a mail when someone signs in on a new device, or when your account changes.',
    ofProvider: (email: string) => `Alerts of your account go to ${email}, the address at your provider.`,
    save: 'Save address',
    saved: 'Alerts of your account go there from now on.',
    cleared: 'You get no mail from now on.',
  },
  push: {
    title: 'Notifications on this browser',
    on: 'Switch on',
    off: 'Switch off',
    isOn: 'This browser gets a notification for each alert of your cameras.',
    isOff: 'Get a notification for each alert of your cameras, while Postern is closed too.',
    denied: 'Your browser blocks notifications from this site. Allow them in its settings, then try again.',
    failed: 'Your browser could not reach its push service.',
    unsupported:
      'This browser has no notifications here. On an iPhone, add this page to the Home Screen first; elsewhere this site needs https.',
    what: 'notifications',
  },
  ask: {
    title: (camera: string) => `Ask for ${camera}`,
    noCamera: 'Which camera?',
    hint: 'An admin sees your request, and decides. You can ask for a camera once a day.',
    ask: 'Ask for access',
    askAgain: 'Ask again',
    asked: (camera: string) => `You asked for ${camera}`,
    askedHint: (when: string) =>
      `You asked ${when}, and an admin can see it. You can ask for a camera once a day.`,
    notYet: (when: string) => `You asked ${when}. No one has answered yet.`,
    yours: (camera: string) => `You can see ${camera}`,
    watch: 'Open the camera',
    what: 'your requests',
  },
};
