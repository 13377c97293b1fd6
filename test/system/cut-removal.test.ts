import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminOf, goodPassword as password, visitor } from '../support/log-in.ts';
import { postern } from '../support/postern-command.ts';
import { projectRoot, startGateway } from '../support/start-gateway.ts';

// The first rename is that of config.yml.applied. Every write of every change: test/unit/accounts/roles/cut-changes.test.ts.
test.each([
  ['killed before config.yml gets its new text', {}, { status: null, errors: '' }],
  [
    'that cannot replace config.yml',
    { FAULT: 'error' },
    {
      status: 1,
      errors:
        'postern: could not remove the role garagist from config.yml; it is still defined, and no user has it. Remove it again\n',
    },
  ],
])('a removal of a role, %s, opens no camera to a session of its users', async (_, fault, end) => {
  const gateway = await startGateway({
    config: {
      cameras: ['drive', 'garage', 'yard'],
      auth: { roles: { garagist: ['garage'], front: ['drive'] } },
    },
  });
  try {
    const admin = await adminOf(gateway);
    await admin.send('POST', '/api/users', { username: 'gus', password, role: 'garagist' });
    const gus = visitor(gateway.addresses.authenticated ?? '');
    await gus.logIn('gus', password);
    const sees = async (by = gus) => {
      const { status, body } = await by.send('GET', '/api/profile');
      return status === 200 ? (JSON.parse(body) as { allowed_cameras: string[] }).allowed_cameras : status;
    };
    expect(await sees()).toEqual(['garage']);
    const remove = ['roles', 'remove', 'garagist', '--reassign-to', 'front'];
    const cut = await postern(gateway.directory, remove, {
      load: [join(projectRoot, 'test', 'support', 'fault-at-rename.ts')],
      environment: { FAULT_AT_RENAME: '2', ...fault },
    });
    expect(cut).toMatchObject(end);
    // The session ended with the role.
    expect(await sees()).toBe(401);
    const config = () => readFileSync(join(gateway.directory, 'config.yml'), 'utf8');
    expect(config()).toContain('garagist');
    const again = visitor(gateway.addresses.authenticated ?? '');
    await again.logIn('gus', password);
    expect(await sees(again)).toEqual(['drive']);
    // The role is there for no one, and is removed by the next attempt.
    expect(await postern(gateway.directory, remove)).toMatchObject({
      status: 0,
      output: 'removed the role garagist; 0 users are front now\n',
    });
    expect(config()).not.toContain('garagist');
    expect(await sees(again)).toEqual(['drive']);
  } finally {
    await gateway.close();
  }
});
