import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { authorizationRequest, withCookie } from './authorization-requests.ts';
import { residentMemory, startProgram, type Program } from './child.ts';
import { compileCache, gateProgram, isReady, startGate } from './gate-process.ts';
import { openRecordedSite, roleVerified, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { atMost, atMostMemory, count, median, memory, milliseconds, type Section } from './report.ts';
import { each, interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { saturate } from './wrk.ts';

// Milliseconds from ready to the look at its memory.
const idle = 3_000;

/** How much memory script/server takes, and how long it takes to be ready. */
export async function measureMemory(pace: Pace): Promise<Section> {
  const programs = { gate: defaultGate(), bare: bareProgram() };
  const start = async (name: keyof typeof programs) => {
    const before = performance.now();
    const program = await startProgram(programs[name], name === 'gate' ? isReady : () => true);
    const took = performance.now() - before;
    await sleep(name === 'gate' ? idle : 500);
    const resident = residentMemory(program.pid);
    await program.stop();
    return { took, resident };
  };
  // The first round makes the certificate, the secret and the databases.
  const figures = await interleave(pace, { gate: () => start('gate'), bare: () => start('bare') });
  const times = { gate: each(figures.gate, 'took'), bare: each(figures.bare, 'took') };
  const idleMemory = median(each(figures.gate, 'resident'));
  const seconds = Math.max(2, 60 * pace.scale);
  const loaded = await memoryAfterLoad(seconds);
  return {
    title: 'Memory and start',
    how: `The program as \`script/server\` runs it, with the default configuration; both find what V8 compiled at an earlier start (\`NODE_COMPILE_CACHE\`). The time runs from the start of \`node\` to the log line \`ready\`; memory (VmRSS) is read ${idle / 1_000} seconds later (of the bare server after half of one). Another process is asked for \`/auth\` at full load for ${count(seconds)} seconds, by a neighbour, another URL each time.`,
    tables: [
      {
        head: ['', 'from `node` to ready', 'against bare', 'resident memory, idle'],
        rows: [
          [
            'the gate',
            milliseconds(median(times.gate)),
            ratioText(times.gate, times.bare),
            memory(idleMemory),
          ],
          [
            'bare `node:http`',
            milliseconds(median(times.bare)),
            '1',
            memory(median(each(figures.bare, 'resident'))),
          ],
        ],
      },
      {
        head: [`after ${count(seconds)} seconds of \`/auth\` at full load`, 'answers/s', 'resident memory'],
        rows: [['the gate', count(loaded.rate), memory(loaded.memory)]],
      },
    ],
    targets: [
      atMostMemory('resident memory, idle, default configuration', 75, idleMemory),
      atMostMemory(
        `resident memory after ${count(seconds)} seconds of \`/auth\` at full load`,
        200,
        loaded.memory,
      ),
      atMost('from `node` to ready, against bare `node:http`', 2.2, ratio(times.gate, times.bare)),
    ],
  };
}

function defaultGate(): Program {
  const directory = temporaryDirectory('default');
  const listen = { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' };
  writeFileSync(join(directory, 'config.yml'), stringify({ networking: { listen } }));
  return gateProgram({ SERVICE_CONFIG_DIR: directory });
}

/** JavaScript: Node would have to strip types at each start. */
const bareServer = `import { createServer } from 'node:http';
const server = createServer((_, response) => response.end());
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

function bareProgram(): Program {
  const file = join(temporaryDirectory('bare'), 'server.mjs');
  writeFileSync(file, bareServer);
  return { command: process.execPath, arguments: [file], environment: compileCache() };
}

async function memoryAfterLoad(seconds: number): Promise<{ readonly rate: number; readonly memory: number }> {
  const site = await openRecordedSite();
  const gate = await startGate(site.config);
  await roleVerified(gate.address);
  const identity = withCookie(tokenOf('neighbour'));
  const path = join(site.directory, 'requests');
  const { lines } = await writeAllowedRequests(path, gate.address, 'neighbour', identity, {
    count: 1_000_000,
  });
  const headers = authorizationRequest(identity, '/{record}');
  const { rate } = await saturate({
    address: gate.address,
    headers,
    seconds,
    records: { lines },
  });
  const resident = gate.residentMemory();
  await gate.close();
  return { rate, memory: resident };
}
