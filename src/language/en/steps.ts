/** What the steps say that led to a decision. Words that operators search for stay as they are in every language. */
export const steps = {
  recorded: (time: string) =>
    `this process does not remember the decision, which is of another one or of long ago: the audit record of ${time} says who, what and why`,
  internal: 'the internal entry point: anonymous and admin, and no identity header is looked at',
  authenticated: 'the authenticated entry point',
  nobody: 'nobody was identified',
  by: (user: string, source: string) => `${user}, by ${source}`,
  byApiToken: (user: string, id: string) => `${user}, by the API token ${id}`,
  role: (role: string, groups: string) =>
    groups === '' ? role : `${role}, from the groups ${JSON.stringify(groups)}`,
  notUnderstood: (front: string, header: string) =>
    `the authorization request of ${front} is not understood: ${header}`,
  notSaid: 'the front did not say it',
  unsafe: (path: string) => `${path} cannot be read safely`,
  request: (method: string | undefined, path: string) => `${method ?? 'no method'} ${path}`,
  row: (pattern: string, level: string, mayChange: boolean, requiresSession: boolean) =>
    `${pattern} is ${level}${mayChange ? ', and may be changed by whoever may read it' : ''}${requiresSession ? ', and closed to API tokens' : ''}`,
  stricter: (why: string) => `stricter than a release of the recorder: ${why}`,
  noCameras: 'none',
  notAsked: (ids: string) => `the recorder was not asked about ${ids}: the role sees all`,
  roleGranted: (cameras: string) => `the role is granted ${cameras}`,
  tokenGranted: (cameras: string) => `the API token is granted ${cameras}`,
  narrowed: (cameras: string) => `narrowed to ${cameras}, which are granted`,
  window: (keys: string, zone: string, isOpen: boolean) =>
    `the window of the role: ${keys}, in the time zone ${zone}; at this moment it is ${isOpen ? 'open' : 'closed'}`,
  narrowedSince: (time: string) => `narrowed to what was recorded since ${time}`,
  verdict: (outcome: string, reason: string, meaning: string) => `${outcome}: ${reason}, ${meaning}`,
};

export type StepTexts = typeof steps;
