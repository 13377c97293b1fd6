import { authorizationRequest, browserHeaders, withCookie } from './authorization-requests.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { openRecordedSite, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { templatesOf, writeRequests } from './recorder-requests.ts';
import { count, median, type Section } from './report.ts';
import { interleave, ratioText, type Pace } from './rounds.ts';
import { saturate } from './wrk.ts';

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
    path: '/auth',
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
  /** Microseconds of processor time that each answer took. */
  const spent: Record<string, number[]> = {};
  const variant = (way: Way, gate: GateProcess, isSigning: boolean) => async () => {
    const before = gate.processorTime();
    const load =
      way === 'front'
        ? { ...passed, address: gate.front }
        : { ...asked, address: gate.address, connections: way === 'auth' ? 32 : 1 };
    const { rate } = await saturate(load);
    const took = gate.processorTime() - before;
    (spent[`${way}${isSigning}`] ??= []).push((took / (rate * pace.seconds)) * 1e6);
    return rate;
  };
  const figures = await interleave(pace, {
    auth: variant('auth', without, false),
    'auth signed': variant('auth', signing, true),
    'auth alone': variant('auth alone', without, false),
    'auth alone signed': variant('auth alone', signing, true),
    front: variant('front', without, false),
    'front signed': variant('front', signing, true),
  });
  await Promise.all([without.close(), signing.close()]);

  const row = (title: string, way: Way) => [
    title,
    count(median(figures[way])),
    count(median(figures[`${way} signed`])),
    ratioText(figures[`${way} signed`], figures[way]),
    [false, true].map((isSigning) => count(median(spent[`${way}${isSigning}`] ?? []))).join(' and '),
  ];
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
