import { resolveConfiguration } from '../../src/config/resolve.ts';
import { ownPathsOf } from '../../src/api/own-paths.ts';
import { loadFeatures } from '../../src/features/index.ts';
import { everyFeature } from '../../src/policy/features.ts';
import { settingsOf } from '../../src/access/settings/settings.ts';
import { evaluate } from '../../src/policy/evaluate/evaluate.ts';
import { count, median, type Section } from './report.ts';
import { ratioText } from './rounds.ts';

const { rules: ownRules } = ownPathsOf(await loadFeatures(everyFeature));

const roleCount = 1_000;
const rounds = 5;
const decisions = 20_000;

/** What one decision costs with few and with many cameras, roles and rules; nothing of HTTP is in it. */
export function measureDecide(): Promise<Section> {
  const sizes = [
    { cameras: 10, rules: 0 },
    { cameras: 100, rules: 100 },
    { cameras: 10_000, rules: 1_000 },
  ];
  const deciders = sizes.map((size) => decider(size));
  const rates: number[][] = sizes.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [i, decide] of deciders.entries()) {
      const before = performance.now();
      for (let n = 0; n < decisions; n += 1) decide(n);
      // The first round only warms up.
      if (round > 0) rates[i]?.push((decisions / (performance.now() - before)) * 1_000);
    }
  }
  return Promise.resolve({
    title: 'Decisions',
    how: `What one decision costs when the user is known, with ${count(roleCount)} roles of ten cameras each, without HTTP, and with nothing remembered.`,
    tables: [
      {
        head: ['cameras', 'rules', 'decisions/s', 'against the first'],
        rows: sizes.map(({ cameras, rules }, i) => [
          count(cameras),
          count(rules),
          count(median(rates[i] ?? [])),
          ratioText(rates[i] ?? [], rates[0] ?? []),
        ]),
      },
    ],
  });
}

function decider({
  cameras: count,
  rules: ruleCount,
}: {
  cameras: number;
  rules: number;
}): (n: number) => void {
  const cameras = Array.from({ length: count }, (_, i) => `camera_${i}`);
  const roles = Object.fromEntries(
    Array.from({ length: roleCount }, (_, i) => [`role_${i}`, cameras.slice(i % count, (i % count) + 10)]),
  );
  const rules = Array.from({ length: ruleCount }, (_, i) => ({
    path: `/api/plugin_${i}/:camera/**`,
    require: 'camera-in-path',
  }));
  const configuration = resolveConfiguration(
    { auth: { roles }, cameras, access: { rules } },
    { environment: {}, trustedHeaders: new Set(), trustedHeadersFile: '' },
  );
  const nothing = () => [];
  const recorder = {
    cameras: nothing,
    camerasOfEvents: () => new Map<string, string>(),
    camerasOfExport: nothing,
    camerasOfReview: nothing,
    startsOfEvents: () => new Map<string, number>(),
    startsOfExport: nothing,
    startsOfReview: nothing,
  };
  const settings = settingsOf(configuration, ownRules, recorder, {
    listsAreFiltered: () => true,
    roleAtRecorder: () => ({ state: 'verified' }),
  });
  const paths = [
    '/api/$/latest.jpg',
    '/recordings/2026-10-01/12/$/00.00.mp4',
    '/clips/$-1793000276.376447-de8gxd.jpg',
    '/live/mse/api/ws?src=$',
  ];
  return (n) => {
    const role = `role_${n % roleCount}`;
    const uri = (paths[n % paths.length] ?? '').replace('$', `camera_${n % count}`);
    const identity = { user: 'u', role, source: 'proxy', groups: '', email: '', name: '' } as const;
    evaluate(
      { entryPoint: 'authenticated', method: 'GET', uri, headers: [], host: undefined, secure: true },
      { identity },
      settings.rules,
    );
  };
}
