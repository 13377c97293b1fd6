import * as v from 'valibot';
import { apiTokenStates } from '../../api-tokens/listed-api-token.ts';
import { listQuery, newApiToken } from './tokens.ts';
import type { Reference } from '../endpoint.ts';

const moment = (meaning: string) =>
  v.pipe(v.nullable(v.number()), v.description(`Seconds since the epoch; null: ${meaning}.`));
const entry = {
  id: v.string(),
  username: v.pipe(v.string(), v.description('Whose it is.')),
  name: v.string(),
  role: v.string(),
  cameras: v.pipe(v.nullable(v.array(v.string())), v.description('Null: all cameras of the role.')),
  created_at: v.number(),
  expires_at: moment('it does not expire'),
  last_used_at: moment('it was not used yet'),
  last_used_from: v.nullable(v.string()),
  state: v.pipe(
    v.picklist(apiTokenStates),
    v.description('`too_wide`: its role is more than its owner may do by now, and it is refused.'),
  ),
};

export const listApiTokens: Reference = {
  summary: 'List the API tokens',
  description:
    "One's own; for an admin everybody's. `X-Total-Count` of the answer is how many match on all pages.",
  query: listQuery,
  queryParameters: {
    user: 'Of this user only.',
    search: 'Part of the name, the owner or the role; upper and lower case are the same.',
    state: 'Only those that are `good`, `expired` or `too_wide`.',
    limit: '1 to 500; all without it.',
    after: 'Only those behind this one: owner, slash and name of the last of another page.',
  },
  answers: {
    200: { meaning: 'By owner and name.', body: v.array(v.strictObject(entry)) },
    404: { meaning: 'There is no such user, or it is somebody else.' },
  },
};

export const addApiToken: Reference = {
  summary: 'Add an API token',
  description:
    'Its role is not wider than that of whoever asks, and `cameras` may narrow it. It may have `expires_at` or `expires_in_days`.',
  body: newApiToken,
  bodyExample: { name: 'Home automation', role: 'viewer', cameras: ['driveway'], expires_in_days: 90 },
  answers: {
    201: {
      meaning: 'Added. `token` is shown this once.',
      body: v.strictObject({ ...entry, token: v.string() }),
    },
    404: { meaning: '`auth.enabled` is `false`: there are no accounts.' },
    409: { meaning: 'There is one of this name, or there are too many.' },
    429: { meaning: 'Somebody who is no admin made 60 within an hour.' },
  },
};

export const revokeApiToken: Reference = {
  summary: 'Revoke an API token',
  pathParameters: { id: 'Of the API token.' },
  answers: {
    204: { meaning: 'It is refused from the next request on.' },
    404: { meaning: 'There is no such API token, or it is somebody else’s.' },
  },
};
