import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorizationRequest, browserHeaders, withCookie } from './authorization-requests.ts';
import { startGate } from './gate-process.ts';
import { openRecordedSite, tokenOf, writeAllowedRequests } from './recorded-site.ts';
import { templatesOf, writeRequests } from './recorder-requests.ts';
import type { Section } from './report.ts';
import type { Pace } from './rounds.ts';
import { temporaryDirectory } from './running.ts';
import { saturate, type Load } from './wrk.ts';

/** Who takes the processor time of the gate's main thread; what it waits for is left out. */
const owners = ['system calls', 'Node', 'garbage collection', 'undici', 'Postern', 'the rest of V8'] as const;
type Owner = (typeof owners)[number];

type Profiled = (address: { readonly auth: string; readonly front: string }) => Omit<Load, 'seconds'>;

/** What a gate spends its time on: what stands between it and a bare server. */
export async function measureProfile(pace: Pace): Promise<Section> {
  const site = await openRecordedSite();
  const config = site.fronted;
  const cookie = withCookie(tokenOf('viewer'));
  const asking = await startGate(config);
  const { lines } = await writeAllowedRequests(`${site.directory}/asked`, asking.address, 'viewer', cookie);
  await asking.close();
  const passed = (of: RegExp, connections: number): Profiled => {
    const templates = templatesOf('viewer').filter(({ uri }) => of.test(uri));
    const records = {
      lines: writeRequests(join(site.directory, of.source.replace(/\W/g, '')), 'viewer', templates, 50_000),
    };
    const headers = { Host: 'cameras.example', ...browserHeaders, ...cookie };
    return ({ front }) => ({ address: front, path: '/{record}', headers, connections, records });
  };
  const profiled: Readonly<Record<string, Profiled>> = {
    '`/auth`, session cookie of a viewer': ({ auth }) => ({
      address: auth,
      headers: authorizationRequest(cookie, '/{record}'),
      records: { lines },
    }),
    'embedded front, a picture of 20 KB': passed(/latest\.webp/, 32),
    'embedded front, a segment of 2 MB': passed(/\.m4s$/, 8),
  };
  const rows: string[][] = [];
  for (const [title, loadOf] of Object.entries(profiled)) {
    const directory = temporaryDirectory('profile');
    const gate = await startGate(config, 'port', undefined, {
      NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}`,
    });
    await saturate({ ...loadOf({ auth: gate.address, front: gate.front }), seconds: 10 * pace.seconds });
    await gate.close();
    const shares = sharesIn(directory);
    rows.push([title, ...owners.map((owner) => `${Math.round((shares.get(owner) ?? 0) * 100)} %`)]);
  }
  return {
    title: 'What the time goes to',
    how: 'A gate that V8 profiles (`--cpu-prof`) is asked by wrk for ten seconds. Each column is a share of the processor time of its main thread: system calls, such as writing an answer; the JavaScript of Node, such as its HTTP; the collection of garbage; undici, which asks the recorder; and Postern with its other packages. A bare server spends the first two as well.',
    tables: [{ head: ['', ...owners], rows }],
  };
}

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }>;
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

/** @returns the shares of the longest profile in a directory: that of the main thread */
function sharesIn(directory: string): ReadonlyMap<Owner, number> {
  const texts = readdirSync(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
  const [text = ''] = texts.toSorted((one, other) => other.length - one.length);
  const { nodes, samples, timeDeltas } = JSON.parse(text) as Profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<Owner, number>();
  let total = 0;
  for (const [i, id] of samples.entries()) {
    const owner = ownerOf(frames.get(id));
    if (owner === undefined) continue;
    const time = timeDeltas[i] ?? 0;
    total += time;
    times.set(owner, (times.get(owner) ?? 0) + time);
  }
  return new Map([...times].map(([owner, time]) => [owner, time / total]));
}

function ownerOf(frame: Profile['nodes'][number]['callFrame'] | undefined): Owner | undefined {
  const { functionName = '', url = '' } = frame ?? {};
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (/undici|^wasm/.test(url) && !url.startsWith('node:')) return 'undici';
  if (url.startsWith('node:')) return 'Node';
  if (url.startsWith('file:')) return 'Postern';
  return /^(?:write|shutdown|read|accept)/.test(functionName) ? 'system calls' : 'the rest of V8';
}
