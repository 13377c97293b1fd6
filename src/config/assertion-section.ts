import * as v from 'valibot';
import { coverages } from '../policy/identity-headers.ts';
import { described, flag, text } from './values.ts';

/** The section `assertion` of config.yml. */
export const assertion = {
  enabled: described(
    v.optional(flag, false),
    'Adds `X-Postern-Assertion` to each request that is passed on: who asks for what, signed, so that the service behind can check that the gate has let it through (docs/assertion.md).',
  ),
  audience: described(
    v.optional(text('what the service behind calls itself')),
    'For whom assertions are (`aud`): a name that the service behind expects, such as `recorder`. `assertion.enabled` needs it.',
  ),
  covers: described(
    v.optional(v.picklist(coverages, `one of ${coverages.join(', ')}`), 'request'),
    'What one assertion covers: `request`, one method and one target; or `prefix`, one method and all targets that begin with the same two path segments. A `prefix` is signed once a second, not for each request, and the service behind has to expect it (docs/assertion.md).',
  ),
};
