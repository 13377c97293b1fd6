import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proxyConfig } from './auth.ts';
import { startGate } from './gate-process.ts';
import { authorizationRequest } from './authorization-requests.ts';
import { count, median, memory, type Section } from './report.ts';
import { interleave, ratioText, type Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { saturate } from './wrk.ts';

const rules = Array.from({ length: 1_000 }, (_, i) => ({
  path: `/api/plugin_${i}/:camera/**`,
  require: 'camera-in-path',
}));

/** Throughput and memory of `/auth` with more and more cameras, roles and rules. */
export async function measureCamerasGrowth(pace: Pace): Promise<Section> {
  const path = join(temporaryDirectory('cameras'), 'numbers');
  writeFileSync(path, Array.from({ length: 10_000 }, (_, i) => number(i)).join(''));
  const gates = {
    one: { size: 1, gate: await startGate(configOf(1)) },
    hundred: { size: 100, gate: await startGate(configOf(100)) },
    rules: { size: 100, gate: await startGate({ ...configOf(100), access: { rules } }) },
    tenThousand: { size: 10_000, gate: await startGate(configOf(10_000)) },
  };
  const headers = authorizationRequest(
    { 'Remote-User': 'olaf', 'Remote-Groups': 'role_{record}' },
    '/api/camera_{record}/latest.jpg',
  );
  const of = (name: keyof typeof gates) => async () => {
    const { gate, size } = gates[name];
    const records = { path, count: size, length: 5, order: 'random' } as const;
    const load = { address: gate.address, headers, seconds: pace.seconds, records };
    return (await saturate(load)).rate;
  };
  const figures = await interleave(
    { rounds: Math.min(3, pace.rounds) },
    { one: of('one'), hundred: of('hundred'), rules: of('rules'), tenThousand: of('tenThousand') },
  );
  const row = (name: keyof typeof gates) => [
    count(gates[name].size),
    name === 'rules' ? count(rules.length) : '0',
    count(median(figures[name])),
    ratioText(figures[name], figures.one),
    memory(gates[name].gate.residentMemory()),
  ];
  const rows = [row('one'), row('hundred'), row('rules'), row('tenThousand')];
  for (const { gate } of Object.values(gates)) await gate.close();
  return {
    title: 'Growth: cameras, roles and rules',
    how: `Each role has one camera, and each request is for a picture of the camera of its user, whom a proxy names. The rules of the operator are for other paths. There are 3 rounds.`,
    tables: [
      {
        head: ['cameras and roles', 'rules of the operator', 'answers/s', 'against 1', 'resident memory'],
        rows,
      },
    ],
  };
}

function number(i: number): string {
  return String(i).padStart(5, '0');
}

function configOf(size: number): Record<string, unknown> {
  const numbers = Array.from({ length: size }, (_, i) => number(i));
  return {
    ...proxyConfig,
    auth: {
      ...proxyConfig.auth,
      roles: Object.fromEntries(numbers.map((n) => [`role_${n}`, [`camera_${n}`]])),
    },
    cameras: numbers.map((n) => `camera_${n}`),
  };
}
