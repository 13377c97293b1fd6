import { authorizationRequest, browserHeaders, withCookie } from './authorization-requests.ts';
import { saturateGate, startGate, type GateProcess } from './gate-process.ts';
import { openRecordedSite, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { templatesOf, writeRequests } from './recorder-requests.ts';
import { count, median, type Section } from './report.ts';
import { each, interleave, ratioText, type Pace } from './rounds.ts';

type Way = 'auth' | 'auth alone' | 'front';

/** What a request costs more whose service can check that the gate has asked. */
export async function measureAssertions(pace: Pace): Promise<Section> {
  const site = await openRecordedSite();
  const config = {
    ...site.config,
    upstream: `http://${site.recorder.media}`,
    networking: { listen: { authenticated: '127.0.0.1:0', internal: 'off' } },
    tls: { enabled: false },
  };
  const without = await startGate(config);
  const signing = await startGate({ ...config, assertion: { enabled: true, audience: 'recorder' } });
  const cookie = withCookie(tokenOf('viewer'));
  const { lines } = await writeAllowedRequests(`${site.directory}/asked`, without.address, 'viewer', cookie);
  const pictures = templatesOf('viewer').filter(({ uri }) => uri.includes('latest.webp'));
  const asked = {
    headers: authorizationRequest(cookie, '/{record}'),
    seconds: pace.seconds,
    records: { lines },
  };
  const passed = {
    path: '/{record}',
    headers: { Host: 'cameras.example', ...browserHeaders, ...cookie },
    seconds: pace.seconds,
    records: { lines: writeRequests(`${site.directory}/pictures`, 'viewer', pictures, 100_000) },
  };
  const loads = {
    auth: () => ({ ...asked, connections: 32 }),
    'auth alone': () => ({ ...asked, connections: 1 }),
    front: ({ front }: GateProcess) => ({ ...passed, address: front }),
  };
  const variant = (way: Way, gate: GateProcess) => () => saturateGate(gate, loads[way](gate));
  const figures = await interleave(pace, {
    auth: variant('auth', without),
    'auth signed': variant('auth', signing),
    'auth alone': variant('auth alone', without),
    'auth alone signed': variant('auth alone', signing),
    front: variant('front', without),
    'front signed': variant('front', signing),
  });
  await Promise.all([without.close(), signing.close()]);

  const row = (title: string, way: Way) => {
    const [unsigned, signed] = [figures[way], figures[`${way} signed`]];
    return [
      title,
      count(median(each(unsigned, 'rate'))),
      count(median(each(signed, 'rate'))),
      ratioText(each(signed, 'rate'), each(unsigned, 'rate')),
      [unsigned, signed].map((rounds) => count(median(each(rounds, 'processor')))).join(' and '),
    ];
  };
  return {
    title: 'Assertions',
    how: `wrk asks as above, with the session cookie of a viewer and another URL each time: \`/auth\` with 32 connections and with one, and the embedded front for pictures of 20 KB. One gate has \`assertion.enabled\`, the other has not. The processor time is that of the whole process, with the threads that sign.`,
    tables: [
      {
        head: [
          'answers/s',
          'without',
          'with assertions',
          'with / without (least – greatest)',
          'processor time of an answer, µs',
        ],
        rows: [
          row('`/auth`, 32 connections', 'auth'),
          row('`/auth`, one connection', 'auth alone'),
          row('embedded front, a picture', 'front'),
        ],
      },
    ],
  };
}
