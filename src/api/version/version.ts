import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';

export interface VersionDependencies {
  readonly about: { readonly version: string };
}

/** For integrations that depend on the version. */
export const readVersion = endpoint({
  method: 'get',
  path: '/postern/api/version',
  level: 'any',
  namesNoCamera: true,
  tag: 'Operation',
  summary: 'Get the version of the gate',
  answers: { 200: { meaning: 'As in `package.json`.', body: v.strictObject({ version: v.string() }) } },
  handle:
    ({ about }: VersionDependencies) =>
    () => ({ version: about.version }),
});
