import * as v from 'valibot';
import { givenOutKinds, type Ended, type GivenOut } from '../accounts/users/recovery.ts';

/*
 * What stays valid when an account is restored to its owner, by a new password, a reset of second factors or the end of all
 * sessions.
 */

const kinds = `Input should be ${givenOutKinds.join(' or ')}`;
const kind = v.picklist(givenOutKinds, kinds);
/** The query parameter `keep`. */
export const keptMeaning = 'What stays valid of what the user has given out, separated by commas.';

/** `keep` in a body. */
export const keptList = v.optional(
  v.pipe(
    v.array(kind, 'Input should be a list'),
    v.description('What stays valid of what the user has given out. The rest ends.'),
  ),
  [],
);

/** `keep` in a query: separated by commas. */
export const keptQuery = v.optional(
  v.pipe(
    v.string(),
    v.metadata({ pattern: `^(?:${givenOutKinds.join('|')})(?:,(?:${givenOutKinds.join('|')}))*$` }),
    v.rawTransform(({ dataset, addIssue, NEVER }): GivenOut[] => {
      const named = dataset.value === '' ? [] : dataset.value.split(',');
      const parsed = v.safeParse(v.array(kind), named);
      if (parsed.success) return parsed.output;
      addIssue({ message: kinds });
      return NEVER;
    }),
  ),
  '',
);

/** What an answer reports about the rest. */
export const endedCounts = {
  shares_ended: v.pipe(v.number(), v.description('How many shares ended with it.')),
  api_tokens_ended: v.pipe(v.number(), v.description('How many API tokens ended with it.')),
  displays_ended: v.pipe(v.number(), v.description('How many displays ended with it.')),
  invitations_ended: v.pipe(v.number(), v.description('How many open invitations ended with it.')),
  alert_addresses_ended: v.pipe(
    v.number(),
    v.description('1: the address for alerts of the account was removed. One of a provider stays.'),
  ),
} satisfies Record<keyof Ended, v.GenericSchema>;
