import { describe, expect, test } from 'vitest';
import { boxesOf, codeIn, spread, type Boxes } from '../../../../../src/web/pages/pair/letters.ts';

/** Boxes, written as one text with a dot for each that is empty. */
const boxes = (text: string): Boxes => [...text].map((letter) => (letter === '.' ? '' : letter));
const written = (all: Boxes) => all.map((letter) => letter || '.').join('');

describe('text typed or pasted into a box', () => {
  test.for<
    [what: string, before: string, at: number, text: string, after: string, next: number, submits: boolean]
  >([
    ['a letter', '........', 0, 'b', 'B.......', 1, false],
    ['a digit', '........', 2, '7', '........', 2, false],
    ['nothing, which deletes', 'BC......', 1, '', 'B.......', 1, false],
    ['a letter after the previous one', 'BC......', 1, 'CD', 'BD......', 2, false],
    ['a letter before the previous one', 'BC......', 1, 'DC', 'BD......', 2, false],
    ['the previous letter again', 'BC......', 1, 'CC', 'BC......', 2, false],
    ['a whole code', '........', 0, 'bcdf-ghjk', 'BCDFGHJK', 7, true],
    ['a whole code with blanks around it', '........', 0, ' BCDF GHJK\n', 'BCDFGHJK', 7, true],
    ['a whole code over another', 'XXXXXXXX', 0, 'BCDF-GHJK', 'BCDFGHJK', 7, true],
    ['half a code', '........', 4, 'GHJK', '....GHJK', 7, false],
    ['too much', '........', 6, 'BCDFGH', '......BC', 7, false],
    ['the last letter', 'BCDFGHJ.', 7, 'K', 'BCDFGHJK', 7, true],
    ['another last letter', 'BCDFGHJB', 7, 'D', 'BCDFGHJD', 7, true],
    [
      'the only letter that is missing, before others that may be wrong',
      'BC.FGHJK',
      2,
      'D',
      'BCDFGHJK',
      3,
      false,
    ],
    ['another letter in the middle of a code', 'BCBFGHJK', 2, 'D', 'BCDFGHJK', 3, false],
  ])('%s', ([, before, at, text, after, next, submits]) => {
    const typed = spread(boxes(before), at, text);
    expect({ ...typed, boxes: written(typed.boxes) }).toEqual({ boxes: after, next, submits });
  });
});

test.for([
  ['BCDF-GHJK', 'BCDFGHJK'],
  ['bcdf', 'BCDF....'],
  ['', '........'],
  ['BCDF-GHJK-LMNP', 'BCDFGHJK'],
])('a code in an address, %s, fills the boxes', ([code = '', filled]) => {
  expect(written(boxesOf(code))).toBe(filled);
});

test('boxes make the code that screens show', () => {
  expect(codeIn(boxes('BCDFGHJK'))).toBe('BCDF-GHJK');
});
