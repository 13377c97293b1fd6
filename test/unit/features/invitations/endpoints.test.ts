import { expect, test } from 'vitest';
import { makeInvitation, revokeInvitation } from '../../../../src/features/invitations/endpoints.ts';
import { AppError } from '../../../../src/errors.ts';
import type { Invitations } from '../../../../src/features/invitations/invitations.ts';
import { permissionBy, type Reading } from '../../../../src/store/permit.ts';
import { rolesOf } from '../../../support/roles.ts';
import { askEndpoint, sessionSettings } from '../../api/ask-endpoint.ts';

const settingsOf = (...names: readonly string[]) => ({
  ...sessionSettings,
  rules: { ...sessionSettings.rules, roles: rolesOf(names.map((name) => [name, ['front']])) },
});

/** An admin invites. @param rolesNow those of the moment at which the invitation is written */
async function invite(body: object, rolesNow: readonly string[], provedAgo = 0) {
  const written: string[] = [];
  const add: Invitations['add'] = async ({ role }, permit) => {
    await permit({} as Reading);
    written.push(role);
    throw new AppError('too_many_invitations');
  };
  const asked = askEndpoint({
    endpoint: makeInvitation,
    services: { settings: settingsOf('family', 'guests', 'none'), invitations: { add } },
    user: 'root',
    role: 'admin',
    provedAgo,
    permit: async () => ({ settings: settingsOf(...rolesNow), ...permissionBy(() => undefined) }),
  });
  const { status } = await asked.ask('/postern/api/invitations', body);
  return { status, written, recorded: asked.recorded.map(({ event }) => event) };
}

const all = ['family', 'guests', 'none'];

test.each<[what: string, asking: Parameters<typeof invite>, status: number, written: readonly string[]]>([
  ['a role', [{ role: 'family' }, all], 409, ['family']],
  ['a role that is removed meanwhile', [{ role: 'family' }, ['guests']], 422, []],
  ['a role that is not defined', [{ role: 'strangers' }, all], 422, []],
  ['no role at all', [{ role: 'none' }, all], 422, []],
  ['a role and a word', [{ role: 'family', may: ['live'] }, all], 422, []],
  ['a role and a schedule', [{ role: 'family', schedule: { until: '2099-01-01' } }, all], 422, []],
  ['a role and an empty schedule', [{ role: 'family', schedule: null }, all], 409, ['family']],
  ['a role and a camera', [{ role: 'family', cameras: ['front'] }, all], 422, []],
  ['a role, with an old proof', [{ role: 'family' }, all, 601_000], 403, []],
])('an invitation with %s: %o %i', async (_, asking, status, written) => {
  expect(await invite(...asking)).toEqual({ status, written, recorded: [] });
});

test.each<[body: object, made: object]>([
  [{ cameras: ['front'] }, { may: ['live'] }],
  [{ cameras: ['front'], may: ['history', 'export'] }, { may: ['history', 'export'] }],
  [
    { cameras: ['front'], schedule: { until: '2099-01-01' } },
    { may: ['live'], until: '2099-01-01' },
  ],
])('the role that is made for %j may %j', async (body, made) => {
  const definitions: object[] = [];
  const make = async (definition: object) => {
    definitions.push(definition);
    throw new AppError('too_many_invitations');
  };
  const services = { personalRoles: { make } };
  const { ask } = askEndpoint({ endpoint: makeInvitation, services, user: 'root', role: 'admin' });
  expect((await ask('/postern/api/invitations', body)).status).toBe(409);
  expect(definitions).toEqual([{ cameras: ['front'], access: made }]);
});

test.each<[what: string, makesRole: boolean, removed: readonly string[]]>([
  ['that made a role takes it along', true, ['guests']],
  ['to a role of the house leaves it', false, []],
])('an invitation %s when it is revoked', async (_, makesRole, removed) => {
  const gone: string[] = [];
  const { ask, recorded } = askEndpoint({
    endpoint: revokeInvitation,
    services: {
      invitations: { revoke: async (id: string) => ({ id, name: 'nell', role: 'guests', makesRole }) },
      removeMadeRole: async (role: string) => void gone.push(role),
    },
    role: 'admin',
  });
  expect((await ask('/postern/api/invitations/abcdefghijklmnop')).status).toBe(204);
  const told = recorded.map(({ event, detail }) => [event, detail]);
  expect([gone, told]).toEqual([removed, [['invitation_revoked', { invited: 'nell', role: 'guests' }]]]);
});
