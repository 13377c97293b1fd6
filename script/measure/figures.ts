/** How long to measure. */
export interface Pace {
  readonly rounds: number;
  /** Of one variant in one round. */
  readonly seconds: number;
  /** Share of what takes long by its size: ten million events, a minute of load. */
  readonly scale: number;
}

/**
 * Runs every variant once in each round, one after the other, so that what else the machine does meets all of them.
 * A round that isn't counted comes first and warms everything up.
 */
export async function inTurns<Name extends string, Figure>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<Figure>>>,
): Promise<Readonly<Record<Name, readonly Figure[]>>> {
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

/** @param share between 0 and 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What each round measured. */
export type Rounds = ReadonlyArray<Readonly<Record<string, number>>>;

export function median(rounds: Rounds, value: string): number {
  const values = rounds.map((round) => round[value] ?? Number.NaN);
  return percentile(values, 0.5);
}

/** One variant as a multiple of another one: the median of the rounds, each by itself. */
export function ratio(rounds: Rounds, others: Rounds, value: string): number {
  const ratios = rounds.map((round, i) => (round[value] ?? Number.NaN) / (others[i]?.[value] ?? Number.NaN));
  return percentile(ratios, 0.5);
}

/** 12,345 */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Two digits or more; a dash for what wasn't measured. */
function short(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–';
  return `${value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : count(value)} ${unit}`;
}

export const milliseconds = (value: number): string => short(value, 'ms');
export const microseconds = (value: number): string => short(value, 'µs');
export const memory = (value: number): string => short(value, 'MiB');
export const times = (value: number): string => `${value.toFixed(2)}×`;

/** Rows of a table; the first one is its head. */
export type Rows = ReadonlyArray<readonly string[]>;

/** Markdown, with columns of one width so that a terminal shows it too. */
export function tableText([head = [], ...rows]: Rows): string {
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
