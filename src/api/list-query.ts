import * as v from 'valibot';

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
