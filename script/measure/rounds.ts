import { median } from './report.ts';

export interface Pace {
  readonly rounds: number;
  /** Of one run of one variant. */
  readonly seconds: number;
  /** Share of what takes long by its size: ten million events, a minute of load. */
  readonly scale: number;
}

export type Figures<Name extends string, Figure = number> = Readonly<Record<Name, readonly Figure[]>>;

/**
 * Runs every variant once in each round, one after the other, so that what else the machine does meets all of
 * them. A round that is not counted comes first and warms everything up.
 */
export async function interleave<Name extends string, Figure = number>(
  { rounds }: Pick<Pace, 'rounds'>,
  variants: Readonly<Record<Name, () => Promise<Figure>>>,
): Promise<Figures<Name, Figure>> {
  const names = Object.keys(variants) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Figure[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const figure = await variants[name]();
      if (round > 0) figures[name].push(figure);
    }
  }
  return figures;
}

/** One of the values that a figure has, round by round. */
export function each<Key extends string>(
  figures: ReadonlyArray<Readonly<Record<Key, number>>>,
  key: Key,
): number[] {
  return figures.map((figure) => figure[key]);
}

/** One variant as a multiple of another, each round by itself. */
function ratios(figures: readonly number[], others: readonly number[]): number[] {
  return figures.map((figure, round) => figure / (others[round] ?? Number.NaN));
}

/** The median of the rounds' ratios. */
export function ratio(figures: readonly number[], others: readonly number[]): number {
  return median(ratios(figures, others));
}

/** The ratio with the least and the greatest of the rounds. */
export function ratioText(figures: readonly number[], others: readonly number[]): string {
  const sorted = ratios(figures, others).toSorted((one, other) => one - other);
  return `**${median(sorted).toFixed(2)}** (${sorted[0]?.toFixed(2)}–${sorted.at(-1)?.toFixed(2)})`;
}
