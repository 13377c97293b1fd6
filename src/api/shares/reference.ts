import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { listQuery, newShare, presented } from './bodies.ts';

const seconds = (meaning: string) =>
  v.pipe(v.number(), v.description(`Seconds since the epoch: ${meaning}.`));
const shown = {
  kind: v.picklist(['event', 'export', 'camera']),
  cameras: v.pipe(v.array(v.string()), v.description('What is shown is of these.')),
  label: v.nullable(v.string()),
  from: seconds('what was recorded from then on; of an event or an export, when it began'),
  until: seconds('and until then'),
  expires_at: seconds('the link is good until then'),
};
const listed = v.strictObject({
  id: v.string(),
  ...shown,
  event: v.exactOptional(v.pipe(v.string(), v.description('Of an event.'))),
  export: v.exactOptional(v.pipe(v.string(), v.description('Of an export.'))),
  camera: v.exactOptional(v.pipe(v.string(), v.description('Of a camera.'))),
  has_password: v.boolean(),
  made_by: v.string(),
  made_at: v.number(),
  openings: v.pipe(v.number(), v.description('How often it was opened.')),
  last_opened_at: v.nullable(v.number()),
});
const path = v.exactOptional(v.pipe(v.string(), v.description('Relative to `/postern/share/`.')));
const opened = v.strictObject({
  ...shown,
  media: v.strictObject({ video: path, thumbnail: path, live: path, download: path }),
});

export const listShares: Reference = {
  summary: 'List the shares',
  description:
    "One's own; for an admin everybody's, or with `own` the own ones. An API token gets those that were made by it. Those that are over are not listed.",
  query: listQuery,
  queryParameters: { own: 'Whatever it says: only those of whoever asks.' },
  answers: { 200: { meaning: 'The newest first.', body: v.array(listed) } },
};

export const makeShare: Reference = {
  summary: 'Share an event, an export or a camera',
  description:
    'Whoever has the link sees it, without an account, for as long as whoever made it may see it. Of an event or an export, `id` says which. Of a camera, `from` and `until` say which time of its recordings; live pictures are part of it while that time is. Without them it is the time from now until the link ends.',
  body: newShare,
  bodyExample: {
    kind: 'event',
    id: '1793000276.376447-de8gxd',
    expires_in: 604_800,
    label: 'For the police',
  },
  answers: {
    201: {
      meaning: 'Made. `url` is shown this once: its fragment has the secret.',
      body: v.strictObject({ id: v.string(), url: v.string() }),
    },
    404: { meaning: 'There is nothing of it that whoever asks may see, or shares are turned off.' },
    409: { meaning: 'There are too many already (`shares.most_per_user`).' },
    429: { meaning: 'Somebody who is no admin made 60 within an hour, or there is no room for a hash.' },
  },
};

export const endShare: Reference = {
  summary: 'End a share',
  pathParameters: { id: 'Of the share.' },
  answers: {
    204: {
      meaning:
        'It is over: nothing of it is answered from the next request on, and what is being sent is cut.',
    },
    404: { meaning: 'There is no such share, or it is somebody else’s.' },
  },
};

export const openShare: Reference = {
  summary: 'Open a share',
  description:
    'What the page behind the link does. The cookie that the answer sets is good for the media of this share alone, until it ends, for twelve hours at most.',
  pathParameters: { id: 'Of the share.' },
  body: presented,
  bodyExample: { secret: 'NDCVdBKYbKtL8UOCnGXOnFVwYKwMJjoYhSeMvVf0k0c' },
  answers: {
    200: { meaning: 'Opened. `media` says what there is of it.', body: opened },
    401: { meaning: '`share_password_needed`, or `share_password_wrong`.' },
    404: { meaning: '`share_over`: there is no such share (any more), or the secret is another.' },
    429: { meaning: 'Too many attempts: `auth.failed_login_rate_limit`, counted for shares alone.' },
  },
};
