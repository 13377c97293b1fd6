import { join } from 'node:path';
import { freePort } from '../../test/support/ports.ts';
import { browserHeaders, withCookie } from './authorization-requests.ts';
import { measureScript, startProgram } from './child.ts';
import { startGate } from './gate-process.ts';
import { openRecordedSite, tokenOf } from './recorded-site.ts';
import { templatesOf, writeRequests } from './recorder-requests.ts';
import { sizes } from './recorder.ts';
import { atLeast, count, median, type Section, type Table } from './report.ts';
import { interleave, ratio, ratioText, type Figures, type Pace } from './rounds.ts';
import { runNginx } from './run-nginx.ts';
import { temporaryDirectory } from './running.ts';
import { saturate } from './wrk.ts';

type Kind = keyof typeof sizes;
type Way = 'front' | 'recorder' | 'proxy' | 'nginx';

const kinds = {
  picture: { title: `a picture (${kibibytes(sizes.picture)})`, of: /latest\.webp/, connections: 32 },
  segment: { title: `a segment (${kibibytes(sizes.segment)})`, of: /\.m4s$/, connections: 8 },
  list: { title: `a list (${kibibytes(sizes.list)})`, of: /^\/api\/review\?before/, connections: 32 },
} as const satisfies Record<Kind, { title: string; of: RegExp; connections: number }>;

/** What the embedded front passes on, against other proxies before the same recorder. */
export async function measureFront(pace: Pace): Promise<Section> {
  const site = await openRecordedSite();
  const gate = await startGate(site.fronted);
  const bare = await startProgram(
    measureScript('bare-proxy.ts', `http://${site.recorder.media}`),
    () => true,
  );
  const addresses: Readonly<Record<Way, string>> = {
    front: gate.front,
    recorder: site.recorder.media,
    proxy: bare.lines[0] ?? '',
    nginx: await startProxy(site.recorder.media),
  };
  const headers = { Host: 'cameras.example', ...browserHeaders, ...withCookie(tokenOf('viewer')) };

  const figures: Partial<Record<Kind, Figures<Way>>> = {};
  for (const [kind, { of, connections }] of Object.entries(kinds) as Array<[Kind, (typeof kinds)[Kind]]>) {
    const templates = templatesOf('viewer').filter(({ uri }) => of.test(uri));
    const lines = writeRequests(join(site.directory, kind), 'viewer', templates, 100_000);
    const rate = async (address: string) => {
      const load = { address, path: '/{record}', headers, connections, seconds: pace.seconds };
      const { rate: answers, bytes } = await saturate({ ...load, records: { lines } });
      // Answers that are under way at the end make it more, but nothing makes it less.
      if (bytes < answers * sizes[kind]) throw new Error(`${address}: not the whole ${kind}`);
      return answers;
    };
    figures[kind] = await interleave(pace, {
      front: () => rate(addresses.front),
      recorder: () => rate(addresses.recorder),
      proxy: () => rate(addresses.proxy),
      nginx: () => rate(addresses.nginx),
    });
  }
  await gate.close();
  const all = figures as Record<Kind, Figures<Way>>;
  const against = (kind: Kind, way: Way) => ratio(all[kind].front, all[kind][way]);
  return {
    title: 'Embedded front',
    how: `wrk asks with the session cookie of a viewer, another URL each time (${kinds.picture.connections} connections, ${kinds.segment.connections} for segments, one thread). The recorder is nginx with one worker, which has the bodies in memory. Before it stands the embedded front; a \`node:http\` server that passes everything on by undici's \`stream\`; nginx with one worker, kept connections and the buffers of \`nginx/postern\`; or nothing. There is no TLS.`,
    tables: (Object.keys(kinds) as Kind[]).map((kind) => tableOf(kind, all[kind])),
    targets: [
      atLeast(
        'embedded front, a picture of 20 KB, against a bare `node:http` reverse proxy by undici',
        0.9,
        against('picture', 'proxy'),
      ),
      atLeast('embedded front, a segment of 2 MB, against nginx', 0.8, against('segment', 'nginx')),
    ],
  };
}

function tableOf(kind: Kind, figures: Figures<Way>): Table {
  const row = (title: string, way: Way) => [
    title,
    count(median(figures[way])),
    count((median(figures[way]) * sizes[kind]) / 1e6),
    ratioText(figures.front, figures[way]),
  ];
  return {
    head: [kinds[kind].title, 'answers/s', 'MB/s', 'embedded front / this'],
    rows: [
      row('the embedded front', 'front'),
      row('bare `node:http` and undici', 'proxy'),
      row('nginx', 'nginx'),
      row('the recorder alone', 'recorder'),
    ],
  };
}

function kibibytes(bytes: number): string {
  return `${count(bytes / 1_024)} KiB`;
}

/** nginx as a reverse proxy, with nothing to decide. */
async function startProxy(recorder: string): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`;
  await runNginx(
    temporaryDirectory('proxy'),
    `upstream recorder { server ${recorder}; keepalive 64; }
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_buffering off;
  proxy_buffer_size 32k;
  proxy_buffers 4 32k;
  proxy_max_temp_file_size 0;
  server {
    listen ${address};
    location / { proxy_pass http://recorder; }
  }`,
  );
  return address;
}
