import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pace } from './figures.ts';
import { growth } from './growth.ts';
import { circumstances } from './machine.ts';
import { ofPage, pageText, sectionText, withSection, type Section } from './page.ts';
import { stopAll } from './programs.ts';
import { missedTargets } from './targets.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
/** Many short rounds: other load comes in bursts, which a median leaves out. */
const whole: Pace = { rounds: 5, seconds: 1, scale: 1 };
/** Shows that each part runs, and what changed much. */
const quick: Pace = { rounds: 1, seconds: 1, scale: 0.01 };
const pace = values.quick ? quick : whole;

const all = [...ofPage, growth];
// That of several gates has a page of its own, and needs PostgreSQL.
const wanted =
  positionals.length > 0
    ? positionals.map((name) => {
        const found = all.find((measurement) => measurement.name === name);
        if (found === undefined) throw new Error(`there are ${all.map((known) => known.name).join(', ')}`);
        return found;
      })
    : ofPage;

const began = performance.now();
const measuredOn = circumstances(new Date());
const sections: Section[] = [];
const figures: Record<string, number> = {};
for (const measurement of wanted) {
  const before = performance.now();
  try {
    const measured = await measurement.measure(pace);
    const section = { ...measurement, ...measured };
    sections.push(section);
    Object.assign(figures, measured.figures);
    print(
      `${measured.says}\n\n${sectionText(section)}\n(${Math.round((performance.now() - before) / 1_000)} s)\n`,
    );
  } finally {
    await stopAll();
  }
}
print(`It took ${((performance.now() - began) / 60_000).toFixed(1)} minutes.`);
for (const line of missedTargets(figures)) print(line);

const docs = join(import.meta.dirname, '..', '..', 'docs');
// A short or partial run would replace better figures.
if (pace === whole && wanted === ofPage)
  writeFileSync(join(docs, 'performance.md'), pageText(measuredOn, sections));
else if (pace === whole && wanted.includes(growth)) {
  const page = join(docs, 'growth.md');
  const { title, sentence, rows } = sections[wanted.indexOf(growth)] as Section;
  const section = sectionText({ title, sentence: `${sentence} ${measuredOn}`, rows });
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), section));
} else
  print('docs/performance.md is written by a whole run only, and docs/growth.md by script/bench growth.');
// Connections to programs that were killed may stay open.
process.exit(0);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
