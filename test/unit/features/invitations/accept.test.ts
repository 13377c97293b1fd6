import { expect, test } from 'vitest';
import type { Settings } from '../../../../src/access/settings/settings.ts';
import {
  acceptInvitation,
  beginInvitedPasskey,
  openInvitation,
} from '../../../../src/features/invitations/accept.ts';
import { AppError } from '../../../../src/errors.ts';
import type { Invitation } from '../../../../src/features/invitations/invitations.ts';
import { createFailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import type { Roles } from '../../../../src/policy/role-access.ts';
import { rolesOf } from '../../../support/roles.ts';
import { askEndpoint, sessionSettings } from '../../api/ask-endpoint.ts';

const id = 'abcdefghijklmnop';
const body = { secret: 'right', username: 'nell', password: 'correct horse battery' };

type Given = Partial<Record<keyof typeof body, string | undefined>> & { readonly passkey?: object };

const endpoints = { open: openInvitation, passkey: beginInvitedPasskey, accept: acceptInvitation };

const settingsWith = (roles: Roles): Settings => ({
  ...sessionSettings,
  rules: { ...sessionSettings.rules, roles },
});

/**
 * The endpoints of someone with a link, of which an address may use two wrong ones.
 * @param role of the invitation
 * @param stored the roles that a transaction reads
 */
function guest(
  role = 'viewer',
  rolesNow = sessionSettings.rules.roles,
  settings = sessionSettings,
  stored = rolesNow,
) {
  let now = settingsWith(rolesNow);
  const done: string[] = [];
  const invitation = { id, role, madeBy: 'root', name: undefined, expiresAt: 0 } as Invitation;
  const services = {
    settings,
    current: () => ({
      settings: now,
      renewRolesIn: async () => {
        now = settingsWith(stored);
      },
    }),
    invitationLimit: createFailureLimit('2/minute', createWindowsInMemory(), undefined, 'invitation'),
    nameLimit: createFailureLimit('3/minute', createWindowsInMemory(), undefined, 'invited name'),
    users: { findTyped: async (name: string) => (name === 'taken' ? { username: name } : undefined) },
    invitations: {
      open: async (_: string, secret: string) => {
        if (secret !== 'right') throw new AppError('invitation_over');
        return invitation;
      },
      accept: async (
        _: object,
        name: string,
        _credential: object,
        requireRole: (role: string, on: object) => Promise<void>,
      ) => {
        await requireRole(role, {});
        done.push(`${name} is there`);
        throw new AppError('user_exists');
      },
    },
    passkeys: {
      arePossible: true,
      requirePossible: () => undefined,
      beginRegistration: async () => ({ options: {}, state: 's' }),
    },
    hasher: { hash: async () => void done.push('hashed') },
  };
  const recorded: string[] = [];
  const objects: unknown[] = [];
  const ask = async (name: keyof typeof endpoints, given: Given = {}, at = id) => {
    const { secret, username, password, passkey } = { ...body, ...given };
    const needed = {
      open: { secret },
      passkey: { secret, username },
      accept: { secret, username, password, passkey },
    }[name];
    const asked = askEndpoint({ endpoint: endpoints[name], services });
    const { status } = await asked.ask(`/postern/api/invitations/${at}/${name}`, needed);
    recorded.push(...asked.recorded.map(({ event, reason }) => `${event} ${String(reason)}`));
    objects.push(...asked.recorded.map(({ object }) => object));
    return status;
  };
  return { ask, done, recorded, objects };
}

test.each(Object.keys(endpoints) as Array<keyof typeof endpoints>)(
  'a link that is right takes no place of those for wrong ones: %s',
  async (name) => {
    const { ask } = guest();
    for (let i = 0; i < 3; i += 1) expect(await ask(name)).not.toBe(429);
  },
);

test.each(Object.keys(endpoints) as Array<keyof typeof endpoints>)(
  'wrong links are counted and recorded, and nothing is hashed for them: %s',
  async (name) => {
    const { ask, recorded, done } = guest();
    const answers = [];
    for (const secret of ['wrong', 'wrong', 'right']) answers.push(await ask(name, { secret }));
    expect(answers).toEqual([404, 404, 429]);
    expect(recorded).toEqual([
      'invitation_refused invitation_over',
      'invitation_refused invitation_over',
      'invitation_refused too_many_requests',
    ]);
    expect(done).toEqual([]);
  },
);

test.each([
  ['an id', 'AAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAA'],
  ['a longer one', 'A'.repeat(17), undefined],
  ['any text', '%0Aadmin%20signed%20in', undefined],
])('the record of a wrong link has %s as %s: %s', async (_, at, object) => {
  const { ask, objects } = guest();
  expect(await ask('open', { secret: 'wrong' }, at)).toBe(404);
  expect(objects).toEqual([object]);
});

test.each(Object.keys(endpoints) as Array<keyof typeof endpoints>)(
  'without accounts, an invitation is neither shown nor used: %s',
  async (name) => {
    const { ask, done, recorded } = guest('viewer', undefined, { ...sessionSettings, mode: 'proxy' });
    expect([await ask(name), done, recorded]).toEqual([404, [], []]);
  },
);

test('names that are taken are limited by invitation, and nothing is hashed for them', async () => {
  const { ask, done } = guest();
  const answers = [];
  for (let i = 0; i < 4; i += 1) answers.push(await ask('accept', { username: 'taken' }));
  expect([answers, done]).toEqual([[409, 409, 409, 429], []]);
  expect(await ask('accept', { username: 'taken' }, 'ponmlkjihgfedcba')).toBe(409);
});

test('a name that was taken meanwhile counts too', async () => {
  const { ask, done } = guest();
  const answers = [];
  for (let i = 0; i < 4; i += 1) answers.push(await ask('accept'));
  expect(answers).toEqual([409, 409, 409, 429]);
  expect(done.filter((what) => what === 'hashed')).toHaveLength(3);
});

test('an invitation is accepted once at a time', async () => {
  const { ask, done } = guest();
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask('accept')));
  expect(answers.filter((status) => status === 429)).toHaveLength(5);
  expect(done.filter((what) => what === 'hashed')).toHaveLength(1);
});

test('an account is not made with a role that is gone', async () => {
  const gone = guest('guest');
  expect([await gone.ask('open'), await gone.ask('accept'), gone.done]).toEqual([404, 404, []]);
  expect(gone.recorded).toEqual(Array(2).fill('invitation_refused invitation_over'));
  // A reload has removed it since the request began.
  const going = guest('family', rolesOf([]));
  expect([await going.ask('open'), await going.ask('accept'), going.done]).toEqual([200, 404, ['hashed']]);
});

test('an account is not made with a role that another gate has removed', async () => {
  const renewed = guest('family', undefined, undefined, rolesOf([]));
  expect([await renewed.ask('accept'), renewed.done]).toEqual([404, ['hashed']]);
});

test('with its role, the account is made', async () => {
  const { ask, done } = guest('family');
  expect([await ask('accept'), done]).toEqual([409, ['hashed', 'nell is there']]);
});

const passkey = {
  state: 's',
  response: { id: 'p', rawId: 'p', type: 'public-key', response: { clientDataJSON: '{}' } },
};

test.each<[what: string, given: Given]>([
  ['a password beside a passkey', { passkey }],
  ['neither', { password: undefined }],
])('no account is made with %s', async (_, given) => {
  const { ask, done } = guest();
  expect([await ask('accept', given), done]).toEqual([422, []]);
});

test('an open invitation shows what its role may see and do', async () => {
  const roles = rolesOf([['family', ['front']]], {
    family: { may: ['live', 'export'], until: '2099-01-01' },
  });
  const invitation = { id, role: 'family', madeBy: 'root', name: 'Nell', expiresAt: 5_000 } as Invitation;
  const { ask } = askEndpoint({
    endpoint: openInvitation,
    services: {
      settings: settingsWith(roles),
      invitationLimit: { reserve: async () => ({ giveBack: async () => undefined }) },
      invitations: { open: async () => invitation },
      passkeys: { arePossible: false },
    },
  });
  expect(JSON.parse((await ask(`/postern/api/invitations/${id}/open`, { secret: 'right' })).body)).toEqual({
    name: 'Nell',
    made_by: 'root',
    cameras: ['front'],
    may: ['live', 'export'],
    schedule: { until: '2099-01-01' },
    expires_at: 5,
    passkeys: false,
  });
});
