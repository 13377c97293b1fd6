import { expect, test } from 'vitest';
import { removeRole } from '../../../src/api/roles/roles.ts';
import { askEndpoint } from './ask-endpoint.ts';

test.each<[what: string, left: Error | undefined, more: object]>([
  ['a role that is gone', undefined, {}],
  ['a role that config.yml still has', new Error('EIO'), { still_defined: true }],
])('the answer, the record and the log tell of %s', async (_, left, more) => {
  const logged: unknown[] = [];
  const { ask, recorded } = askEndpoint({
    endpoint: removeRole,
    role: 'admin',
    services: {
      customRoles: { remove: async () => ({ reassigned: 2, left }) },
      logger: { error: (_fields: object, line: string) => void logged.push(line) },
    },
  });
  const { status, body } = await ask('/postern/api/roles/garagist?reassign_to=front');
  expect([status, JSON.parse(body)]).toEqual([200, { name: 'garagist', reassigned_users: 2, ...more }]);
  expect(recorded).toMatchObject([
    { event: 'role_removed', object: 'garagist', detail: { reassigned: 2, reassign_to: 'front', ...more } },
  ]);
  expect(logged).toEqual(
    left === undefined ? [] : ['could not remove a role from config.yml; no user has it anymore'],
  );
});
