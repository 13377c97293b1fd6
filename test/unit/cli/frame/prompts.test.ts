import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askWhether } from '../../../../src/cli/frame/prompts.ts';

test.each<[answer: string, whether: boolean]>([
  ['\n', true],
  ['y\n', true],
  ['yes\n', true],
  ['n\n', false],
  [' No \n', false],
  ['never\n', true],
])('the answer %j: %s', async (answer, whether) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = askWhether('End them?', input, output);
  input.write(answer);
  expect(await asked).toBe(whether);
  expect(String(output.read())).toContain('End them? [Y/n] ');
});
