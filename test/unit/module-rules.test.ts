import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractRules from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { expect, onTestFinished, test } from 'vitest';

const rules = await extractRules(join(import.meta.dirname, '..', '..', '.dependency-cruiser.cjs'));

/** @returns what the rules forbid in a tree of files */
async function complaints(files: Readonly<Record<string, string>>): Promise<string> {
  const tree = mkdtempSync(join(tmpdir(), 'postern-modules-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const { exitCode, output } = await cruise(['src'], {
    ...rules.options,
    ruleSet: rules,
    validate: true,
    baseDir: tree,
    outputType: 'err-long',
  });
  return exitCode === 0 ? '' : (output as string);
}

const value = 'export const x = 1;\n';
const importOf = (path: string) => `import { x } from '${path}';\nexport const y = x;\n`;

test.each<[what: string, files: Readonly<Record<string, string>>, says: RegExp | undefined]>([
  ['a leaf', { 'src/api/a.ts': importOf('../errors.ts'), 'src/errors.ts': value }, undefined],
  [
    'policy, of the database',
    { 'src/policy/a.ts': importOf('../store/b.ts'), 'src/store/b.ts': value },
    /policy imports .*[\s\S]*pure/,
  ],
  [
    'policy, of a file system',
    { 'src/policy/a.ts': "import { readFileSync } from 'node:fs';\nexport const y = readFileSync;\n" },
    /policy is pure[\s\S]*values alone/,
  ],
  [
    'the store, of what uses it',
    { 'src/store/a.ts': importOf('../identity/b.ts'), 'src/identity/b.ts': value },
    /store imports[\s\S]*the same for all/,
  ],
  [
    'an endpoint, of the store',
    { 'src/api/a.ts': importOf('../store/b.ts'), 'src/store/b.ts': value },
    /api imports[\s\S]*never the store/,
  ],
  [
    'the embedded front, of the pipeline',
    { 'src/http/reverse-proxy/a.ts': importOf('../../access/b.ts'), 'src/access/b.ts': value },
    /reverse-proxy imports[\s\S]*by parameter/,
  ],
  [
    'two files, of each other',
    {
      'src/http/tls/a.ts': importOf('./b.ts'),
      'src/http/tls/b.ts': "import { y } from './a.ts';\nexport const x = () => y;\n",
    },
    /no cycle of files/,
  ],
  [
    'two folders, of each other, by different files',
    {
      'src/store/a.ts': importOf('../telemetry/b.ts'),
      'src/telemetry/b.ts': value,
      'src/telemetry/c.ts': importOf('../store/d.ts'),
      'src/store/d.ts': value,
    },
    /no cycle of folders[\s\S]*neither can be understood/,
  ],
  [
    'three folders, in a circle',
    {
      'src/api/a.ts': importOf('../identity/b.ts'),
      'src/identity/b.ts': value,
      'src/identity/c.ts': importOf('../store/d.ts'),
      'src/store/d.ts': value,
      'src/store/e.ts': importOf('../api/f.ts'),
      'src/api/f.ts': value,
    },
    /no cycle of folders/,
  ],
  [
    'a module that has no rule',
    { 'src/novel/a.ts': importOf('../errors.ts'), 'src/errors.ts': value },
    /every module has its rule/,
  ],
  [
    'a database opened elsewhere',
    { 'src/identity/a.ts': "import { DatabaseSync } from 'node:sqlite';\nexport const y = DatabaseSync;\n" },
    /sqlite belongs to store/,
  ],
])('an import by %s', async (_, files, says) => {
  if (says === undefined) expect(await complaints(files)).toBe('');
  else expect(await complaints(files)).toMatch(says);
});
