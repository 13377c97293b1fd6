import { startGate } from './gate-process.ts';
import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { openRecordedSite, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { atMost, count, median, milliseconds, type Section } from './report.ts';
import { responseTimes, type ResponseTimes } from './response-times.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
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
  const load = { path: '/auth', headers, seconds: pace.seconds, records: { lines } };
  const { max } = await interleave(pace, {
    max: async () => (await saturate({ ...load, address: gate.address })).rate,
  });
  const rate = median(max) / 2;

  const times: Record<'gate' | 'bare', ResponseTimes[]> = { gate: [], bare: [] };
  const at = async (name: keyof typeof times, address: string) => {
    const measured = await responseTimes({ address, headers, lines, rate, seconds: pace.seconds });
    times[name].push(measured);
    return measured.p99;
  };
  const figures = await interleave(pace, {
    gate: () => at('gate', gate.address),
    bare: () => at('bare', bare.address),
  });
  await gate.close();

  // The first round is not counted here either.
  const middle = (name: keyof typeof times, figure: keyof ResponseTimes) =>
    milliseconds(median(times[name].slice(1).map((measured) => measured[figure])));
  const row = (title: string, name: keyof typeof times, against: string) => [
    title,
    middle(name, 'p50'),
    middle(name, 'p99'),
    middle(name, 'most'),
    against,
  ];
  return {
    title: '/auth at a fixed rate',
    how: `A client in a process of its own asks for \`/auth\` with the session cookie of a viewer, another URL each time, ${count(rate)} times a second, half of what wrk gets out of the gate in the same run, over 32 connections. It sends on a schedule whatever the answers do, and the time of an answer runs from the moment at which its request was due: a pause of the server counts for every request that had to wait for it.`,
    tables: [
      {
        head: ['', 'p50', 'p99', 'longest', 'p99 against bare (least – greatest)'],
        rows: [
          row('gate', 'gate', ratioText(figures.gate, figures.bare)),
          row('bare `node:http`, at the same rate', 'bare', '1'),
        ],
      },
    ],
    targets: [
      atMost('p99 of `/auth` at half the load, against bare', 1.5, ratio(figures.gate, figures.bare)),
    ],
  };
}
