import { tableText } from './figures.ts';
import { floods } from './floods.ts';
import { memoryAndStart } from './memory.ts';
import { request } from './request.ts';
import { sizes } from './sizes.ts';
import { streams } from './streams.ts';
import type { Measured, Measurement } from './targets.ts';

/** What docs/performance.md shows, in order. */
export const ofPage: readonly Measurement[] = [request, streams, memoryAndStart, sizes, floods];

export interface Section extends Pick<Measurement, 'title' | 'sentence'>, Pick<Measured, 'says' | 'rows'> {}

export function sectionText({ title, sentence, rows }: Omit<Section, 'says'>): string {
  return `## ${title}\n\n${sentence}\n\n${tableText(rows)}\n`;
}

export function pageText(measuredOn: string, sections: readonly Section[]): string {
  return `# Performance

Postern runs beside Frigate on a mini PC:

${sections.map(({ says }) => `- ${says}\n`).join('')}
${measuredOn} \`script/bench\` measured everything in turns, after a round that isn't counted, and wrote this page. The clients had the
same cores: compare the ratios. Figures are medians. Processor time is that of the server only. Bare node:http is a server of Node that
decides nothing.

${sections.map(sectionText).join('\n')}`;
}

/** @returns the page with a section of the same title replaced, up to the next heading */
export function withSection(page: string, section: string): string {
  const [heading = ''] = section.split('\n', 1);
  const at = page.indexOf(`${heading}\n`);
  if (at === -1) throw new Error(`there is no ${heading}`);
  const next = page.indexOf('\n## ', at);
  return page.slice(0, at) + section + (next === -1 ? '' : page.slice(next));
}
