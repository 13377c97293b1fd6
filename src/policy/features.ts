/*
 * Parts of the gate that `features` of config.yml can switch off. This table is the only place that says what belongs to which:
 * routes, access rules, pages and commands follow from it. What a feature has stored stays, and a recovery, a block, a rename, a
 * restore and pruning treat its rows as if it were on.
 */

interface Feature {
  /** Feature without which this one cannot be on. */
  readonly needs?: string;
  /** Subcommand of `postern`. */
  readonly command?: string;
  /** Paths of its endpoints and pages; all paths below them belong to it too. */
  readonly paths: readonly `/postern/${string}`[];
}

const features = {
  api_tokens: { command: 'tokens', paths: ['/postern/api/tokens', '/postern/settings/tokens'] },
  shares: {
    command: 'shares',
    paths: ['/postern/api/shares', '/postern/share', '/postern/account/shares', '/postern/settings/shares'],
  },
  displays: {
    needs: 'api_tokens',
    command: 'displays',
    paths: [
      '/postern/api/displays',
      '/postern/api/wall',
      '/postern/wall',
      '/postern/pair',
      '/postern/settings/displays',
    ],
  },
  invitations: { paths: ['/postern/api/invitations', '/postern/invite'] },
  push: { paths: ['/postern/api/push', '/postern/push.js'] },
  access_requests: { paths: ['/postern/api/access-requests', '/postern/ask'] },
} as const satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;

/** The features that are on. */
export type Features = ReadonlySet<FeatureName>;

export const featureNames = Object.keys(features) as FeatureName[];

export const everyFeature: Features = new Set(featureNames);

const entries = Object.entries(features) as Array<[FeatureName, Feature]>;

/** The features that need another one, which is in the second place. */
export const featureNeeds = entries.flatMap(([name, { needs }]) =>
  needs === undefined ? [] : [[name, needs as FeatureName] as const],
);

/** @returns the feature that a path, or the pattern of one, belongs to; `undefined` if it cannot be switched off */
export function featureAt(path: string): FeatureName | undefined {
  const isAt = (tree: string) => path === tree || path.startsWith(`${tree}/`);
  return entries.find(([, { paths }]) => paths.some(isAt))?.[0];
}

/** Whether a path, or the pattern of one, is no different from an unknown one, since its feature is off. */
export function isSwitchedOff(path: string, on: Features): boolean {
  const feature = featureAt(path);
  return feature !== undefined && !on.has(feature);
}

/** @returns the feature that a subcommand of `postern` manages; `undefined` if it manages none */
export function featureOfCommand(command: string): FeatureName | undefined {
  return entries.find(([, feature]) => feature.command === command)?.[0];
}
