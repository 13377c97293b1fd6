import { authorizationRequest, startBareServer, withCookie } from './authorization-requests.ts';
import { startGate } from './gate-process.ts';
import { openRecordedSite, roleVerified, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { writeThumbnails, type Template, type Visitor } from './recorder-requests.ts';
import { atLeast, count, median, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { saturate } from './wrk.ts';

export const proxyConfig = {
  auth: { enabled: false },
  proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
};

/** As a sign-on proxy sends them. */
const signedOn = {
  'Remote-User': 'olaf',
  'Remote-Groups': 'viewer',
  'Remote-Email': 'olaf@cameras.example',
  'Remote-Name': 'Olaf',
};

/** Events whose thumbnails are asked about twice. */
const eventCount = 10_000;

type Who = 'admin' | 'viewer' | 'neighbour' | 'bearer' | 'proxy' | 'same';
type Passes = 'first' | 'second' | 'bare';

/** `/auth` as it is used, another URL each time, against bare `node:http` that gets the same requests. */
export async function measureAuth(pace: Pace): Promise<Section> {
  const site = await openRecordedSite((pace.rounds + 2) * eventCount * 2.5);
  const sessions = await startGate(site.config);
  const proxy = await startGate({ ...site.config, ...proxyConfig });
  await roleVerified(sessions.address);
  const cookie = (visitor: Visitor) => withCookie(tokenOf(visitor));
  const refused: Partial<Record<Visitor, readonly Template[]>> = {};
  const mixed = async (name: Who, visitor: Visitor, identity: Asked['identity'], gate = sessions) => {
    const written = await writeAllowedRequests(`${site.directory}/${name}`, gate.address, visitor, identity);
    refused[visitor] = written.refused;
    return { gate, identity, records: { lines: written.lines } };
  };
  const bearer = { Authorization: `Bearer ${tokenOf('viewer')}` };
  const asked: Record<Who, Asked> = {
    admin: await mixed('admin', 'admin', cookie('admin')),
    viewer: await mixed('viewer', 'viewer', cookie('viewer')),
    neighbour: await mixed('neighbour', 'neighbour', cookie('neighbour')),
    bearer: await mixed('bearer', 'viewer', bearer),
    proxy: await mixed('proxy', 'viewer', signedOn, proxy),
    same: { gate: sessions, identity: cookie('viewer') },
  };
  const names = Object.keys(asked) as Who[];
  const variants: Record<string, () => Promise<number>> = {};
  for (const name of names) {
    const { gate, identity, records } = asked[name];
    const bare = await startBareServer(gate.address, authorizationRequest(identity));
    const headers = authorizationRequest(identity, records === undefined ? undefined : '/{record}');
    const load = { headers, seconds: pace.seconds, ...(records && { records }) };
    variants[name] = async () => (await saturate({ ...load, address: gate.address })).rate;
    variants[`bare ${name}`] = async () => (await saturate({ ...load, address: bare.address })).rate;
  }
  const figures = await interleave(pace, variants);
  const passes = await measurePasses(pace, site.directory, sessions.address, cookie('neighbour'));
  for (const gate of [sessions, proxy]) await gate.close();

  const of = (name: Who) => figures[name] ?? [];
  const bareOf = (name: Who) => figures[`bare ${name}`] ?? [];
  const row = (title: string, rates: readonly number[], bare: readonly number[]) => [
    title,
    count(median(rates)),
    count(median(bare)),
    ratioText(rates, bare),
  ];
  const least = Math.min(
    ...(['admin', 'viewer', 'neighbour'] as const).map((name) => ratio(of(name), bareOf(name))),
  );
  return {
    title: '/auth, another URL each time',
    how: `wrk (32 connections, one thread) asks over TCP what nginx would ask about the pages of Frigate's UI (\`script/measure/recorder-pages.tsv\`), each request with another camera, event, review, time or file; what a page asks for many times occurs more often. The bare server is a \`node:http\` server in a process of its own that gets the same requests, and answers with the header lines of the gate. A neighbour has a role that is limited to two cameras; the recorder's database has the camera of each event, review and export. ${count(eventCount)} thumbnails: each event is asked about once (first pass) and once more (second pass), other events in each round.`,
    tables: [
      {
        head: ['who is asking, about what', 'gate, answers/s', 'bare node:http, answers/s', 'gate / bare'],
        rows: [
          row('session cookie, admin', of('admin'), bareOf('admin')),
          row('session cookie, viewer', of('viewer'), bareOf('viewer')),
          row('session cookie, neighbour', of('neighbour'), bareOf('neighbour')),
          row(`neighbour, ${count(eventCount)} thumbnails, first pass`, passes.first, passes.bare),
          row(`neighbour, ${count(eventCount)} thumbnails, second pass`, passes.second, passes.bare),
          row('session token as bearer, viewer', of('bearer'), bareOf('bearer')),
          row('headers of a sign-on proxy, viewer', of('proxy'), bareOf('proxy')),
          row('session cookie, viewer, the same URL again and again', of('same'), bareOf('same')),
        ],
      },
    ],
    notes: [refusedText(refused)],
    targets: [
      atLeast(
        '`/auth`, session cookie, another URL each time, against bare `node:http`: the least of admin, viewer and neighbour',
        0.8,
        least,
      ),
      atLeast(
        `the same of a role limited to cameras, thumbnails of ${count(eventCount)} events, second pass`,
        0.7,
        ratio(passes.second, passes.bare),
      ),
      atLeast('the same, first pass', 0.35, ratio(passes.first, passes.bare)),
      atLeast('`/auth`, session cookie, the same URL, against bare', 0.8, ratio(of('same'), bareOf('same'))),
      atLeast(
        '`/auth`, headers of a proxy, another URL each time, against bare',
        0.8,
        ratio(of('proxy'), bareOf('proxy')),
      ),
    ],
  };
}

interface Asked {
  readonly gate: { readonly address: string };
  readonly identity: Readonly<Record<string, string>>;
  /** Absent: the same URL again and again. */
  readonly records?: { readonly lines: string };
}

/** Two passes over the thumbnails of events not requested before, in each round. */
async function measurePasses(
  pace: Pace,
  directory: string,
  gate: string,
  identity: Readonly<Record<string, string>>,
): Promise<Readonly<Record<Passes, readonly number[]>>> {
  const bare = await startBareServer(gate, authorizationRequest(identity));
  const headers = authorizationRequest(identity, '/{record}');
  let from = 0;
  let lines = '';
  const pass = async (address: string) => {
    const load = { headers, seconds: 10, limit: eventCount };
    return (await saturate({ ...load, address, records: { lines, from: 0 } })).rate;
  };
  return interleave(pace, {
    first: () => {
      // Beyond those that the mix of requests names.
      from += eventCount;
      lines = writeThumbnails(directory, from, eventCount);
      return pass(gate);
    },
    second: () => pass(gate),
    bare: () => pass(bare.address),
  });
}

function refusedText(refused: Partial<Record<Visitor, readonly Template[]>>): string {
  const parts = Object.entries(refused).map(([visitor, templates]) => {
    const uris = templates.map(
      ({ uri }) => `\`${uri.replace(/[{}]/g, (brace) => (brace === '{' ? '<' : '>'))}\``,
    );
    return `${visitor}: ${uris.length === 0 ? 'nothing' : [...new Set(uris)].join(', ')}`;
  });
  return `What the gate refuses is left out. ${parts.join('; ')}.`;
}
