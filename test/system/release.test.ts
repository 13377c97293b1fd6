import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { copyProject } from '../support/copied-project.ts';
import { linksOf } from '../support/markdown.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};
const name = `postern-${version}`;
/** Seconds since the epoch. */
const committedAt = 1_700_000_000;

const scratch = mkdtempSync(join(tmpdir(), 'postern-release-'));
const project = join(scratch, 'project');
const made = join(project, 'dist', 'release');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const dated = `${committedAt} +0000`;
const environment = {
  PATH: `${join(scratch, 'bin')}:${process.env['PATH']}`,
  HOME: scratch,
  GIT_AUTHOR_DATE: dated,
  GIT_COMMITTER_DATE: dated,
};
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
    cwd: project,
    env: environment,
    encoding: 'utf8',
  });

function release(args: readonly string[], more: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      'bash',
      ['script/release', ...args],
      { cwd: project, env: { ...environment, ...more } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

/** An engine that makes no image, and prints how it was called. */
function writeEngine(): void {
  const engine = join(scratch, 'bin', 'docker');
  mkdirSync(dirname(engine));
  writeFileSync(engine, '#!/bin/sh\necho "docker $*"\n');
  chmodSync(engine, 0o755);
}

const digest = (letter: string) => `docker.io/library/base@sha256:${letter.repeat(64)}`;
const images = { NODE_IMAGE: digest('a'), DEBIAN_IMAGE: digest('b') };
let printed: string;

beforeAll(async () => {
  copyProject(project);
  writeEngine();
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'release');
  const run = await release([version], images);
  expect(run.code, run.stderr).toBe(0);
  printed = run.stdout;
});

describe('script/release makes', () => {
  test('an archive, its bill of materials, notes, and the right sums of them', () => {
    const files = [`${name}.cdx.json`, `${name}.tar.gz`, 'RELEASE_NOTES.md', 'SHA256SUMS'];
    expect(readdirSync(made).toSorted()).toEqual(files.toSorted());
    const summed = files.filter((file) => file !== 'SHA256SUMS').toSorted();
    const sums = summed.map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(made, file)))
          .digest('hex')}  ${file}\n`,
    );
    expect(readFileSync(join(made, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
  });

  test('notes of the entry in CHANGELOG.md, with what it was built from', () => {
    const notes = readFileSync(join(made, 'RELEASE_NOTES.md'), 'utf8');
    expect(notes).toMatch(new RegExp(`^# Postern ${version.replaceAll('.', '\\.')}\n\n`));
    const [, ...entries] = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8').split(/^## /m);
    const isReleased = (entry: string) => entry.startsWith(`${version}\n`);
    const textOf = (entry: string) => entry.slice(entry.indexOf('\n')).trim();
    expect(entries.filter(isReleased)).toHaveLength(1);
    for (const entry of entries)
      expect(notes.includes(textOf(entry)), entry.split('\n')[0]).toBe(isReleased(entry));
    expect(notes).toContain(`Built from commit ${git('rev-parse', 'HEAD').trim()}.`);
    for (const image of Object.values(images)) expect(notes).toContain(image);
  });

  test('an archive with everything that runs, and nothing else', () => {
    const list = execFileSync('tar', ['-tvzf', `${name}.tar.gz`, '--numeric-owner'], {
      cwd: made,
      env: { ...environment, TZ: 'UTC' },
      encoding: 'utf8',
      maxBuffer: 16 * 1_024 ** 2,
    });
    const lines = list.trim().split('\n');
    const paths = lines.map((line) => line.slice(line.indexOf(name)));
    for (const path of [
      'dist/main.js',
      'dist/postern.js',
      'dist/health.js',
      'dist/licences.md',
      'dist/sbom.cdx.json',
      'dist/web/index.html',
      'nginx/nginx.conf',
      'docs/systemd/postern.service',
      'docs/openapi.json',
      'proxy_trusted_headers.conf',
      'package.json',
      'LICENSE',
    ])
      expect(paths).toContain(`${name}/${path}`);
    const pages = paths.filter((path) => path.endsWith('.md')).map((path) => path.slice(name.length + 1));
    const linked = pages.flatMap((page) =>
      linksOf(readFileSync(join(projectRoot, page), 'utf8'))
        .map((link) => link.split('#', 1)[0] ?? '')
        .filter((link) => link !== '' && !link.includes(':'))
        .map((link) => `${name}/${join(dirname(page), link)}`),
    );
    expect(linked.length).toBeGreaterThan(100);
    expect(linked.filter((path) => !paths.includes(path) && !paths.includes(`${path}/`))).toEqual([]);
    expect(paths.filter((path) => path.startsWith(`${name}/data/`)).length).toBeGreaterThan(1);
    const [top, ...rest] = [...new Set(paths.map((path) => path.split('/')[0]))];
    expect([top, rest]).toEqual([name, []]);
    expect(paths.filter((path) => /\.(map|ts|tsx|test\.js)$|node_modules|\/\.|\/src\//.test(path))).toEqual(
      [],
    );
    // The same wherever it is made: no names of users, one time, one order, one set of modes.
    const inOrder = (path: string) => Buffer.from(path.replaceAll('/', '\0'));
    expect(paths).toEqual(paths.toSorted((a, b) => Buffer.compare(inOrder(a), inOrder(b))));
    expect(lines.filter((line) => !/^(?:-rw-r--r--|-rwxr-xr-x|drwxr-xr-x) 0\/0 /.test(line))).toEqual([]);
    const time = new Date(committedAt * 1_000).toISOString().slice(0, 16).replace('T', ' ');
    expect(lines.filter((line) => !line.includes(` ${time} `))).toEqual([]);
  });

  test('a bill of materials without a time or a number of its own, with every package that has a licence', () => {
    const text = readFileSync(join(made, `${name}.cdx.json`), 'utf8');
    const bill = JSON.parse(text) as {
      bomFormat: string;
      serialNumber?: string;
      metadata: { timestamp?: string; component: { name: string; version: string } };
      components: { name: string; version?: string; hashes?: { alg: string; content: string }[] }[];
    };
    expect([bill.bomFormat, bill.serialNumber, bill.metadata.timestamp]).toEqual([
      'CycloneDX',
      undefined,
      undefined,
    ]);
    expect(bill.metadata.component).toMatchObject({ name: 'postern', version });
    const listed = bill.components.map((part) => `${part.name}@${part.version ?? ''}`).toSorted();
    const licences = readFileSync(join(projectRoot, 'dist', 'licences.md'), 'utf8');
    const licensed = [...licences.matchAll(/^## (\S+)(?: - (\S+))? \(/gm)].map(
      ([, part, at = '']) => `${part}@${at}`,
    );
    expect(listed).toEqual(licensed.toSorted());
    for (const part of ['hono', 'jose', 'preact']) {
      const found = bill.components.find((component) => component.name === part);
      expect(found?.hashes?.[0], part).toMatchObject({ alg: 'SHA-512' });
    }
  });

  test('both images from the digests, with the commit as their revision', () => {
    const builds = printed.split('\n').filter((line) => line.startsWith('docker build'));
    expect(builds).toHaveLength(2);
    for (const [index, target] of ['gateway', 'front'].entries()) {
      expect(builds[index]).toContain(`--target ${target} -t postern-${target}:${version} `);
      expect(builds[index]).toContain(`NODE_IMAGE=${images.NODE_IMAGE} `);
      expect(builds[index]).toContain(`DEBIAN_IMAGE=${images.DEBIAN_IMAGE} `);
      expect(builds[index]).toContain(`image.revision=${git('rev-parse', 'HEAD').trim()} `);
    }
  });

  test('a program that starts where it is unpacked, and answers', async () => {
    const unpacked = join(scratch, 'unpacked');
    mkdirSync(join(unpacked, 'config'), { recursive: true });
    execFileSync('tar', ['-xzf', join(made, `${name}.tar.gz`), '-C', unpacked]);
    const socketPath = join(unpacked, 'internal.sock');
    const listen = ['authenticated', 'internal'].map(
      (key) => `    ${key}: unix:${join(unpacked, key)}.sock\n`,
    );
    writeFileSync(
      join(unpacked, 'config', 'config.yml'),
      `tls:\n  enabled: false\nnetworking:\n  listen:\n${listen.join('')}`,
    );
    const running = spawn(process.execPath, ['dist/main.js'], {
      cwd: join(unpacked, name),
      env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: join(unpacked, 'config') },
    });
    let log = '';
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (chunk) => (log += String(chunk)));
    onTestFinished(async () => {
      if (running.exitCode === null) {
        running.kill();
        await once(running, 'exit');
      }
    });
    await vi.waitFor(() => expect(log).toContain('"msg":"ready"'), { timeout: patience });
    const ask = (path: string) =>
      new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        request({ socketPath, path, headers: { Host: 'localhost' } }, (answer) => {
          let body = '';
          answer.on('data', (chunk) => (body += String(chunk)));
          answer.on('end', () => resolve({ status: answer.statusCode, body }));
        })
          .on('error', reject)
          .end();
      });
    expect((await ask('/healthz')).status).toBe(200);
    const page = await ask('/postern/');
    expect([page.status, page.body.includes('<title>')]).toEqual([200, true]);
    expect((await ask('/api/events?limit=1')).body).toContain('"camera"');
  });
});

describe('script/release refuses', () => {
  test.each<[what: string, args: readonly string[], environment: Record<string, string>, message: string]>([
    ['no version', [], images, 'give a version'],
    ['a word', ['latest'], images, 'give a version'],
    ['a version that package.json has not', ['99.0.0'], images, 'package.json has another version'],
    ['a base image by its tag', [version], { ...images, NODE_IMAGE: 'node:26-slim' }, 'NODE_IMAGE must name'],
    ['no base image', [version], { NODE_IMAGE: images.NODE_IMAGE }, 'DEBIAN_IMAGE must name'],
    ['a short digest', [version], { ...images, DEBIAN_IMAGE: 'x@sha256:12' }, 'DEBIAN_IMAGE must name'],
    ['an unknown option', [version, '--fast'], images, 'unknown: --fast'],
  ])('%s', async (_, args, more, message) => {
    const run = await release(args, more);
    expect([run.code, run.stderr.includes(message)], run.stderr).toEqual([1, true]);
    expect(existsSync(made)).toBe(true);
  });

  test.each<[what: string, file: string, change: (text: string) => string, commit: boolean, message: string]>(
    [
      ['a change that is not committed', 'README.md', (text) => `${text}\n`, false, 'not committed'],
      ['an unknown file', 'unknown', () => 'unknown', false, 'not committed'],
      [
        'an entry that CHANGELOG.md has not',
        'CHANGELOG.md',
        (text) => text.replace(`## ${version}`, '## 0.0.1'),
        true,
        'CHANGELOG.md has no entry',
      ],
      [
        'a label of another version',
        'Dockerfile',
        (text) => text.replace(`version="${version}"`, 'version="0.0.1"'),
        true,
        'a label in the Dockerfile',
      ],
    ],
  )('%s', async (_, file, change, commit, message) => {
    const path = join(project, file);
    writeFileSync(path, change(existsSync(path) ? readFileSync(path, 'utf8') : ''));
    onTestFinished(() => {
      git('reset', '-q', '--hard', commit ? 'HEAD^' : 'HEAD');
      git('clean', '-qfd');
    });
    if (commit) git('commit', '-qam', 'change');
    const run = await release([version, '--no-images']);
    expect([run.code, run.stderr.includes(message)], run.stderr).toEqual([1, true]);
  });
});
