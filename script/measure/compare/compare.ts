import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { circumstances } from '../machine.ts';
import { writeAllowedRequests } from '../recorded-site.ts';
import { print } from '../report.ts';
import type { Pace } from '../rounds.ts';
import { stopAll } from '../running.ts';
import { askAll, type Asked } from './ask.ts';
import { authelia } from './authelia.ts';
import { oauth2Proxy } from './oauth2-proxy.ts';
import { comparisonPage, type Comparison } from './page.ts';
import { startPostern } from './postern.ts';
import { findProgram } from './programs.ts';
import { tinyauth } from './tinyauth.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    moment: { type: 'boolean', default: false },
  },
});
const whole: Pace = { rounds: 11, seconds: 2, scale: 1 };
const quick: Pace = { rounds: 3, seconds: 1, scale: 1 };
/** Shows that everything runs; the figures mean nothing. */
const moment: Pace = { rounds: 1, seconds: 0.1, scale: 1 };
const pace = values.moment ? moment : values.quick ? quick : whole;

const found = [authelia, oauth2Proxy, tinyauth].map((contestant) => ({
  contestant,
  program: findProgram(contestant),
}));
const began = performance.now();
const measuredOn = circumstances(new Date());
try {
  const page = comparisonPage(await compare());
  if (pace === whole)
    writeFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'comparison.md'), page);
  else print(`${page}\ndocs/comparison.md is written by a whole run only, without --quick.`);
} finally {
  await stopAll();
}

async function compare(): Promise<Comparison> {
  if (found.every(({ program }) => 'missing' in program))
    throw new Error('there is nothing to compare with: give programs by AUTHELIA, OAUTH2_PROXY or TINYAUTH');
  const postern = await startPostern();
  const requests = async (visitor: 'admin' | 'neighbour') => {
    const path = join(postern.site.directory, `compare-${visitor}`);
    const { cookie } = postern[visitor];
    return (await writeAllowedRequests(path, postern.gate.address, visitor, { Cookie: cookie })).lines;
  };
  const lines = await requests('admin');
  const gates = new Map<string, Asked>([
    ['Postern', { gate: postern.admin, lines }],
    ['Postern, a role limited to cameras', { gate: postern.neighbour, lines: await requests('neighbour') }],
  ]);
  const compared: Array<Comparison['compared'][number]> = [
    {
      name: 'Postern',
      does: 'Looks the session up in memory, and checks path, method, camera and event against the role. The database of the recorder has the camera of each event.',
      more: 'Roles limited to cameras of a recorder, in URLs, lists and live streams, and a reason for each refusal. It serves recorders only.',
      configuration: postern.configuration,
    },
  ];
  const missing: Array<Comparison['missing'][number]> = [];
  for (const { contestant, program } of found) {
    if ('missing' in program) {
      missing.push({ name: contestant.name, missing: program.missing });
      continue;
    }
    gates.set(contestant.name, { gate: await contestant.start(program.path), lines });
    compared.push({ ...contestant, program });
  }
  const results = await askAll(pace, gates);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  return { pace, minutes, circumstances: measuredOn, results, compared, missing };
}
