import { atMost, count, milliseconds, percentile, type Section } from './report.ts';
import type { Pace } from './rounds.ts';
import { viewerToken } from './session-tokens.ts';
import { measureFaults, wrongTarget } from './revocations-under-faults.ts';
import { asker, logOut, startThreeGates, type ThreeGates } from './three-gates.ts';

/** How soon all gates refuse what one has revoked, and whether one ever does so too late. */
export async function measureRevocations(pace: Pace): Promise<Section> {
  const house = await startThreeGates();
  const revocations = Math.max(3, Math.round(1_000 * pace.scale));
  // Milliseconds, of each other gate.
  const times: number[] = [];
  for (let done = 0; done < revocations; done += 1) times.push(...(await revokeOnce(house)));
  const faults = await measureFaults(house, 100_000 * pace.scale);
  await house.close();
  return {
    title: 'Revocation on several gates',
    how: `Three gates have one PostgreSQL. A session that all know is ended at one of them while the others are asked about it without a pause: the time runs from the answer of the logout to the first refusal of another, ${count(revocations)} times. Then faults come and go on the link of the third gate, or PostgreSQL is killed and started again, and sessions end at the first meanwhile: an answer that allows is wrong when its question was sent a second or more after the answer of the logout.`,
    tables: [
      {
        head: ['from the answer of the logout to the first refusal', ''],
        rows: [
          ['p50', milliseconds(percentile(times, 0.5))],
          ['p99', milliseconds(percentile(times, 0.99))],
          ['greatest', milliseconds(percentile(times, 1))],
        ],
      },
      faults.table,
    ],
    targets: [
      atMost('revocation at another gate, p99, milliseconds', 100, percentile(times, 0.99)),
      wrongTarget(faults.wrong),
    ],
  };
}

async function revokeOnce({ gates: [first, ...others] }: ThreeGates): Promise<readonly number[]> {
  const token = viewerToken();
  const watches = others.map((gate) => {
    const { ask, [Symbol.dispose]: close } = asker(gate);
    const known = Promise.withResolvers<void>();
    const refused = (async () => {
      while ((await ask(token)) === 200) known.resolve();
      const at = performance.now();
      close();
      return at;
    })();
    return { known: Promise.race([known.promise, refused]), refused };
  });
  await Promise.all(watches.map(({ known }) => known));
  if (!(await logOut(first, token))) throw new Error('the logout was refused');
  const revoked = performance.now();
  const refused = await Promise.all(watches.map((watch) => watch.refused));
  return refused.map((at) => Math.max(0, at - revoked));
}
