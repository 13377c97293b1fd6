export function table(columns: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A bar ends a cell, inside code too. */
function escapeCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
