import * as v from 'valibot';
import { configurationSchema } from '../../src/config/schema.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { atLeast, atMostMemory, count, median, memory, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { viewerToken, writeTokens } from './session-tokens.ts';
import { saturate, type Records } from './wrk.ts';

const cookie = authorizationRequest(withCookie('{record}'));

/** Throughput and memory of `/auth` with more and more active sessions. */
export async function measureSessionsGrowth(pace: Pace): Promise<Section> {
  const most = 1_000_000 * pace.scale;
  const tokens = writeTokens(temporaryDirectory('growth'), most);
  const roomy = { cache: { sessions: 2_048 } };
  const { cache } = v.parse(configurationSchema, {});
  const gates = {
    ten: { sessions: 10, gate: await startGate(roomy) },
    thousand: { sessions: 1_000, gate: await startGate(roomy) },
    tenth: { sessions: most / 10, gate: await startGate(roomy) },
    most: { sessions: most, gate: await startGate(roomy) },
    byDefault: { sessions: most, gate: await startGate({}) },
  };
  const bare = await startBareServer(gates.ten.gate.address, authorizationRequest(withCookie(viewerToken())));
  await Promise.all(Object.values(gates).map(({ sessions, gate }) => visitAll(gate, tokens, sessions)));

  const rate = async (address: string, sessions: number) => {
    const records = { ...tokens, count: sessions, order: 'random' } as const;
    return (await saturate({ address, headers: cookie, seconds: pace.seconds, records })).rate;
  };
  const of = (name: keyof typeof gates) => () => rate(gates[name].gate.address, gates[name].sessions);
  const figures = await interleave(
    { rounds: Math.min(5, pace.rounds) },
    {
      ten: of('ten'),
      thousand: of('thousand'),
      tenth: of('tenth'),
      most: of('most'),
      byDefault: of('byDefault'),
      bare: () => rate(bare.address, tokens.count),
    },
  );
  const residentMemory = (name: keyof typeof gates) => gates[name].gate.residentMemory();
  const row = (title: string, name: keyof typeof gates) => [
    title,
    count(median(figures[name])),
    ratioText(figures[name], figures.ten),
    memory(residentMemory(name)),
  ];
  const rows = [
    row('10', 'ten'),
    row('1,000', 'thousand'),
    row(count(most / 10), 'tenth'),
    row(count(most), 'most'),
    row(`${count(most)}, default configuration`, 'byDefault'),
    [
      `bare \`node:http\`, ${count(most)} cookies`,
      count(median(figures.bare)),
      ratioText(figures.bare, figures.ten),
      '',
    ],
  ];
  const byDefault = residentMemory('byDefault');
  for (const { gate } of Object.values(gates)) await gate.close();
  return {
    title: 'Growth: sessions',
    how: `Each request takes one of so many sessions at random, of 1,000 users; every session was seen once before. The gates have room for all of them (\`cache.sessions: 2048\`), except the one with the default configuration (${cache.sessions} MiB). There are 5 rounds. Memory is what the process holds at the end (VmRSS).`,
    tables: [{ head: ['active sessions', 'answers/s', 'against 10', 'resident memory'], rows }],
    targets: [
      atLeast(
        `${count(most)} sessions at random, with room for them, against 10`,
        0.8,
        ratio(figures.most, figures.ten),
      ),
      atLeast(
        `${count(most)} sessions at random, default configuration, against 10`,
        0.5,
        ratio(figures.byDefault, figures.ten),
      ),
      atMostMemory(`resident memory after ${count(most)} sessions, default configuration`, 250, byDefault),
    ],
  };
}

/** Shows the gate so many sessions, one after the other. */
async function visitAll({ address }: GateProcess, tokens: Records, sessions: number): Promise<void> {
  const records = { ...tokens, count: sessions, order: { from: 0 } };
  // wrk does not wait for the last answers.
  const limit = sessions + 2 * 32;
  await saturate({ address, headers: cookie, seconds: 600, limit, records });
}
