import * as v from 'valibot';
import { keptMeaning } from '../kept.ts';
import { endingQuery, listQuery } from './sessions.ts';
import type { Reference } from '../endpoint.ts';

const moment = v.pipe(v.number(), v.description('Seconds since the epoch.'));
const session = v.strictObject({
  id: v.string(),
  username: v.string(),
  began_at: moment,
  last_seen_at: moment,
  expires_at: moment,
  address: v.pipe(v.nullable(v.string()), v.description('Of the client, when the session was last seen.')),
  agent: v.pipe(v.nullable(v.string()), v.description('What the client called itself then.')),
  current: v.pipe(v.boolean(), v.description('Whether it is the session that asks.')),
});
const noneOfYours = 'There is no such session, or it is somebody else’s.';

export const listSessions: Reference = {
  summary: 'Who is logged in',
  description: "One's own sessions; for an admin everybody's. Those seen last come first.",
  query: listQuery,
  queryParameters: {
    user: 'Of this user only.',
    search:
      'Every word of it is a part of the user, the address or the client; upper and lower case are the same.',
    limit: '1 to 500.',
    before: 'The `next` of another page.',
  },
  answers: {
    200: {
      meaning: 'A page; it may have fewer sessions than `limit`.',
      body: v.strictObject({
        sessions: v.array(session),
        next: v.pipe(v.nullable(v.string()), v.description('What `before` of the next page is.')),
      }),
    },
    404: { meaning: 'There is no such user, or it is somebody else.' },
    503: { meaning: 'What is known of sessions cannot be read.' },
  },
};

export const endSession: Reference = {
  summary: 'End a session',
  pathParameters: { id: 'Of the session.' },
  answers: {
    204: { meaning: 'It is refused from the next request on.' },
    404: { meaning: noneOfYours },
    503: { meaning: 'What is known of sessions cannot be read.' },
  },
};

export const endSessions: Reference = {
  summary: 'End all sessions of a user',
  description:
    "Without `user`, and with one's own name, all of one's own but the one that asks, which gets a new token in `Set-Cookie`. The API tokens and shares of the user end too, but for those that `keep` names.",
  query: endingQuery,
  queryParameters: {
    user: 'Whose; for admins.',
    keep: keptMeaning,
  },
  answers: {
    204: { meaning: 'They are refused from the next request on.' },
    404: { meaning: 'There is no such user, or it is somebody else.' },
    429: { meaning: 'Somebody who is no admin did so 20 times within a minute.' },
  },
};
