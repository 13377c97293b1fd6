import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { growth } from '../../../script/measure/growth.ts';
import { ofPage, pageText, withSection, type Section } from '../../../script/measure/page.ts';
import { missedTargets } from '../../../script/measure/targets.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const page = (name: string) => readFileSync(join(projectRoot, 'docs', name), 'utf8');

/** The sections of docs/performance.md, as script/bench would have them with the figures that are there. */
function sectionsIn(text: string): Section[] {
  const [head = '', ...sections] = text.split('\n## ');
  const said = [...head.matchAll(/^- (.+)$/gm)].map(([, says = '']) => says);
  return sections.map((section, index) => {
    const [title = '', , , , ...table] = section.split('\n');
    const lines = table.filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
    const rows = lines.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    return { title, says: said[index] ?? '', sentence: ofPage[index]?.sentence ?? '', rows };
  });
}

test('docs/performance.md is what script/bench writes, with all sections', () => {
  const text = page('performance.md');
  const sections = sectionsIn(text);
  expect(sections.map(({ title }) => title)).toEqual(ofPage.map(({ title }) => title));
  const measuredOn = /^Measured on .*(?= `script\/bench`)/m.exec(text)?.[0] ?? '';
  expect(pageText(measuredOn, sections)).toBe(text);
});

test('docs/performance.md can be read in a few minutes', () => {
  expect(page('performance.md').split(/\s+/).length).toBeLessThanOrEqual(900);
});

test('script/bench growth replaces one section of docs/growth.md', () => {
  const text = page('growth.md');
  expect(text).toContain(growth.sentence);
  const replaced = withSection(text, '## Figures\n\nnew\n');
  expect(replaced).toMatch(/\n## Figures\n\nnew\n/);
  expect(replaced).not.toContain(growth.sentence);
  expect(replaced.slice(0, replaced.indexOf('\n## Figures'))).toBe(
    text.slice(0, text.indexOf('\n## Figures')),
  );
});

test('a target that a figure exceeds is named', () => {
  expect(missedTargets({ request: 1.41, idleMemory: 70 })).toEqual([
    'missed: processor time of /auth, another URL each time, against bare node:http: 1.41 instead of 1.4',
  ]);
});
