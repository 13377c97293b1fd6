import * as v from 'valibot';
import { lookupQuery, recentQuery } from '../../events/event-query.ts';
import type { ForeignEndpoint } from '../endpoint.ts';

const text = v.string();
const event = v.strictObject({
  id: text,
  label: text,
  sub_label: v.nullable(text),
  camera: text,
  start_time: v.pipe(v.number(), v.description('Seconds since the epoch.')),
  end_time: v.pipe(
    v.nullable(v.number()),
    v.description('Seconds since the epoch; null while the event continues.'),
  ),
  false_positive: v.nullable(v.boolean()),
  zones: v.array(text),
  thumbnail: v.pipe(v.nullable(text), v.description('Base64 of a JPEG.')),
  has_clip: v.boolean(),
  has_snapshot: v.boolean(),
  retain_indefinitely: v.boolean(),
  plus_id: v.nullable(text),
  model_hash: v.nullable(text),
  detector_type: v.nullable(text),
  model_type: v.nullable(text),
  data: v.record(v.string(), v.unknown()),
});
const cameras = 'Comma-separated or repeated. A camera outside the grant is refused with 403.';
const otherAnswers = {
  429: { meaning: 'The user has 64 such requests open: try again after `Retry-After` seconds.' },
  503: { meaning: "The recorder's database cannot be read." },
};

export const lookUpEvents: ForeignEndpoint = {
  method: 'get',
  path: '/api/event_ids',
  level: 'any',
  tag: 'Events',
  summary: 'Get events by id',
  description:
    'They come in the order of the request, without unknown ids. One event of a camera outside the grant refuses the whole request.',
  query: lookupQuery,
  queryParameters: {
    ids: '1 to 1,000 ids of at most 64 characters, comma-separated or repeated.',
    cameras,
  },
  answers: { 200: { meaning: 'The events that exist.', body: v.array(event) }, ...otherAnswers },
};

export const listRecentEvents: ForeignEndpoint = {
  method: 'get',
  path: '/api/events',
  level: 'any',
  tag: 'Events',
  summary: 'List recent events',
  description:
    'The newest come first, from the cameras that you may see. At most 2,000 events are searched: a list may end before `limit`, or be empty, while older events match. As long as there may be more, the header `Link` has the query of the next page, as `rel="next"` (RFC 8288). `x-postern-media: none` means that no server behind Postern has pictures and clips of events; a recorder has them at `/api/events/{id}/snapshot.jpg`, `clip.mp4` and `thumbnail.jpg`.',
  query: recentQuery,
  queryParameters: {
    cameras,
    label: 'Events of this label only. Ignored together with `labels`.',
    labels: 'Comma-separated or repeated, 100 at most: events of these labels only. `all` does not filter.',
    after: 'Events that started after this moment, in seconds since the epoch.',
    before: 'Events that started before this moment, in seconds since the epoch.',
    before_id: 'Continues after this event among those that started at `before`.',
    limit: '1 to 100.',
    include_thumbnails: 'With 0, `thumbnail` is null.',
  },
  answers: { 200: { meaning: 'The events.', body: v.array(event) }, ...otherAnswers },
};
