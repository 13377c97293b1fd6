import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { inTurns, median, memory, milliseconds, ratio, times } from './figures.ts';
import { bareProgram, cookieOf, gateProgram, isReady, openSite, roleVerified, startGate } from './gate.ts';
import { askFully } from './load.ts';
import { processorTime, residentMemory, startProgram, temporaryDirectory, type Program } from './programs.ts';
import { questionHeaders, writePageQuestions } from './questions.ts';
import type { Measurement } from './targets.ts';

export const memoryAndStart: Measurement = {
  name: 'memory',
  title: 'Memory and start',
  sentence:
    'Postern runs with its default configuration, and both have what V8 compiled at an earlier start. Idle: three seconds after it was ready. Under load: after a minute of questions as above, by a role with cameras.',
  async measure({ rounds, scale }) {
    const programs = { postern: defaultGate(), bare: bareProgram() };
    // The first round makes the certificate, the secret and the databases.
    const { postern, bare } = await inTurns(rounds, {
      postern: () => start(programs.postern, 3_000 * Math.max(0.1, scale), isReady),
      bare: () => start(programs.bare, 500),
    });
    const seconds = 60 * scale;
    const figures = {
      start: ratio(postern, bare, 'wall'),
      idleMemory: median(postern, 'memory'),
      loadedMemory: await memoryAfterLoad(seconds),
    };
    return {
      says: `It starts in ${milliseconds(median(postern, 'wall'))}, and takes ${memory(figures.idleMemory)} of memory.`,
      rows: [
        ['', 'Postern', 'bare node:http', 'against bare'],
        ['memory, idle', memory(figures.idleMemory), memory(median(bare, 'memory')), ''],
        ['memory, under load', memory(figures.loadedMemory), '–', ''],
        [
          'from `node` to ready',
          milliseconds(median(postern, 'wall')),
          milliseconds(median(bare, 'wall')),
          times(figures.start),
        ],
        [
          'processor time until then',
          milliseconds(median(postern, 'processor')),
          milliseconds(median(bare, 'processor')),
          times(ratio(postern, bare, 'processor')),
        ],
      ],
      figures,
    };
  },
};

/** Milliseconds until it is ready, on the wall and of the processor; MiB a while later. */
async function start(program: Program, idle: number, isReady?: (line: string) => boolean) {
  const before = performance.now();
  const { pid, stop } = await startProgram(program, isReady);
  const wall = performance.now() - before;
  const processor = processorTime(pid) * 1_000;
  await sleep(idle);
  const resident = residentMemory(pid);
  await stop();
  return { wall, processor, memory: resident };
}

function defaultGate(): Program {
  const directory = temporaryDirectory('default');
  const listen = { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' };
  writeFileSync(join(directory, 'config.yml'), stringify({ networking: { listen } }));
  return gateProgram({ SERVICE_CONFIG_DIR: directory });
}

/** MiB. */
async function memoryAfterLoad(seconds: number): Promise<number> {
  const site = await openSite(100_000);
  const gate = await startGate(site.config);
  await roleVerified(gate);
  const cookie = cookieOf('neighbour');
  const file = join(site.directory, 'questions');
  const lines = writePageQuestions(file, 'neighbour', 500_000);
  await askFully({ ...gate, headers: questionHeaders(cookie), lines }, seconds);
  return residentMemory(gate.pid);
}
