import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAuth } from './auth.ts';
import { changedFiguresText } from './changed-figures.ts';
import { measureCamerasGrowth } from './growth-of-cameras.ts';
import { measurePostgres } from './postgres.ts';
import { measureRevocations } from './revocations.ts';
import { measureEvents } from './events.ts';
import { measureFront } from './front.ts';
import { measureFloods } from './floods.ts';
import { measureLists } from './lists.ts';
import { measureCold } from './cold.ts';
import { measureDecide } from './decide.ts';
import { measureLogins } from './logins.ts';
import { circumstances } from './machine.ts';
import { measureMemory } from './memory.ts';
import { measureNginx } from './nginx.ts';
import { measurePace } from './pace.ts';
import { measureProfile } from './profile.ts';
import { print, secondsText, sectionText, targetsText, type Section } from './report.ts';
import type { Pace } from './rounds.ts';
import { stopAll } from './running.ts';

const measurements: Readonly<Record<string, (pace: Pace) => Promise<Section>>> = {
  auth: measureAuth,
  nginx: measureNginx,
  front: measureFront,
  cold: measureCold,
  pace: measurePace,
  memory: measureMemory,
  cameras: measureCamerasGrowth,
  events: measureEvents,
  postgres: measurePostgres,
  revocations: measureRevocations,
  floods: measureFloods,
  lists: measureLists,
  logins: measureLogins,
  decide: measureDecide,
  profile: measureProfile,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    moment: { type: 'boolean', default: false },
  },
});
/** Many short rounds: other load comes in bursts, which a median leaves out. */
const whole: Pace = { rounds: 7, seconds: 1, scale: 1 };
const quick: Pace = { rounds: 1, seconds: 1, scale: 0.01 };
/** Of several processes, whose figures docs/growth.md has: only by name, or for a moment. */
const ofSeveral = new Set(['postgres', 'revocations']);
/** What users wait for; the others take minutes to set up. */
const inQuick = ['auth', 'nginx', 'front', 'memory', 'events', 'floods'];
/** Shows that everything runs; the figures mean nothing. */
const moment: Pace = { rounds: 1, seconds: 0.1, scale: 0.001 };
const pace = values.moment ? moment : values.quick ? quick : whole;
const all =
  pace === quick
    ? inQuick
    : Object.keys(measurements).filter((name) => pace === moment || !ofSeveral.has(name));
const wanted = positionals.length > 0 ? positionals : all;
const unknown = wanted.filter((name) => !Object.hasOwn(measurements, name));
if (unknown.length > 0)
  throw new Error(`no measurement ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}`);

const began = performance.now();
const measuredOn = circumstances(new Date());
const sections: Section[] = [];
try {
  for (const name of wanted) {
    const before = performance.now();
    const section = await measurements[name]?.(pace);
    if (section === undefined) continue;
    sections.push(section);
    print(`${sectionText(section)}\n`);
    print(`(${name}: ${Math.round((performance.now() - before) / 1_000)} s)\n`);
  }
} finally {
  await stopAll();
}

const minutes = ((performance.now() - began) / 60_000).toFixed(1);
const targets = sections.flatMap((section) => section.targets ?? []);
const page = `# Performance

Written by \`script/bench\`, never by hand, in one run of ${minutes} minutes. Unless a section has other figures, each variant ran for
${secondsText(pace.seconds)} in each of ${pace.rounds} rounds, one after the other, after a round that isn't counted. Figures are medians of the rounds; a ratio is the median of
their ratios, with the least and the greatest. Absolute figures are of this machine, where the load generator takes its share of the same cores.

${measuredOn}

## Targets

${targetsText(targets)}

${sections.map(sectionText).join('\n\n')}
`;
if (targets.length > 0) print(`${targetsText(targets)}\n`);
const file = join(import.meta.dirname, '..', '..', 'docs', 'performance.md');
// A partial or quick run would replace better figures.
if (positionals.length === 0 && pace === whole) {
  writeFileSync(file, page);
} else {
  print(`${changedFiguresText(readFileSync(file, 'utf8'), targets)}\n`);
  print(`It took ${minutes} minutes. docs/performance.md is written by a whole run only, without --quick.`);
}
