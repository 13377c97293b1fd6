import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, userOf } from '../support/log-in.ts';
import { patience } from '../support/patience.ts';
import { answerGate, pathOf } from '../support/recorder-profile.ts';
import { listenOnLoopback } from '../support/reverse-proxy.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* Runs what the guide says about programs, with those that this machine has, against a recorder with real media. */

const guide = readFileSync(join(projectRoot, 'docs/api-tokens.md'), 'utf8');
const rows = [...guide.matchAll(/^\| [^|]+ \| (at once|when asked) +\| `([^`]+)` +\|$/gm)].map(
  ([, when = '', command = '']) => ({ when, command }),
);
const [, script = ''] = /^```python\n([^]+?)^```$/m.exec(guide) ?? [];

const data = (name: string) => readFileSync(join(import.meta.dirname, '../data', name));
/** Four seconds of H.264, whose first part tells how to read the second. */
const video = data('live.mp4');
const fragmentAt = video.indexOf('moof') - 4;
const playlist = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  '#EXT-X-TARGETDURATION:4',
  '#EXT-X-MAP:URI="init-v1.mp4"',
  '#EXTINF:4.0,',
  'seg-1-v1.m4s',
  '#EXT-X-ENDLIST',
  '',
].join('\n');
const media: ReadonlyArray<readonly [end: string, type: string, content: string | Buffer]> = [
  ['/latest.jpg', 'image/jpeg', data('picture.jpg')],
  ['/clip.mp4', 'video/mp4', video],
  ['/index.m3u8', 'application/vnd.apple.mpegurl', playlist],
  ['/init-v1.mp4', 'video/mp4', video.subarray(0, fragmentAt)],
  ['/seg-1-v1.m4s', 'video/mp4', video.subarray(fragmentAt)],
];

const directory = mkdtempSync(join(tmpdir(), 'postern-programs-'));
let recorder: Awaited<ReturnType<typeof listenOnLoopback>>;
let gateway: RunningGateway;
let token: string;
/** What was answered, and for whom. */
let answered: string[];

beforeAll(async () => {
  recorder = await listenOnLoopback(
    createServer((request, response) => {
      if (answerGate(request, response, { cameras: ['garage'], roles: {} })) return;
      const path = pathOf(request.url);
      const [end = '', type, content] = media.find(([name]) => path.endsWith(name)) ?? [];
      answered.push(`${String(request.headers['remote-user'])}: ${end}`);
      response.writeHead(type === undefined ? 404 : 200, { 'content-type': type }).end(content);
    }),
  );
  gateway = await startGateway({
    config: { tls: { enabled: false }, cameras: ['garage'], upstream: recorder.origin },
  });
  const address = gateway.addresses.forwardAuthAuthenticated ?? '';
  const vera = await userOf(await adminOf(gateway, address), address, 'vera', 'viewer');
  const { body } = await vera.send('POST', '/postern/api/tokens', { name: 'player', role: 'viewer' });
  ({ token } = JSON.parse(body) as { token: string });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
  rmSync(directory, { recursive: true, force: true });
});

const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** @returns what the command got, and how often the gate asked it for the password */
async function run(command: string, ...parameters: readonly string[]) {
  answered = [];
  const refused = gateway.log.length;
  const cwd = mkdtempSync(join(directory, 'run-'));
  await promisify(execFile)(command, parameters, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      postern: `http://token:${token}@${gateway.addresses.authenticated}`,
    },
  });
  const asked = gateway.log.slice(refused).filter(({ reason }) => reason === 'no_session').length;
  return { answered: new Set(answered), asked };
}

test.for(rows)('$command', { timeout: patience }, async ({ when, command }, { skip }) => {
  const [program = ''] = command.split(' ', 1);
  skip(!isThere(program), `needs ${program}`);
  skip(program === 'cvlc' && process.getuid?.() === 0, 'VLC does not run as root');
  const got = await run('sh', '-c', `${command} </dev/null`);
  const [, name = ''] = /(\/[\w.]+)"/.exec(command) ?? [];
  const names = name === '/index.m3u8' ? [name, '/init-v1.mp4', '/seg-1-v1.m4s'] : [name];
  expect(got.answered).toEqual(new Set(names.map((each) => `vera: ${each}`)));
  expect(got.asked > 0).toBe(when === 'when asked');
});

test('Python', { timeout: patience }, async ({ skip }) => {
  skip(!isThere('python3'), 'needs python3');
  const mine = script
    .replaceAll('https://cameras.example', `http://${gateway.addresses.authenticated}`)
    .replace('postern_…', token);
  expect(await run('python3', '-c', mine)).toEqual({ answered: new Set(['vera: /latest.jpg']), asked: 1 });
});

test('the guide has every program', () => {
  const programs = rows.map(({ command }) => command.split(' ', 1)[0]);
  expect(new Set(programs)).toEqual(new Set(['curl', 'wget', 'ffmpeg', 'ffprobe', 'mpv', 'cvlc']));
});
