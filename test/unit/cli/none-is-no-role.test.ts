import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createUsers } from '../../../src/accounts/users/users.ts';
import { unconditional } from '../../../src/store/permit.ts';
import { openStore, storePath } from '../../../src/store/sqlite/open-store.ts';
import { postern } from '../../support/postern-here.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

let directory: string;
beforeEach(async () => {
  directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), 'auth:\n  roles:\n    family: [front]\n');
  const store = await openStore(storePath(directory), 5_000);
  await createUsers(store, systemClock).add(
    { username: 'vera', role: 'family', passwordHash: 'h' },
    unconditional,
  );
  await store.destroy();
});

const commands: Record<string, (role: string) => string[]> = {
  'users add': (role) => ['users', 'add', 'olaf', '--role', role],
  'users set-role': (role) => ['users', 'set-role', 'vera', role],
  'tokens add': (role) => ['tokens', 'add', 'vera', 'printer', '--role', role],
};

// The rule and all its spellings: test/unit/policy/none-is-no-role.test.ts.
test.each(
  Object.entries(commands).flatMap(([name, command]) =>
    ['None', ' none'].map((role) => [name, role, command] as const),
  ),
)('%s refuses the role %j, and changes nothing', async (_, role, command) => {
  const { status, output, errors } = await postern(directory, command(role), {
    input: 'correct-horse-battery\n',
  });
  expect([status, output]).toEqual([1, '']);
  expect(errors).toMatch(/^postern: (there is no role |The role should be one that its owner may give: )/);
  const { output: users } = await postern(directory, ['users', 'list']);
  expect(users).toMatch(/^vera\tfamily\t[^\n]*\n$/);
  expect((await postern(directory, ['tokens', 'list'])).output).toBe('');
});
