import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Block } from './markdown.ts';
import { projectRoot } from './start-gateway.ts';

/** What came of a page whose blocks were run. */
export interface PageRun {
  /** Exit status of the first block that failed, or 0. */
  readonly status: number;
  /** What the blocks printed, in the order of the page. */
  readonly output: string;
}

/**
 * Runs the marked blocks of a page in their order, in one shell and a copy of the project, on a machine of its own as far as
 * ports go: a network namespace, so that 8971 and 5000 are free.
 *
 * - `sh runnable`: is run, and ends with 0, or with N when `exit=N` is there too.
 * - `sh runnable server`: runs until the next of its kind, or the end; the next block waits until it is ready.
 * - `file=path`: the block is the text of a file.
 */
export async function runPage(blocks: readonly Block[]): Promise<PageRun> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-page-'));
  try {
    copyProject(directory);
    writeFileSync(join(directory, 'page.sh'), scriptOf(blocks));
    const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
    // Killed with everything that it started.
    const child = spawn('unshare', [...user, '--net', '--pid', '--fork', '--kill-child', 'bash', 'page.sh'], {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: directory, TMPDIR: directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
    });
    return { status, output };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function copyProject(directory: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot });
  for (const path of listed.toString().split('\n').filter(Boolean)) {
    if (path.startsWith('test/') || path.startsWith('docs/images/')) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(projectRoot, path), join(directory, path), { preserveTimestamps: true });
  }
  cpSync(join(projectRoot, 'dist'), join(directory, 'dist'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith('.map'),
  });
  symlinkSync(join(projectRoot, 'node_modules'), join(directory, 'node_modules'));
}

const start = `
ip link set lo up
server=
end_server() { [ -z "$server" ] || { kill -- "-$server"; wait "$server" || true; }; }
start_server() {
  end_server
  : >.server-output
  setsid bash -c "$1" >.server-output 2>&1 &
  server=$!
  for _ in $(seq 600); do
    ! grep -q '"msg":"ready"' .server-output || return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  cat .server-output
  echo 'the server did not start'
  exit 1
}
`;

function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.map(({ marks, code, line }) => {
    const file = marks.find((mark) => mark.startsWith('file='))?.slice('file='.length);
    if (file !== undefined) return `mkdir -p '${dirname(file)}'\n${written(code, `cat >'${file}'`)}`;
    if (marks.includes('server')) return `start_server "$(${written(code, 'cat')})"`;
    const exit = marks.find((mark) => mark.startsWith('exit='))?.slice('exit='.length) ?? '0';
    const failed = `{ echo "the block of line ${line} ended with $status"; end_server; exit 1; }`;
    return `set ${exit === '0' ? '-e' : '+e'}\n${code}\nstatus=$?\nset -e\n[ "$status" = ${exit} ] || ${failed}`;
  });
  return ['set -eu', start, `trap 'echo "stopped with $?"' ERR`, ...parts, 'end_server', ''].join('\n');
}

function written(code: string, command: string): string {
  return `${command} <<'END OF BLOCK'\n${code.replace(/\n?$/, '\n')}END OF BLOCK\n`;
}

/** Statuses that blocks promise in comments: `# 200: why`. */
export function promisedStatuses(blocks: readonly Block[]): string[] {
  return blocks
    .filter(({ marks }) => marks.includes('runnable') && !marks.includes('server'))
    .flatMap(({ code }) => [...code.matchAll(/# (\d{3})\b/g)].map(([, status = '']) => status));
}
