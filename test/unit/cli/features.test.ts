import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { postern } from '../../support/postern-here.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

let directory: string;
const configure = (text: string) => writeFileSync(join(directory, 'config.yml'), text);
beforeEach(() => {
  directory = temporaryDirectory();
});

const commands = [
  ['tokens', 'api_tokens'],
  ['shares', 'shares'],
  ['displays', 'displays'],
] as const;

test.each(commands)('postern %s works while %s is on', async (command) => {
  configure('features: {push: false, invitations: false, access_requests: false}');
  expect(await postern(directory, [command, 'list'])).toEqual({ status: 0, output: '', errors: '' });
});

test.each(
  commands.flatMap(([command, feature]) =>
    [['list'], ['list', '--json'], ['end', 'x'], ['no-such-thing'], ['--help'], []].map(
      (more) => [[command, ...more].join(' '), command, feature] as const,
    ),
  ),
)('postern %s says that it is off', async (line, command, feature) => {
  configure('features: {api_tokens: false, shares: false, displays: false}');
  expect(await postern(directory, line.split(' '))).toEqual({
    status: 1,
    output: '',
    errors: `postern: postern ${command} is off, by features.${feature} in config.yml\n`,
  });
});

test('other commands work', async () => {
  configure('features: {api_tokens: false, shares: false, displays: false}');
  expect((await postern(directory, ['users', 'list'])).status).toBe(0);
  expect(await postern(directory, ['config', 'check'])).toMatchObject({ status: 0, errors: '' });
});

test('config check names what is missing', async () => {
  configure('features: {api_tokens: false}');
  expect(await postern(directory, ['config', 'check'])).toMatchObject({
    status: 78,
    errors: expect.stringContaining(
      'features.displays: found on, without features.api_tokens, allowed is false, or features.api_tokens: true',
    ) as string,
  });
});
