import { startGate } from './gate-process.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { atLeast, count, median, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { viewerToken, writeTokens } from './session-tokens.ts';
import { saturate, type Records } from './wrk.ts';

/** Far more than any gate answers in a second. */
const tokensPerSecond = 30_000;

/** `/auth` with tokens that were never seen before. */
export async function measureCold(pace: Pace): Promise<Section> {
  const gate = await startGate({});
  const tokens = writeTokens(temporaryDirectory('cold'), tokensPerSecond * pace.seconds * (pace.rounds + 1));
  const warmHeaders = authorizationRequest(withCookie(viewerToken()));
  const coldHeaders = authorizationRequest(withCookie('{record}'));
  const bareServer = await startBareServer(gate.address, warmHeaders);
  let from = 0;
  const fresh = async (address: string, records: Records & { order: { from: number } }) =>
    saturate({ address, headers: coldHeaders, seconds: pace.seconds, records });

  const figures = await interleave(pace, {
    warm: async () =>
      (await saturate({ address: gate.address, headers: warmHeaders, seconds: pace.seconds })).rate,
    cold: async () => {
      const { rate, used } = await fresh(gate.address, { ...tokens, order: { from } });
      from += used;
      if (from > tokens.count) throw new Error(`${tokens.count} tokens were not enough`);
      return rate;
    },
    bare: async () => (await fresh(bareServer.address, { ...tokens, order: { from: 0 } })).rate,
  });
  await gate.close();

  const { warm, cold, bare } = figures;
  return {
    title: '/auth, cold',
    how: `Every cold request has a session cookie that the gate has never seen, each of a session of its own, of 1,000 users in turn. The bare server gets the same requests.`,
    tables: [
      {
        head: ['', 'answers/s', 'against bare'],
        rows: [
          ['cold: each token once', count(median(cold)), ratioText(cold, bare)],
          ['warm: one token again and again', count(median(warm)), ratioText(warm, bare)],
          ['bare `node:http`, each token once', count(median(bare)), '1'],
        ],
      },
    ],
    targets: [atLeast('`/auth`, a token at first sight, against bare', 0.16, ratio(cold, bare))],
  };
}
