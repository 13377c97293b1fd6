import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import { featureNames } from '../../policy/features.ts';
import { endpoint } from '../endpoint.ts';

export interface VersionDependencies {
  readonly about: { readonly version: string };
  readonly settings: Pick<Settings, 'features' | 'zone'>;
}

/** Tells integrations the version that they depend on. */
export const readVersion = endpoint({
  method: 'get',
  path: '/postern/api/version',
  level: 'any',
  namesNoCamera: true,
  tag: 'Operation',
  summary: 'Get the version of Postern',
  answers: {
    200: {
      meaning: 'The version as in `package.json`.',
      body: v.strictObject({
        version: v.string(),
        timezone: v.pipe(
          v.string(),
          v.description('IANA name of the time zone in which schedules have their dates and hours.'),
        ),
        features: v.pipe(
          v.array(v.picklist(featureNames)),
          v.description('What is on, of the parts that `features` of `config.yml` can switch off.'),
        ),
      }),
    },
  },
  handle:
    ({ about, settings }: VersionDependencies) =>
    () => ({ version: about.version, timezone: settings.zone, features: [...settings.features] }),
});
