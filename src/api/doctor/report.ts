import type { ReportRow } from './examine.ts';

/** Widest width of each column; longer text pushes the rest of its line aside. */
const columns = { result: 7, probe: 25, sent: 60, expected: 38, seen: 60 } as const;
const names = Object.keys(columns) as ReadonlyArray<keyof typeof columns>;

/** The table for a terminal: aligned, followed by what to change for each kind of fault. */
export function tableOf(rows: readonly ReportRow[]): string {
  const cells = rows.map((row) => names.map((name) => printable(row[name])));
  const widths = names.map((name, place) => {
    const longest = Math.max(name.length, ...cells.map((line) => line[place]?.length ?? 0));
    return Math.min(longest, columns[name]);
  });
  const lines = [aligned(names, widths)];
  for (const [index, row] of rows.entries()) {
    const { result, probe, seen, change } = row;
    const isShort = result === 'skipped';
    lines.push(aligned(isShort ? [result, probe, printable(seen)] : (cells[index] ?? []), widths));
    if (change !== undefined && rows[index + 1]?.change !== change) {
      lines.push(`${' '.repeat((widths[0] ?? 0) + 2)}change: ${printable(change)}`);
    }
  }
  return `${lines.join('\n')}\n\n${summaryOf(rows)}`;
}

function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, place) => cell.padEnd(widths[place] ?? 0))
    .join('  ')
    .trimEnd();
}

function summaryOf(rows: readonly ReportRow[]): string {
  const probesWith = (result: ReportRow['result']) => [
    ...new Set(rows.filter((row) => row.result === result).map(({ probe }) => probe)),
  ];
  const [faulty, skipped] = [probesWith('FAULT'), probesWith('skipped')];
  const found = faulty.length === 0 ? 'no fault' : `faults found by ${faulty.join(', ')}`;
  return skipped.length === 0 ? found : `${found}; skipped, in whole or in part: ${skipped.join(', ')}`;
}

/** `faults` is the number of rows with one. */
export function jsonReport(rows: readonly ReportRow[]): string {
  const faults = rows.filter(({ result }) => result === 'FAULT').length;
  return JSON.stringify({ faults, rows }, undefined, 2);
}

/** Terminals obey control characters, and a file of the operator may contain some. */
function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
