import * as fc from 'fast-check';

/**
 * A unit of `fc.string`: any code point, half a surrogate pair too. `unit: 'binary'` makes the same, but the first use of it in a
 * process takes seconds.
 */
export const anyCodePoint = fc.integer({ min: 0, max: 0x10ffff }).map(
  (point) => String.fromCodePoint(point),
  // fast-check finds by it which of its dangerous strings, such as `__proto__`, consist of such units.
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('not one code point');
    return point;
  },
);
