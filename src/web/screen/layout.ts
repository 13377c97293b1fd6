/** How the cameras stand on the screen. */
export interface Layout {
  /** Columns of the grid. The large picture takes two columns and rows, and stands first. */
  readonly columns: number;
  readonly rows: number;
  readonly hasLarge: boolean;
}

/** Width to height of a camera's picture. */
const shape = 16 / 9;

/**
 * @param count of cameras, at least one
 * @param ratio width to height of the screen
 * @returns the grid that shows all of them without scrolling, with the largest pictures
 */
export function layoutFor(count: number, ratio: number): Layout {
  // One camera large and the others beside or below it, where that leaves no gap.
  if (ratio >= 1 && (count === 3 || count === 5))
    return { columns: 3, rows: count === 3 ? 2 : 3, hasLarge: true };
  if (ratio < 1 && (count === 3 || count === 5))
    return { columns: 2, rows: 2 + (count - 1) / 2, hasLarge: true };
  const grids = Array.from({ length: count }, (_, index) => {
    const columns = index + 1;
    const rows = Math.ceil(count / columns);
    return { columns, rows, width: Math.min(1 / columns, shape / ratio / rows) };
  });
  // The wider of two equal grids wins, because names stand below pictures.
  const best = grids.reduce((a, b) => (b.width > a.width - 1e-9 ? b : a));
  return { columns: best.columns, rows: best.rows, hasLarge: false };
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** Where a picture stands, in cells from the top left. Two that share a row of three have one and a half each. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** @returns the box of each camera, in their order */
export function boxesIn({ columns, hasLarge }: Layout, count: number): readonly Box[] {
  const taken = new Set<number>();
  const boxes: Box[] = [];
  if (hasLarge) {
    boxes.push({ left: 0, top: 0, width: 2, height: 2 });
    for (const cell of [0, 1, columns, columns + 1]) taken.add(cell);
  }
  for (let cell = 0; boxes.length < count; cell += 1) {
    if (taken.has(cell)) continue;
    boxes.push({ left: cell % columns, top: Math.floor(cell / columns), width: 1, height: 1 });
  }
  return widened(boxes, columns);
}

/** If one picture is missing in the last row, the others share its place. */
function widened(boxes: readonly Box[], columns: number): readonly Box[] {
  const bottom = Math.max(...boxes.map(({ top }) => top));
  const last = boxes.filter(({ top, height }) => top === bottom && height === 1);
  if (last.length === 0 || last.length !== columns - 1) return boxes;
  const width = columns / last.length;
  return boxes.map((box) => {
    const at = last.indexOf(box);
    return at < 0 ? box : { left: at * width, top: bottom, width, height: 1 };
  });
}

/** @returns the columns of a CSS grid, and the lines of each picture in it */
export function placesIn(
  layout: Layout,
  count: number,
): {
  readonly columns: number;
  readonly tiles: ReadonlyArray<{ readonly column: string; readonly row: string }>;
} {
  const boxes = boxesIn(layout, count);
  // A widened row has one picture less than there are columns.
  const fine = layout.columns > 2 && boxes.some(({ width }) => width % 1 !== 0) ? layout.columns - 1 : 1;
  const line = (from: number, span: number) => `${Math.round(from) + 1} / span ${Math.round(span)}`;
  return {
    columns: layout.columns * fine,
    tiles: boxes.map(({ left, top, width, height }) => ({
      column: line(left * fine, width * fine),
      row: line(top, height),
    })),
  };
}

/** @returns the index of the nearest camera in this direction; the same one at the edge */
export function neighbour(boxes: readonly Box[], from: number, direction: Direction): number {
  const origin = boxes[from];
  if (origin === undefined) return 0;
  const isAcross = direction === 'ArrowLeft' || direction === 'ArrowRight';
  const sign = direction === 'ArrowRight' || direction === 'ArrowDown' ? 1 : -1;
  const middle = ({ left, top, width, height }: Box) => ({ x: left + width / 2, y: top + height / 2 });
  const here = middle(origin);
  let best = from;
  let least = Infinity;
  boxes.forEach((box, index) => {
    const there = middle(box);
    const along = sign * (isAcross ? there.x - here.x : there.y - here.y);
    const aside = Math.abs(isAcross ? there.y - here.y : there.x - here.x);
    // A camera straight ahead comes before one that is nearer but to the side.
    const distance = along + 3 * aside;
    if (along > 0.4 && distance < least) {
      best = index;
      least = distance;
    }
  });
  return best;
}
