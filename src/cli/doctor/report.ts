import type { Row } from './examine.ts';

const columns = ['result', 'probe', 'sent', 'expected', 'seen'] as const;

/** The table for a terminal: aligned, and below each fault what to change. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [
    columns as readonly string[],
    ...rows.map((row) => columns.map((column) => printable(row[column]))),
  ];
  const widths = columns.map((_, place) => Math.max(...cells.map((line) => line[place]?.length ?? 0)));
  const lines = cells.flatMap((line, index) => {
    const text = line
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd();
    const change = rows[index - 1]?.change;
    return change === undefined ? [text] : [text, `         change: ${printable(change)}`];
  });
  return `${lines.join('\n')}\n\n${summaryOf(rows)}`;
}

function summaryOf(rows: readonly Row[]): string {
  const faults = rows.filter(({ result }) => result === 'FAULT');
  const skipped = [...new Set(rows.filter(({ result }) => result === 'skipped').map(({ probe }) => probe))];
  const names = [...new Set(faults.map(({ probe }) => probe))];
  return [
    faults.length === 0
      ? 'no fault'
      : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}: ${names.join(', ')}`,
    ...(skipped.length === 0 ? [] : [`skipped, in whole or in part: ${skipped.join(', ')}`]),
  ].join('; ');
}

export function jsonReport(rows: readonly Row[]): string {
  const faults = rows.filter(({ result }) => result === 'FAULT').length;
  return JSON.stringify({ faults, rows }, undefined, 2);
}

/** A terminal obeys control characters, and a file of the operator may hold some. */
function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
