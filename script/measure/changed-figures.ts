import { tableText, type Target } from './report.ts';

/** Share by which two runs of the same program differ on a busy machine. */
const noise = 0.1;

/** Figures by what was measured, of the table of targets in a page that a whole run wrote. */
function figuresIn(page: string): ReadonlyMap<string, string> {
  const rows = page.split('\n').flatMap((line) => {
    const [measured, target, figure] = line
      .split('|')
      .slice(1, 4)
      .map((cell) => cell.trim());
    return measured && figure && /^[<>]=/.test(target ?? '') ? [[measured, figure] as const] : [];
  });
  return new Map(rows);
}

/** @returns each figure beside that of the page, and whether it differs by more than noise */
export function changedFiguresText(page: string, targets: readonly Target[]): string {
  const former = figuresIn(page);
  return tableText({
    head: ['measured', 'docs/performance.md', 'now', 'change'],
    rows: targets.map(({ measured, value }) => {
      const before = former.get(measured);
      return [measured, before ?? 'not there', value, before === undefined ? '' : changeText(before, value)];
    }),
  });
}

function changeText(before: string, value: string): string {
  const change = Number.parseFloat(value) / Number.parseFloat(before) - 1;
  if (!Number.isFinite(change)) return before === value ? 'same' : '**changed**';
  const text = `${change < 0 ? '' : '+'}${Math.round(change * 100)} %`;
  return Math.abs(change) > noise ? `**${text}**` : text;
}
