import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { growth } from '../../script/measure/growth.ts';
import { ofPage } from '../../script/measure/page.ts';
import { projectRoot } from '../support/start-gateway.ts';

const run = promisify(execFile);

test.each([...ofPage, growth])(
  'script/bench --quick $name measures every figure',
  async ({ name, title }) => {
    const bench = join(projectRoot, 'script', 'measure', 'bench.ts');
    const { stdout } = await run(process.execPath, [bench, '--quick', name]);
    expect(stdout).toContain(`## ${title}`);
    expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
  },
);
