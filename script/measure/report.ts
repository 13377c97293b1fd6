export interface Table {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
}

/** A target of the project, and what came of it in this run. */
export interface Target {
  readonly measured: string;
  readonly target: string;
  readonly value: string;
  readonly met: boolean;
}

/** The result of a measurement. */
export interface Section {
  readonly title: string;
  /** What is measured and how, for a reader who judges it. */
  readonly how: string;
  readonly tables: readonly Table[];
  readonly targets?: readonly Target[];
  readonly notes?: readonly string[];
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @param share between 0 and 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** 12,345 */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** @returns such as `1 second` or `0.5 seconds` */
export function secondsText(value: number): string {
  return `${value} second${value === 1 ? '' : 's'}`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}

export function atLeast(measured: string, least: number, value: number): Target {
  return { measured, target: `>= ${least.toFixed(2)}`, value: value.toFixed(2), met: value >= least };
}

export function atMost(measured: string, most: number, value: number): Target {
  return { measured, target: `<= ${most.toFixed(1)}`, value: value.toFixed(2), met: value <= most };
}

/** @param most MiB */
export function atMostMemory(measured: string, most: number, value: number): Target {
  return { measured, target: `<= ${memory(most)}`, value: memory(value), met: value <= most };
}

/** @param value MiB */
export function memory(value: number): string {
  return `${count(value)} MiB`;
}

/** Markdown, with columns of one width so that a terminal shows it too. */
export function tableText({ head, rows }: Table): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, 3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function targetsText(targets: readonly Target[]): string {
  return tableText({
    head: ['measured', 'target', 'figure', 'met?'],
    rows: targets.map(({ measured, target, value, met }) => [
      measured,
      target,
      value,
      met ? 'yes' : '**no**',
    ]),
  });
}

export function sectionText({ title, how, tables, notes = [] }: Section): string {
  return [`## ${title}`, how, ...tables.map(tableText), ...notes].join('\n\n');
}
