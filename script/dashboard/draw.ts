import type { Series } from './prometheus.ts';

/** A panel of docs/monitoring/dashboard.json: what of it this script draws. */
export interface Panel {
  readonly type: 'stat' | 'timeseries';
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly fieldConfig: {
    readonly defaults: {
      readonly unit: string;
      readonly mappings?: ReadonlyArray<{
        readonly options: Readonly<Record<string, { readonly text: string; readonly color: string }>>;
      }>;
    };
  };
  readonly options: { readonly textMode?: string };
  readonly targets: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>;
}

/** A series and what the legend calls it. */
export interface Line extends Series {
  readonly name: string;
}

const column = 58;
const row = 34;
const gap = 8;
const colours = ['#73bf69', '#f2495c', '#5794f2', '#ff9830', '#b877d9', '#fade2a', '#8ab8ff', '#37872d'];

/** @returns a page of HTML with all panels where the dashboard has them */
export function dashboardPage(
  title: string,
  drawn: ReadonlyArray<{ readonly panel: Panel; readonly lines: readonly Line[] }>,
  [from, to]: readonly [number, number],
): string {
  const height = Math.max(...drawn.map(({ panel: { gridPos } }) => (gridPos.y + gridPos.h) * row));
  const panels = drawn.map(({ panel, lines }) => {
    const { x, y, w, h } = panel.gridPos;
    const [width, tall] = [w * column - gap, h * row - gap];
    const inside =
      panel.type === 'stat'
        ? statOf(panel, lines)
        : chartOf(panel, lines, [width - 16, tall - 34], [from, to]);
    const place = `left:${x * column}px;top:${y * row}px;width:${width}px;height:${tall}px`;
    return `<section style="${place}"><h2>${escape(panel.title)}</h2>${inside}</section>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><h1>${escape(title)}</h1>
<main style="width:${24 * column}px;height:${height}px">${panels.join('\n')}</main>`;
}

const style = `
body { margin: 16px; background: #111217; color: #ccccdc; font: 13px system-ui, sans-serif; width: ${24 * column}px }
h1 { margin: 0 0 12px; font-size: 18px; font-weight: 500 }
main { position: relative }
section { position: absolute; box-sizing: border-box; padding: 6px 8px; background: #181b1f; border: 1px solid #2c3235; border-radius: 3px; overflow: hidden }
h2 { margin: 0 0 4px; font-size: 12px; font-weight: 500 }
.stat { display: grid; place-items: center; height: calc(100% - 24px); font-size: 26px; font-weight: 500 }
text { fill: #9a9ca7; font: 10px system-ui, sans-serif }`;

function statOf({ fieldConfig, options }: Panel, lines: readonly Line[]): string {
  const { unit, mappings = [] } = fieldConfig.defaults;
  const [line] = lines;
  const value = line?.values.at(-1)?.[1];
  if (line === undefined || value === undefined) return '<div class="stat">No data</div>';
  const mapped = mappings[0]?.options[String(value)];
  const text = options.textMode === 'name' ? line.name : (mapped?.text ?? valueText(value, unit));
  const size = text.length > 10 ? 'font-size:18px' : '';
  return `<div class="stat" style="color:${mapped?.color === 'red' ? '#f2495c' : '#73bf69'};${size}">${escape(text)}</div>`;
}

function chartOf(
  { fieldConfig }: Panel,
  lines: readonly Line[],
  [width, height]: readonly [number, number],
  [from, to]: readonly [number, number],
): string {
  const { unit } = fieldConfig.defaults;
  const legendRows = Math.ceil(lines.reduce((taken, { name }) => taken + name.length * 6 + 26, 0) / width);
  const [left, bottom] = [52, height - 18 - legendRows * 14];
  const values = lines.flatMap((line) => line.values.map(([, value]) => value)).filter(Number.isFinite);
  const top = niceAbove(Math.max(...values, 0) || 1);
  const xOf = (at: number) => left + ((at - from) / (to - from)) * (width - left - 4);
  const yOf = (value: number) => bottom - (value / top) * (bottom - 6);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const y = yOf(part * top);
    return `<path d="M${left} ${y}H${width}" stroke="#2c3235"/><text x="${left - 5}" y="${y + 3}" text-anchor="end">${valueText(part * top, unit)}</text>`;
  });
  const ticks = [0, 1 / 3, 2 / 3, 1].map((part) => {
    const at = from + part * (to - from);
    const anchor = part === 0 ? 'start' : part === 1 ? 'end' : 'middle';
    const clock = new Date(at * 1_000).toISOString().slice(11, 19);
    return `<text x="${xOf(at)}" y="${bottom + 13}" text-anchor="${anchor}">${clock}</text>`;
  });
  let [x, y] = [left, bottom + 28];
  const drawn = lines.map(({ name, values: points }, place) => {
    const colour = colours[place % colours.length];
    const path = points
      .filter(([, value]) => Number.isFinite(value))
      .map(
        ([at, value], index) => `${index === 0 ? 'M' : 'L'}${xOf(at).toFixed(1)} ${yOf(value).toFixed(1)}`,
      );
    if (x > left && x + name.length * 6 + 26 > width) [x, y] = [left, y + 14];
    const entry = `<path d="M${x} ${y - 3}h12" stroke="${colour}" stroke-width="3"/><text x="${x + 16}" y="${y}">${escape(name)}</text>`;
    x += name.length * 6 + 26;
    return `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="1.3"/>${entry}`;
  });
  return `<svg width="${width}" height="${height}">${[...grid, ...ticks, ...drawn].join('')}</svg>`;
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

function valueText(value: number, unit: string): string {
  const short = (scaled: number) => String(Number(scaled.toPrecision(3)));
  if (unit === 'percentunit') return `${short(value * 100)} %`;
  if (unit === 'bytes') return `${short(value / 1_048_576)} MiB`;
  if (unit === 'reqps') return `${short(value)}/s`;
  if (unit !== 's') return short(value);
  if (value === 0) return '0';
  if (value < 0.001) return `${short(value * 1e6)} µs`;
  return value < 1 ? `${short(value * 1_000)} ms` : `${short(value)} s`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
