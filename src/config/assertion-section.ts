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
    'What one assertion covers: `request`, one method and one target; or `prefix`, one method and all targets that begin with the same two path segments. A `prefix` is signed once a second, not for each request, and the service behind has to expect it (docs/assertion.md).',
  ),
};
