import { authorizationRequest, browserHeaders, withCookie } from './authorization-requests.ts';
import { saturateGate, startGate, type GateProcess } from './gate-process.ts';
import { openRecordedSite, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { templatesOf, writeRequests } from './recorder-requests.ts';
import { atLeast, count, median, type Section } from './report.ts';
import { each, interleave, ratio, ratioText, type Pace } from './rounds.ts';

type Way = 'auth' | 'auth alone' | 'front';

/** What a request costs more whose service can check that the gate has asked. */
export async function measureAssertions(pace: Pace): Promise<Section> {
  const site = await openRecordedSite();
  const config = site.fronted;
  const without = await startGate(config);
  const assertion = { enabled: true, audience: 'recorder' };
  const signing = await startGate({ ...config, assertion });
  const prefixes = await startGate({ ...config, assertion: { ...assertion, covers: 'prefix' } });
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
    'auth prefixes': variant('auth', prefixes),
    'auth alone': variant('auth alone', without),
    'auth alone signed': variant('auth alone', signing),
    front: variant('front', without),
    'front signed': variant('front', signing),
    'front prefixes': variant('front', prefixes),
  });
  await Promise.all([without, signing, prefixes].map((gate) => gate.close()));

  const row = (title: string, way: Way, kind: 'signed' | 'prefixes' = 'signed') => {
    const signed = figures[`${way} ${kind}` as keyof typeof figures];
    const unsigned = figures[way];
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
    how: `wrk asks with the session cookie of a viewer, another URL each time: \`/auth\`, and the embedded front for pictures of 20 KB. One gate has \`assertion.enabled\`, one also \`assertion.covers: prefix\`, and one neither. Processor time is that of the whole process.`,
    tables: [
      {
        head: [
          'answers/s',
          'without',
          'with assertions',
          'with / without',
          'processor time of an answer, µs',
        ],
        rows: [
          row('`/auth`, 32 connections', 'auth'),
          row('`/auth`, one connection', 'auth alone'),
          row('embedded front, a picture', 'front'),
          row('`/auth`, 32 connections, `covers: prefix`', 'auth', 'prefixes'),
          row('embedded front, a picture, `covers: prefix`', 'front', 'prefixes'),
        ],
      },
    ],
    targets: [
      atLeast(
        '`/auth` with assertions that cover a prefix, against without',
        0.6,
        ratio(each(figures['auth prefixes'], 'rate'), each(figures.auth, 'rate')),
      ),
    ],
  };
}
