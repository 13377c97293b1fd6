import * as v from 'valibot';
import { coverages } from '../policy/identity-headers.ts';
import { described, flag, text } from './values.ts';

/** The section `assertion` of config.yml. */
export const assertion = {
  enabled: described(
    v.optional(flag, false),
    'Adds `X-Postern-Assertion` to each request that is passed on: a signed token that names the user and the request.',
  ),
  audience: described(
    v.optional(text('what the service behind calls itself')),
    'Audience of the assertions (`aud`), as the service behind expects it, such as `recorder`. Required by `assertion.enabled`.',
  ),
  covers: described(
    v.optional(v.picklist(coverages, `one of ${coverages.join(', ')}`), 'request'),
    'What one assertion covers: one method and one target, or all targets that begin with the same two path segments. The service behind has to expect `prefix` (docs/assertion.md).',
  ),
};
