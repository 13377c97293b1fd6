import * as v from 'valibot';
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
};
