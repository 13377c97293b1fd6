import { afterAll, beforeAll, expect, test } from 'vitest';
import { visitor } from '../../support/log-in.ts';
import { postern } from '../../support/postern-here.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['front', 'garage'],
      auth: { enabled: false, roles: { family: ['front'] } },
      proxy: { header_map: { user: 'remote-user', role: 'remote-groups' } },
    },
  });
});
afterAll(() => gateway.close());

const explain = (args: readonly string[], directory = gateway.directory) =>
  postern(directory, ['explain', ...args]);

const asFamily = ['--header', 'Remote-User: olaf', '--header', 'Remote-Groups: family'];

test.each<[args: readonly string[], status: number, said: readonly string[]]>([
  [['--role', 'family', 'GET', '/api/front/latest.jpg'], 0, ['cameras   front', 'verdict   allow: allowed']],
  [
    ['--role', 'family', 'GET', '/api/garage/x'],
    1,
    ['cameras   garage', 'verdict   forbidden: camera_not_granted'],
  ],
  [
    [...asFamily, 'GET', '/api/garage/x'],
    1,
    ['identity  olaf, by proxy', 'role      family, from the groups "family"'],
  ],
  [['GET', '/api/front/x'], 1, ['verdict   unauthenticated: user_missing']],
  [
    ['--edge', 'internal', 'PUT', '/api/config'],
    0,
    ['trust     the internal entry point', 'row       /api/config is admin-only'],
  ],
])('explain %j: status %i', async (args, status, said) => {
  const { output, ...result } = await explain(args);
  expect(result).toEqual({ status, errors: '' });
  for (const line of said) expect(output).toContain(line);
});

test('explain --decision', async () => {
  const client = visitor(gateway.addresses.authenticated ?? '');
  const answer = await client.send('GET', '/api/front/latest.jpg');
  const [id = ''] = answer.headers.get('x-postern-decision') ?? [];
  expect(await explain(['--decision', id])).toMatchObject({
    status: 1,
    output: expect.stringContaining('user_missing') as string,
  });
});

test.each<[what: string, args: readonly string[], said: RegExp]>([
  ['an unknown decision', ['--decision', 'none-0'], /^postern: This decision is no longer kept$/m],
  ['an unknown user', ['--user', 'nobody', 'GET', '/'], /^postern: No such user$/m],
  ['an unknown role', ['--role', 'nobody', 'GET', '/'], /^postern: role: No such role$/m],
  ['no URI', ['GET'], /a method and a URI/],
  ['a header without a colon', ['--header', 'x', 'GET', '/'], /Name: value/],
])('%s is reported as an error', async (_, args, said) => {
  const { status, output, errors } = await explain(args);
  expect({ output, failed: status !== 0 }).toEqual({ output: '', failed: true });
  expect(errors).toMatch(said);
});

test('reports that no gate answers when none is running', async () => {
  const { status, errors } = await explain(['--role', 'viewer', 'GET', '/'], await closedGateway());
  expect(status).not.toBe(0);
  expect(errors).toContain('Postern does not answer');
});

async function closedGateway(): Promise<string> {
  const directory = temporaryDirectory();
  const closed = await startGateway({ directory });
  await closed.close();
  return directory;
}
