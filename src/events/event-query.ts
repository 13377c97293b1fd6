import * as v from 'valibot';

const commaSeparated = v.pipe(
  v.union([v.string(), v.array(v.string())], 'Input should be a comma-separated list'),
  v.transform((values) => [
    ...new Set(
      [values]
        .flat()
        .flatMap((value) => value.split(','))
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    ),
  ]),
);

/** A filter that names nothing is no filter, and neither is `all`, which recorders' clients send. */
const cameraFilter = v.optional(
  v.pipe(
    commaSeparated,
    v.transform((cameras) => (cameras.length === 0 || cameras.includes('all') ? undefined : cameras)),
  ),
);

const single = v.string('Input should be given once');
const finiteNumber = v.pipe(
  single,
  v.regex(/^[+-]?\d+(?:\.\d+)?$/, 'Input should be a number'),
  v.transform(Number),
);

/** `GET /api/event_ids` */
export const lookupQuery = v.object({
  ids: v.pipe(
    commaSeparated,
    v.minLength(1, 'List should have at least 1 id'),
    v.maxLength(1_000, 'List should have at most 1000 ids'),
    v.everyItem((id) => [...id].length <= 64, 'An id should have at most 64 characters'),
  ),
  cameras: cameraFilter,
});

/** `GET /api/events` */
export const recentQuery = v.object({
  cameras: cameraFilter,
  label: v.optional(single),
  before: v.optional(finiteNumber),
  /** Goes on after this event among those that started at `before`; without `before` it means nothing. */
  before_id: v.optional(single),
  limit: v.optional(
    v.pipe(
      finiteNumber,
      v.integer('Input should be a whole number'),
      v.minValue(1, 'Input should be at least 1'),
      v.maxValue(100, 'Input should be at most 100'),
    ),
    '25',
  ),
});
