import { describe, expect, test } from 'vitest';
import {
  boxesIn,
  layoutFor,
  neighbour,
  placesIn,
  type Direction,
} from '../../../../src/web/screen/layout.ts';

const landscape = 16 / 9;
const portrait = 9 / 16;

describe('the grid of a wall', () => {
  test.each<[count: number, ratio: number, columns: number, rows: number, hasLarge: boolean]>([
    [1, landscape, 1, 1, false],
    [2, landscape, 2, 1, false],
    [3, landscape, 3, 2, true],
    [4, landscape, 2, 2, false],
    [5, landscape, 3, 3, true],
    [6, landscape, 3, 2, false],
    [9, landscape, 3, 3, false],
    [16, landscape, 4, 4, false],
    [40, landscape, 7, 6, false],
    [1, portrait, 1, 1, false],
    [2, portrait, 1, 2, false],
    [5, portrait, 2, 4, true],
    [16, portrait, 2, 8, false],
    [40, portrait, 4, 10, false],
  ])('of %i at %f has %i columns and %i rows', (count, ratio, columns, rows, hasLarge) => {
    expect(layoutFor(count, ratio)).toEqual({ columns, rows, hasLarge });
  });

  test.each([landscape, portrait, 4 / 3, 1])(
    'holds 1 to 40 cameras at %f, each in cells of its own',
    (ratio) => {
      for (let count = 1; count <= 40; count += 1) {
        const layout = layoutFor(count, ratio);
        const boxes = boxesIn(layout, count);
        const overlap = (a: (typeof boxes)[number], b: typeof a) =>
          Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left) > 1e-9 &&
          Math.min(a.top + a.height, b.top + b.height) > Math.max(a.top, b.top);
        const twice = boxes.filter((a, at) => boxes.some((b, other) => other > at && overlap(a, b)));
        expect(twice, `${count}`).toEqual([]);
        for (const { left, top, width, height } of boxes) {
          expect(left + width, `${count}`).toBeLessThanOrEqual(layout.columns + 1e-9);
          expect(top + height, `${count}`).toBeLessThanOrEqual(layout.rows);
        }
      }
    },
  );
});

test('a last row that lacks one picture is shared by the others', () => {
  const layout = layoutFor(5, landscape);
  expect(placesIn(layout, 5)).toEqual({
    columns: 6,
    tiles: [
      { column: '1 / span 4', row: '1 / span 2' },
      { column: '5 / span 2', row: '1 / span 1' },
      { column: '5 / span 2', row: '2 / span 1' },
      { column: '1 / span 3', row: '3 / span 1' },
      { column: '4 / span 3', row: '3 / span 1' },
    ],
  });
});

describe('the arrow keys of a remote control', () => {
  test.each<[count: number, from: number, direction: Direction, to: number]>([
    [16, 0, 'ArrowRight', 1],
    [16, 0, 'ArrowDown', 4],
    [16, 5, 'ArrowUp', 1],
    [16, 5, 'ArrowLeft', 4],
    [16, 0, 'ArrowLeft', 0],
    [16, 15, 'ArrowDown', 15],
    // Beside a large one.
    [5, 0, 'ArrowRight', 1],
    [5, 2, 'ArrowLeft', 0],
    [5, 3, 'ArrowUp', 0],
  ])('of %i cameras go from %i by %s to %i', (count, from, direction, to) => {
    expect(neighbour(boxesIn(layoutFor(count, landscape), count), from, direction)).toBe(to);
  });

  test.each([2, 5, 7, 16, 40])('reach each of %i cameras', (count) => {
    const boxes = boxesIn(layoutFor(count, landscape), count);
    const reached = new Set([0]);
    for (const at of reached)
      for (const direction of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const)
        reached.add(neighbour(boxes, at, direction));
    expect(reached.size).toBe(count);
  });
});
