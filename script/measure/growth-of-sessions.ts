import { cacheConfig, defaultCache, startGate, type GateProcess } from './gate-process.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { atLeast, count, median, type Section, type Target } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { viewerToken, writeTokens } from './session-tokens.ts';
import { saturate, type Records } from './wrk.ts';

const cookie = authorizationRequest(withCookie('{record}'));

/** Enough to fill the caches of the default configuration several times. */
const fillsDefault = 250_000;

/** Throughput and memory of `/auth` with more and more active sessions. */
export async function measureSessionsGrowth(pace: Pace): Promise<Section> {
  const tokens = writeTokens(temporaryDirectory('growth'), 1_000_000);
  const roomy = cacheConfig({ sessions: 2_048 });
  const gates = {
    ten: { sessions: 10, gate: await startGate(roomy) },
    thousand: { sessions: 1_000, gate: await startGate(roomy) },
    hundredThousand: { sessions: 100_000, gate: await startGate(roomy) },
    million: { sessions: 1_000_000, gate: await startGate(roomy) },
    byDefault: { sessions: 1_000_000, gate: await startGate({}) },
  };
  const bare = await startBareServer(gates.ten.gate.address, authorizationRequest(withCookie(viewerToken())));
  for (const { sessions, gate } of Object.values(gates))
    await visitAll(gate, tokens, gate === gates.byDefault.gate ? fillsDefault : sessions);

  const rate = async (address: string, sessions: number) => {
    const records = { ...tokens, count: sessions, order: 'random' } as const;
    return (await saturate({ address, path: '/auth', headers: cookie, seconds: pace.seconds, records })).rate;
  };
  const of = (name: keyof typeof gates) => () => rate(gates[name].gate.address, gates[name].sessions);
  const figures = await interleave(
    { rounds: 3 },
    {
      ten: of('ten'),
      thousand: of('thousand'),
      hundredThousand: of('hundredThousand'),
      million: of('million'),
      byDefault: of('byDefault'),
      bare: () => rate(bare.address, tokens.count),
    },
  );
  const memory = (name: keyof typeof gates) => gates[name].gate.residentMemory();
  const row = (title: string, name: keyof typeof gates) => [
    title,
    count(median(figures[name])),
    ratioText(figures[name], figures.ten),
    `${count(memory(name))} MiB`,
  ];
  const rows = [
    row('10', 'ten'),
    row('1,000', 'thousand'),
    row('100,000', 'hundredThousand'),
    row('1,000,000', 'million'),
    row('1,000,000, default configuration', 'byDefault'),
    [
      'bare `node:http`, 1,000,000 cookies',
      count(median(figures.bare)),
      ratioText(figures.bare, figures.ten),
      '',
    ],
  ];
  const more = memory('byDefault') - memory('ten');
  for (const { gate } of Object.values(gates)) await gate.close();
  return {
    title: 'Growth: sessions',
    how: `Each gate is asked with the cookies of as many sessions, of 1,000 users; each request takes one of them at random, and every session was seen once before (of the default configuration ${count(fillsDefault)}, which fill its caches). ${cachesText()} There are 3 rounds. Memory is what the process holds at the end (VmRSS); the bare server under the same load shows that wrk could have asked faster.`,
    tables: [
      { head: ['active sessions', 'answers/s', 'against 10 (least – greatest)', 'resident memory'], rows },
    ],
    targets: [
      atLeast('1,000,000 sessions against 10: throughput', 0.7, ratio(figures.million, figures.ten)),
      ...memoryTarget(more),
    ],
  };
}

function cachesText(): string {
  return defaultCache === undefined
    ? 'This Postern has no caches.'
    : `The gates have room for all of them (\`cache.sessions: 2048\`), but for the one with the default configuration (${defaultCache.sessions} MiB).`;
}

function memoryTarget(more: number): Target[] {
  if (defaultCache === undefined) return [];
  const bound = defaultCache.sessions;
  return [
    {
      measured: '1,000,000 sessions, default configuration: memory beyond that with 10',
      target: `<= ${bound} MiB, as configured`,
      value: `${count(more)} MiB`,
      met: more <= bound,
    },
  ];
}

/** Shows the gate so many sessions, one after the other. A Postern without caches would remember none. */
async function visitAll({ address }: GateProcess, tokens: Records, sessions: number): Promise<void> {
  if (defaultCache === undefined) return;
  // wrk runs for a time: it begins again where it ended, until it has used them all.
  const seconds = sessions > 10_000 ? 5 : 1;
  for (let from = 0; from < sessions;) {
    const records = { ...tokens, count: sessions, order: { from } };
    from += (await saturate({ address, path: '/auth', headers: cookie, seconds, records })).used;
  }
}
