import { startGate } from './gate-process.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { openRecordedSite, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { atMost, count, median, milliseconds, type Section } from './report.ts';
import { responseTimes, type ResponseTimes } from './response-times.ts';
import { each, interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { saturate } from './wrk.ts';

/** How long an answer of `/auth` takes at half of what the gate can do. */
export async function measurePace(pace: Pace): Promise<Section> {
  const site = await openRecordedSite();
  const gate = await startGate(site.config);
  const identity = withCookie(tokenOf('viewer'));
  const path = `${site.directory}/requests`;
  const { lines } = await writeAllowedRequests(path, gate.address, 'viewer', identity);
  const headers = authorizationRequest(identity, '/{record}');
  const bare = await startBareServer(gate.address, authorizationRequest(identity));
  const load = { headers, seconds: pace.seconds, records: { lines } };
  const { max } = await interleave(pace, { max: () => saturate({ ...load, address: gate.address }) });
  const rate = median(each(max, 'rate')) / 2;

  const at = (address: string) => responseTimes({ address, headers, lines, rate, seconds: pace.seconds });
  const figures = await interleave(pace, { gate: () => at(gate.address), bare: () => at(bare.address) });
  await gate.close();

  const p99 = { gate: each(figures.gate, 'p99'), bare: each(figures.bare, 'p99') };
  const row = (title: string, times: readonly ResponseTimes[], against: string) => [
    title,
    ...(['p50', 'p99', 'most'] as const).map((figure) => milliseconds(median(each(times, figure)))),
    against,
  ];
  return {
    title: '/auth at a fixed rate',
    how: `A client asks for \`/auth\` with the session cookie of a viewer, another URL each time, ${count(rate)} times a second, half of what wrk gets out of the gate, over 32 connections. The time of an answer runs from the moment at which its request was due: a pause counts for every request that had to wait.`,
    tables: [
      {
        head: ['', 'p50', 'p99', 'longest', 'p99 against bare'],
        rows: [
          row('gate', figures.gate, ratioText(p99.gate, p99.bare)),
          row('bare `node:http`, at the same rate', figures.bare, '1'),
        ],
      },
    ],
    targets: [atMost('p99 of `/auth` at half the load, against bare', 1.5, ratio(p99.gate, p99.bare))],
  };
}
