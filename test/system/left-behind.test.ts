import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { projectRoot } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';
import { canHere } from '../support/can-here.ts';

const waitOptions = { timeout: patience, interval: 100 };
const networking = 'networking: { listen: { authenticated: off, internal: "127.0.0.1:0" } }\n';

/** The process in a mount namespace of its own, as in a container. The trusted headers come from elsewhere by a bind mount. */
async function start(mounted: 'the file' | 'its directory') {
  const root = mkdtempSync(join(tmpdir(), 'postern-mount-'));
  const [config, source, place] = [join(root, 'config'), join(root, 'source'), join(root, 'place')];
  for (const directory of [config, source, place]) mkdirSync(directory);
  writeFileSync(join(config, 'config.yml'), `${networking}auth: { enabled: false }\n`);
  const name = 'proxy_trusted_headers.conf';
  for (const directory of [source, place]) copyFileSync(join(projectRoot, name), join(directory, name));
  const [from, to] = mounted === 'the file' ? [join(source, name), join(place, name)] : [source, place];
  const script = 'mount --bind "$1" "$2"; exec "$3" "$4"';
  const child = spawn(
    ...([
      'unshare',
      [
        '--mount',
        'bash',
        '-euc',
        script,
        'bash',
        from,
        to,
        process.execPath,
        join(projectRoot, 'dist', 'main.js'),
      ],
    ] as const),
    {
      env: {
        PATH: process.env['PATH'],
        SERVICE_CONFIG_DIR: config,
        SERVICE_TRUSTED_HEADERS_FILE: join(place, name),
      },
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const linesWith = (text: string) => output.split('\n').filter((line) => line.includes(text));
  const waitFor = (text: string) =>
    vi.waitFor(() => expect(linesWith(text), output).not.toEqual([]), waitOptions);
  // It watches its files once it is ready, and records its start after that.
  await waitFor('"msg":"started"');
  const replace = (file: string) => execFileSync('sed', ['-i', '$a # another line', file]);
  return {
    config: join(config, 'config.yml'),
    list: join(source, name),
    seen: join(place, name),
    replace,
    linesWith,
    waitFor,
  };
}

test.runIf(canHere('root', process.getuid?.() === 0))(
  'a file that is mounted by itself and was replaced is a warning that says what to mount, once',
  async () => {
    const { config, list, seen, replace, linesWith, waitFor } = await start('the file');
    replace(list);
    await waitFor('"event":"file_left_behind"');
    // Two more looks at least, since a change counts with the second.
    replace(config);
    await waitFor('configuration reloaded');
    const said = linesWith('file_left_behind').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(said).toMatchObject([
      { level: 'warn', file: seen, msg: expect.stringMatching(/mount its directory/) },
    ]);
  },
);

test.runIf(canHere('root', process.getuid?.() === 0))(
  'below a directory that is mounted a replaced file is read again',
  async () => {
    const { list, replace, linesWith, waitFor } = await start('its directory');
    replace(list);
    await waitFor('configuration reloaded');
    expect(linesWith('file_left_behind')).toEqual([]);
  },
);
