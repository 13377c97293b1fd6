import * as v from 'valibot';
import { type Ended, type GivenOut, givenOutKinds } from '../accounts/users/recovery.ts';

/** Limits of the number of entries. */
export const pageLimit = v.pipe(
  v.string(),
  v.regex(/^\d{1,3}$/, 'Input should be a number'),
  v.metadata({ type: 'integer', pattern: undefined, minimum: 1, maximum: 500 }),
  v.transform(Number),
  v.minValue(1, 'Input should be at least 1'),
  v.maxValue(500, 'Input should be at most 500'),
);

/** A text compared with many others, while decisions wait. */
export const searchText = v.pipe(
  v.string('Input should be text'),
  // JSON Schema counts code points.
  v.metadata({ maxLength: 256 }),
  v.check((text) => [...text].length <= 256, 'Input should have at most 256 characters'),
);

/** Header with the number of entries that match, on all pages. */
export const totalCount = 'X-Total-Count';

/*
 * Credentials that stay valid when an account is restored to its owner, by a new password, a reset of second factors or the end of all
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

/** The counts by which an answer reports the rest. */
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
