import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startChromium } from '../test/support/browse.ts';
import { startBusyGate } from './dashboard/busy-gate.ts';
import { dashboardPage, type Line, type Panel } from './dashboard/draw.ts';
import { startPrometheus, type Prometheus } from './dashboard/prometheus.ts';
import { stopAll } from './measure/running.ts';

const directory = join(import.meta.dirname, '..', 'docs', 'monitoring');
const seconds = Number(process.argv[2] ?? 240);

const { panels, title } = JSON.parse(readFileSync(join(directory, 'dashboard.json'), 'utf8')) as {
  readonly title: string;
  readonly panels: readonly Panel[];
};

/** The panel's own queries, with the variables of Grafana replaced. */
async function linesOf(panel: Panel, prometheus: Prometheus, from: number, to: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { expr, legendFormat } of panel.targets) {
    const query = expr.replaceAll(/\$(job|instance)/g, '.+').replaceAll('$__rate_interval', '20s');
    const found =
      panel.type === 'stat' ? await prometheus.now(query, to) : await prometheus.range(query, from, to);
    if (found.length === 0) throw new Error(`${panel.title}: nothing comes of ${query}`);
    for (const series of found) {
      const name = legendFormat.replaceAll(
        /\{\{(\w+)\}\}/g,
        (_, label: string) => series.metric[label] ?? '',
      );
      lines.push({ ...series, name });
    }
  }
  return lines;
}

try {
  const gate = await startBusyGate();
  const prometheus = await startPrometheus(gate.metrics);
  const began = Date.now() / 1_000;
  await gate.work(seconds);
  // What was scraped last is there by now.
  const [from, to] = [began + 20, Date.now() / 1_000];
  await wait(1_000);
  const drawn = [];
  for (const panel of panels) drawn.push({ panel, lines: await linesOf(panel, prometheus, from, to) });
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1424, height: 900 } });
    await page.setContent(dashboardPage(title, drawn, [from, to]));
    await page.screenshot({ path: join(directory, 'dashboard.png'), fullPage: true });
  } finally {
    await browser.close();
  }
  process.stdout.write('docs/monitoring/dashboard.png\n');
} finally {
  await stopAll();
}
