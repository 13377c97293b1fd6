/** Texts of the steps that led to a decision. Words that operators search for stay as they are in every language. */
export const steps = {
  recorded: (time: string) =>
    `this process no longer has the decision: another process made it, or it was long ago. The audit record of ${time} has who, what and why`,
  internal: 'the internal entry point: anonymous, as admin; identity headers are ignored',
  authenticated: 'the authenticated entry point',
  unidentified: 'no one was identified',
  by: (user: string, source: string) => `${user}, by ${source}`,
  byApiToken: (user: string, id: string) => `${user}, by the API token ${id}`,
  role: (role: string, groups: string) =>
    groups === '' ? role : `${role}, from the groups ${JSON.stringify(groups)}`,
  notUnderstood: (front: string, header: string) =>
    `the authorization request of ${front} can't be read: ${header}`,
  notSaid: "the front didn't send it",
  unsafe: (path: string) => `${path} can't be read safely`,
  request: (method: string | undefined, path: string) => `${method ?? 'no method'} ${path}`,
  row: (pattern: string, level: string, mayChange: boolean, requiresSession: boolean) =>
    `${pattern} is ${level}${mayChange ? ', and anyone who may read it may change it' : ''}${requiresSession ? ', and closed to API tokens' : ''}`,
  stricter: (why: string) => `stricter than a release of the recorder: ${why}`,
  noCameras: 'none',
  notAsked: (ids: string) => `the recorder wasn't asked about ${ids}: the role sees every camera`,
  roleGranted: (cameras: string) => `the role is granted ${cameras}`,
  tokenGranted: (cameras: string) => `the API token is granted ${cameras}`,
  narrowed: (cameras: string) => `narrowed to the granted cameras ${cameras}`,
  may: (granted: string, needed: string, missing: string | undefined) =>
    `allowed: ${granted || 'nothing'}; needed for the path: ${needed || 'nothing'}${missing === undefined ? '' : `; missing: ${missing}`}`,
  schedule: (owner: 'role' | 'token', keys: string, zone: string, isOpen: boolean) =>
    `the schedule of the ${owner === 'role' ? 'role' : 'API token'}: ${keys}, in the time zone ${zone}; it is ${isOpen ? 'open' : 'closed'}`,
  opens: (time: string) => `it opens again ${time}`,
  neverOpens: 'it does not open again by itself',
  narrowedSince: (time: string) => `narrowed to recordings since ${time}`,
  verdict: (outcome: string, reason: string, meaning: string) => `${outcome}: ${reason}, ${meaning}`,
};

export type StepTexts = typeof steps;
