import { argv } from 'node:process';
import { clockAt } from '../../../support/clock-at.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { openStore } from '../../../../src/store/sqlite/open-store.ts';
import { unconditional } from '../../../../src/store/permit.ts';

// Adds users until it is killed, and prints each one once its commit has returned.
const [, , path = '', name = '', most = 'Infinity'] = argv;
const store = await openStore(path, 5_000);
const users = createUsers(store, clockAt(1_000_000));
for (let i = 0; i < Number(most); i += 1) {
  const username = `${name}${i}`;
  await users.add({ username, role: 'viewer', passwordHash: 'h'.repeat(100) }, unconditional);
  await users.setRole(username, 'family', unconditional);
  process.stdout.write(`${username}\n`);
}
await store.destroy();
