import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  closeJournal,
  filesToWrite,
  hashOf,
  readJournal,
  requireWritable,
  restoreFiles,
  writeFiles,
} from '../../../src/adopt/files.ts';
import { describeNext } from '../../../src/adopt/next-steps.ts';
import { removeImported } from '../../../src/accounts/users/import-users.ts';
import { createUsers } from '../../../src/accounts/users/users.ts';
import { systemClock } from '../../../src/clock.ts';
import { unconditional } from '../../../src/store/permit.ts';
import { temporaryDirectory, temporaryStore } from '../store/temporary-store.ts';
import { files, frigateDirectory, ownPlace, planOf, secret } from './frigate-directories.ts';

const original = files['0.17'];
const textOf = (path: string) => readFileSync(path, 'utf8');
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** A directory of Frigate, and what Postern has, read again for each plan. */
function place() {
  const directory = frigateDirectory(original);
  const { directory: own } = ownPlace();
  const plan = (wishes = {}) => {
    const path = join(own, 'config.yml');
    const text = existsSync(path) ? textOf(path) : undefined;
    return planOf(directory, ownPlace({ directory: own, text }), wishes);
  };
  const undo = async () => {
    const journal = readJournal(own);
    if (journal === undefined) throw new Error('nothing was adopted');
    return restoreFiles(own, journal);
  };
  return { directory, own, plan, undo, config: join(directory, 'config.yml') };
}

test('writes beside Frigate, a second time nothing, and puts everything back', async () => {
  const { directory, own, plan, undo, config } = place();
  await writeFiles(plan());
  await closeJournal(own);
  expect(textOf(config)).toBe(original);
  expect(readdirSync(directory).toSorted()).toEqual([
    'config.yml',
    'config.yml.before-postern',
    'config.yml.postern',
    'frigate.db',
    'postern_trusted_headers.conf',
  ]);
  expect(modeOf(join(own, 'config.yml'))).toBe(0o600);
  expect(modeOf(join(directory, 'config.yml.postern'))).toBe(0o600);
  expect(filesToWrite(plan({ newSecret: 'another' }))).toEqual([]);
  // The operator is told to do this.
  renameSync(join(directory, 'config.yml.postern'), config);
  expect(filesToWrite(plan({ newSecret: 'another' }))).toEqual([]);
  expect(filesToWrite(plan({ newSecret: 'another', writeFrigate: true }))).toEqual([]);
  await undo();
  expect(textOf(config)).toBe(original);
  expect(readdirSync(directory)).toEqual(['config.yml', 'frigate.db']);
  expect(readdirSync(own)).toEqual([]);
});

test('behind nginx, writes the file by which it sends the secret, for its group', async () => {
  const { own, plan, undo } = place();
  mkdirSync(own);
  const behindNginx = (more = '') =>
    writeFileSync(
      join(own, 'config.yml'),
      `networking: { forward_auth: { authenticated: 'unix:/run/postern/authenticated.sock' } }\n${more}`,
    );
  behindNginx();
  const made = plan();
  await writeFiles(made);
  const file = join(own, 'tls', 'recorder-secret.conf');
  expect(textOf(file)).toBe(`default "${secret}";\n`);
  expect(modeOf(file)).toBe(0o640);
  expect(describeNext(made)).toContain(`  install -m 640 -g www-data ${file} /etc/postern/tls/`);
  expect(filesToWrite(plan())).toEqual([]);
  await undo();
  expect(existsSync(file)).toBe(false);
  // nginx would read these characters in its own way.
  behindNginx('recorder: { auth_secret: "a$b" }\n');
  expect(plan()).toMatchObject({
    secretFile: undefined,
    notes: expect.arrayContaining([expect.stringContaining('nginx cannot send recorder.auth_secret')]),
  });
});

test("replaces Frigate's file with a copy, its mode kept, and removes the one beside it", async () => {
  const { directory, plan, config } = place();
  await writeFiles(plan());
  await writeFiles(plan({ writeFrigate: true }));
  expect(textOf(config)).toContain('remote-role');
  expect(modeOf(config)).toBe(0o640);
  expect(textOf(`${config}.before-postern`)).toBe(original);
  expect(existsSync(join(directory, 'config.yml.postern'))).toBe(false);
});

test('a run that was killed after any of its files is finished by the next, with one secret', async () => {
  const { length } = place().plan().files;
  for (let written = 0; written <= length; written += 1) {
    const { plan, own, config } = place();
    const whole = plan({ writeFrigate: true });
    await writeFiles({ ...whole, files: whole.files.slice(0, written) });
    expect(readJournal(own)?.done).toBe(false);
    await writeFiles(plan({ writeFrigate: true, newSecret: 'of-the-second-run' }));
    const secret = /auth_secret: (\S+)/.exec(textOf(config))?.[1];
    expect(textOf(join(own, 'config.yml'))).toContain(`auth_secret: ${secret}`);
    expect(textOf(`${config}.before-postern`)).toBe(original);
  }
});

test('or is undone', async () => {
  const { length } = place().plan().files;
  for (let written = 0; written <= length; written += 1) {
    const { plan, own, undo, config, directory } = place();
    const whole = plan({ writeFrigate: true });
    await writeFiles({ ...whole, files: whole.files.slice(0, written) });
    await undo();
    expect(textOf(config)).toBe(original);
    expect(readdirSync(directory)).toEqual(['config.yml', 'frigate.db']);
    expect(readdirSync(own)).toEqual([]);
  }
});

test('a file that was changed since it was read is not replaced', async () => {
  const { own, plan, config } = place();
  const made = plan({ writeFrigate: true });
  appendFileSync(config, 'snapshots: {enabled: true}\n');
  await expect(writeFiles(made)).rejects.toThrow(`${config} was changed meanwhile: run adopt again`);
  expect(existsSync(own)).toBe(false);
});

test('a byte order mark stays', async () => {
  const { plan, config, undo } = place();
  writeFileSync(config, `\uFEFF${original}`);
  await writeFiles(plan({ writeFrigate: true }));
  expect(textOf(config)).toMatch(/^\uFEFFversion/);
  await undo();
  expect(textOf(config)).toBe(`\uFEFF${original}`);
});

test('an undo loses nothing that was changed since', async () => {
  const { own, plan, undo, config } = place();
  await writeFiles(plan({ writeFrigate: true }));
  appendFileSync(config, 'snapshots: {enabled: true}\n');
  appendFileSync(join(own, 'config.yml'), 'contact: me\n');
  const said = await undo();
  expect(textOf(config)).toBe(`${original}snapshots: {enabled: true}\n`);
  expect(textOf(`${config}.before-postern`)).toBe(original);
  expect(textOf(join(own, 'config.yml.undone'))).toContain('contact: me');
  expect(existsSync(join(own, 'config.yml'))).toBe(false);
  expect(said.join('\n')).toContain('config.yml.undone');
});

test.each(['config.yml.postern', 'config.yml.before-postern', 'postern_trusted_headers.conf'])(
  'a link in the directory of Frigate leads nowhere: %s',
  async (name) => {
    for (const end of ['', '.before-postern', '.new']) {
      const { directory, own, plan } = place();
      const other = join(temporaryDirectory(), 'other');
      writeFileSync(other, 'of another');
      symlinkSync(other, join(directory, `${name}${end}`));
      await writeFiles(plan()).catch(() => undefined);
      expect(textOf(other)).toBe('of another');
      const texts = readdirSync(directory).filter(
        (path) => path !== `${name}${end}` && !path.endsWith('.db'),
      );
      for (const path of texts) expect(textOf(join(directory, path))).not.toContain('of another');
      if (end === '') expect(existsSync(own)).toBe(false);
    }
  },
);

test('nor does one that is there at the undo', async () => {
  for (const end of ['', '.before-postern', '.undone']) {
    const { directory, own, plan, undo } = place();
    const other = join(temporaryDirectory(), 'other');
    writeFileSync(other, 'of another');
    const path = join(directory, 'postern_trusted_headers.conf');
    if (end === '.before-postern') writeFileSync(path, 'of Frigate');
    await writeFiles(plan());
    if (end === '.undone') appendFileSync(path, '# changed');
    rmSync(`${path}${end}`, { force: true });
    symlinkSync(other, `${path}${end}`);
    const said = await undo();
    expect(textOf(other)).toBe('of another');
    expect(said).toContainEqual(expect.stringContaining('symbolic link'));
    const others = readdirSync(directory).filter((name) => !name.endsWith('.db') && !name.endsWith(end));
    for (const name of others) expect(textOf(join(directory, name))).not.toContain('of another');
    expect(readJournal(own)).toBeUndefined();
  }
});

test('a directory that cannot be written to is named before anything is', () => {
  const { plan } = place();
  const { files: planned } = plan();
  expect(() => requireWritable(planned, '/dev/null/postern')).toThrow(
    '/dev/null cannot be written to (EACCES)',
  );
});

test('users are removed as they were imported; changed ones stay, and one admin for them', async () => {
  const store = await temporaryStore();
  const users = createUsers(store, systemClock);
  const add = (username: string, role: string) =>
    users.add({ username, role, passwordHash: `hash of ${username}` }, unconditional);
  await add('admin', 'admin');
  await add('alice', 'viewer');
  await add('olaf', 'operator');
  const imported = [
    ['admin', 'admin'],
    ['alice', 'viewer'],
    ['olaf', 'operator'],
  ].map(([username = '', role = '']) => ({
    username,
    role,
    isHash: (hash: string) => hashOf(hash) === hashOf(`hash of ${username}`),
  }));
  await users.setRole('olaf', 'viewer', unconditional);
  expect(await removeImported(store, imported)).toEqual({ removed: ['alice'], stayed: ['admin', 'olaf'] });
  await users.remove('olaf', unconditional);
  expect(await removeImported(store, imported)).toEqual({ removed: ['admin'], stayed: [] });
});
