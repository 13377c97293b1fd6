import * as v from 'valibot';
import { isPossibleId, longestId, mostIds } from '../policy/event-ids.ts';

/** Not blank, and without a comma. */
const item = { type: 'string', pattern: String.raw`^[^,]*[^,\s][^,]*$` };

/** @param jsonSchema of the list, for the API's description */
const commaSeparated = (jsonSchema: Readonly<Record<string, unknown>>) =>
  v.pipe(
    v.union([v.string(), v.array(v.string())], 'Input should be a comma-separated list'),
    v.metadata({ anyOf: undefined, type: 'array', ...jsonSchema }),
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

/** An empty filter is no filter, and neither is `all`, which recorders' clients send. */
const orAll = (names: string[]) => (names.length === 0 || names.includes('all') ? undefined : names);
const cameraFilter = v.optional(
  v.pipe(
    commaSeparated({ items: item }),
    v.transform((names) => orAll(names)),
  ),
);

const mostLabels = 100;
const labelFilter = v.optional(
  v.pipe(
    commaSeparated({ items: item, maxItems: mostLabels }),
    v.maxLength(mostLabels, `List should have at most ${mostLabels} labels`),
    v.transform((names) => orAll(names)),
  ),
);

const single = v.string('Input should be given once');
const finiteNumber = v.pipe(
  single,
  // JavaScript writes very large and very small numbers with an exponent.
  v.regex(/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i, 'Input should be a number'),
  v.metadata({ type: 'number', pattern: undefined }),
  v.transform(Number),
  v.finite('Input should be a number'),
);
const upToHundred = v.pipe(
  single,
  v.regex(/^[+-]?\d+(?:\.\d+)?$/, 'Input should be a number'),
  v.metadata({ type: 'integer', pattern: undefined, minimum: 1, maximum: 100 }),
  v.transform(Number),
  v.integer('Input should be a whole number'),
  v.minValue(1, 'Input should be at least 1'),
  v.maxValue(100, 'Input should be at most 100'),
);

export const atMostIds = `List should have at most ${mostIds} ids`;

/** `GET /api/event_ids` */
export const lookupQuery = v.object({
  ids: v.pipe(
    commaSeparated({ items: { ...item, maxLength: longestId }, minItems: 1, maxItems: mostIds }),
    v.minLength(1, 'List should have at least 1 id'),
    v.maxLength(mostIds, atMostIds),
    v.everyItem(isPossibleId, `An id should have at most ${longestId} characters`),
  ),
  cameras: cameraFilter,
});

/** `GET /api/events` */
export const recentQuery = v.pipe(
  v.object({
    cameras: cameraFilter,
    label: v.optional(single),
    labels: labelFilter,
    after: v.optional(finiteNumber),
    before: v.optional(finiteNumber),
    /** Continues after this event among those that started at `before`; ignored without `before`. */
    before_id: v.optional(single),
    limit: v.optional(upToHundred, '25'),
    include_thumbnails: v.optional(v.picklist(['0', '1'], 'Input should be 0 or 1'), '1'),
  }),
  // Recorders do the same: early clients send `label`, which `labels` replaces.
  v.transform(({ label, labels, ...filter }) => ({
    ...filter,
    labels: labels ?? (label === undefined ? undefined : orAll([label])),
  })),
);
