import { operations } from '../support/every-endpoint.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unconditional } from '../../src/store/permit.ts';
import { bodyOf, outcome, person, personOf, type Person } from '../support/factor-person.ts';
import { goodPassword as password, visitor } from '../support/log-in.ts';
import { startRecorder } from '../support/start-recorder.ts';
import { startDelayedGate, type DelayedGate } from '../support/start-delayed-gate.ts';
import { accounts, auth, proxied } from './delayed-rows.ts';

/*
 * Step-up: what makes someone an admin, moves the recorder, or changes how someone signs in, needs a proof that is no older than ten
 * minutes: the second factor, or the password of someone who has none.
 */

const config = { ...accounts, auth: { ...auth, refresh_time: 0 } };
const start = () => startDelayedGate(config);

const newAdmin = (username: string) => ({ username, password, role: 'admin' });

const front = (who: 'role' | 'person') => ({ cameras: ['front'], may: ['live'], for: who });

const nowhere = 'http://127.0.0.1:9';

type Row = readonly [what: string, method: string, uri: string, body?: object];

/** What an admin is asked for again. */
const guarded: readonly Row[] = [
  ['adds an admin', 'POST', '/api/users', newAdmin('ghost')],
  ['makes an admin', 'PUT', '/api/users/vera/role', { role: 'admin' }],
  ["sets another's password", 'PUT', '/api/users/vera/password', { password }],
  ["takes another's factors away", 'DELETE', '/postern/api/users/vera/factors'],
  ['takes the own factors away', 'DELETE', '/postern/api/users/boss/factors'],
  ['makes an API token of admin', 'POST', '/postern/api/tokens', { name: 'script', role: 'admin' }],
  ['sends the own alerts elsewhere', 'PUT', '/postern/api/account/email', { email: 'thief@example.org' }],
  ['invites a viewer', 'POST', '/postern/api/invitations', { role: 'viewer' }],
  ['blocks a user', 'PUT', '/postern/api/users/vera/blocked', { blocked: true }],
  ['lets a user in again', 'PUT', '/postern/api/users/vera/blocked', { blocked: false }],
  ['makes admins of the users of a role', 'DELETE', '/postern/api/roles/family?reassign_to=admin'],
  ['asks another address for a recorder', 'POST', '/postern/api/recorder/address', { address: nowhere }],
  ['takes the cameras of an admin', 'PUT', '/postern/api/people/other/access', front('person')],
  ['removes a user', 'DELETE', '/api/users/vera'],
];

/** The old password is the proof of someone without a second factor. */
const ownPassword: Row = [
  'sets the own password',
  'PUT',
  '/api/users/boss/password',
  { password, old_password: password },
];

/** Nothing listens on the discard port here. */
const connects: Row = ['connects a recorder', 'PUT', '/postern/api/recorder/address', { address: nowhere }];

/** What needs a fresh proof from every user. */
const own: readonly Row[] = [
  ['approves a screen', 'POST', '/postern/api/displays', { user_code: 'BCDF-GHJK', name: 'Hall' }],
  ['begins to add a passkey', 'POST', '/postern/api/passkeys/options', {}],
  ['adds a passkey', 'POST', '/postern/api/passkeys', { name: 'x', state: 'x', response: passkeyAnswer() }],
  ['removes a passkey', 'DELETE', '/postern/api/passkeys/x'],
  ['begins to set up one-time codes', 'POST', '/postern/api/one-time-code/setup', {}],
  ['sets up one-time codes', 'POST', '/postern/api/one-time-code', { state: 'x', code: '123456' }],
  ['removes the one-time codes', 'DELETE', '/postern/api/one-time-code'],
  ['makes recovery codes', 'POST', '/postern/api/recovery-codes', {}],
];

const unguarded: readonly Row[] = [
  ['adds a viewer', 'POST', '/api/users', { username: 'ghost', password, role: 'viewer' }],
  ['makes a viewer', 'PUT', '/api/users/vera/role', { role: 'viewer' }],
  ['defines a role', 'PUT', '/postern/api/roles/stairs', { cameras: ['front'] }],
  ['removes a role', 'DELETE', '/postern/api/roles/stairs'],
  ['defines a group of cameras', 'PUT', '/postern/api/camera-groups/garden', { cameras: ['front'] }],
  ['removes a group of cameras', 'DELETE', '/postern/api/camera-groups/garden'],
  ['makes an API token of viewer', 'POST', '/postern/api/tokens', { name: 'script', role: 'viewer' }],
  ['reads the own methods', 'GET', '/postern/api/sign-in-methods'],
];

test.each([...guarded, ownPassword, connects, ...own].map(([what, method, uri]) => ({ what, method, uri })))(
  'the document says that what $what may ask for a proof',
  ({ method, uri }) => {
    const path = uri.replace(/\?.*/, '');
    const operation = operations.find(
      (one) =>
        one.method === method.toLowerCase() &&
        new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    expect(operation?.answers[403]?.meaning).toContain('`step_up_needed`');
  },
);

function passkeyAnswer() {
  return { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x' } };
}

const needed = '403 step_up_needed';
const send = async (someone: Pick<Person, 'send'>, [, method, uri, body]: Row) =>
  outcome(await someone.send(method, uri, body));
const bossWithCode = async (gate: DelayedGate) => {
  const boss = await person(gate, 'boss', 'admin');
  await person(gate, 'other', 'admin');
  await person(gate, 'vera');
  return { boss, ...(await boss.setUpCode()) };
};

test('a user with a factor is asked again after ten minutes, and not before', async () => {
  const gate = await start();
  const { boss } = await bossWithCode(gate);
  const rows = [...guarded, ownPassword, connects, ...own];
  gate.advance(601);
  for (const row of rows) expect(await send(boss, row), row[0]).toBe(needed);
  for (const row of unguarded) expect(await send(boss, row), row[0]).toMatch(/^20[014]$/);
  const answer = await boss.send('DELETE', '/api/users/vera');
  expect(bodyOf(answer)['message']).toContain('/postern/account');
  expect((await boss.methods()).proof_needed).toBe(true);
});

test('within ten minutes a user is not asked', async () => {
  const gate = await start();
  const { boss } = await bossWithCode(gate);
  gate.advance(595);
  for (const row of [...guarded.filter(([, , uri]) => !uri.endsWith('/factors')), ownPassword])
    expect(await send(boss, row), row[0]).toMatch(/^20[014]$/);
});

test('a user without a factor gives the password', async () => {
  const gate = await start();
  const boss = await person(gate, 'boss', 'admin');
  await person(gate, 'other', 'admin');
  await person(gate, 'vera');
  gate.advance(601);
  const before = await gate.kept();
  for (const row of [...guarded, connects, ...own]) expect(await send(boss, row), row[0]).toBe(needed);
  expect(await gate.kept()).toEqual(before);
  const stepUp = (body: object) => boss.send('POST', '/postern/api/step-up', body);
  expect(outcome(await stepUp({ password: 'wrong' }))).toBe('403 step_up_failed');
  expect((await stepUp({ code: '123456' })).status).toBe(422);
  expect(outcome(await stepUp({ password }))).toBe('200');
  for (const row of guarded.slice(0, 3)) expect(await send(boss, row), row[0]).toMatch(/^20[01]$/);
  await boss.setUpCode();
});

test('a user without a factor sets their own password with the old one, and needs nothing else', async () => {
  const gate = await start();
  const boss = await person(gate, 'boss', 'admin');
  gate.advance(601);
  const wrong = { password, old_password: 'wrong' };
  expect(await send(boss, ['', 'PUT', '/api/users/boss/password', wrong])).toBe('403 wrong_password');
  expect(await send(boss, ownPassword)).toBe('200');
});

test('a stale session cannot become admin by making, giving or deleting a role', async () => {
  const gate = await start();
  const boss = await person(gate, 'boss', 'admin');
  gate.advance(660);
  const steps: ReadonlyArray<readonly [Row, string]> = [
    [['defines', 'PUT', '/postern/api/roles/stairs', { cameras: ['front'] }], '200'],
    [['gives', 'POST', '/api/users', { username: 'ghost', password, role: 'stairs' }], '201'],
    [['removes', 'DELETE', '/postern/api/roles/stairs?reassign_to=admin'], needed],
  ];
  for (const [row, expected] of steps) expect(await send(boss, row), row[0]).toBe(expected);
  expect((await gate.services.users.find('ghost'))?.role).toBe('stairs');
  expect(outcome(await boss.send('POST', '/postern/api/step-up', { password }))).toBe('200');
  expect(await send(boss, ['', 'DELETE', '/postern/api/roles/stairs?reassign_to=admin'])).toBe('200');
  expect((await gate.services.users.find('ghost'))?.role).toBe('admin');
});

test('a stale session takes access away, and gives none', async () => {
  const gate = await start();
  const boss = await person(gate, 'boss', 'admin');
  await person(gate, 'vera');
  gate.advance(601);
  const change = (access: object) =>
    send(boss, ['', 'PUT', '/postern/api/people/vera/access', { ...front('person'), ...access }]);
  const inMay = { from: '2030-05-01', until: '2030-05-31', hours: '08:00-17:00', history: 'from' };
  expect(await change({ schedule: inMay })).toBe('200');
  const wider: readonly object[] = [
    { cameras: ['front', 'garage'] },
    { groups: ['outside', 'unused'] },
    { may: ['live', 'history'] },
    { schedule: null },
    { schedule: { ...inMay, from: '2030-04-30' } },
    { schedule: { ...inMay, until: '2030-06-01' } },
    { schedule: { ...inMay, hours: '07:00-17:00' } },
    { schedule: { ...inMay, history: undefined } },
  ];
  const before = await gate.kept();
  for (const access of wider) expect(await change(access), JSON.stringify(access)).toBe(needed);
  expect(await gate.kept()).toEqual(before);
  expect(await change({ schedule: { ...inMay, until: '2030-05-30' } })).toBe('200');
  expect(outcome(await boss.send('POST', '/postern/api/step-up', { password }))).toBe('200');
  for (const access of wider.slice(0, 4)) expect(await change(access), JSON.stringify(access)).toBe('200');
});

test('a stale session gives a guest no more by any road', async () => {
  const gate = await start();
  const boss = await person(gate, 'boss', 'admin');
  await person(gate, 'vera');
  const prove = () => boss.send('POST', '/postern/api/step-up', { password });
  const narrow = { ...front('person'), cameras: [], groups: ['outside'] };
  const wide = { ...narrow, cameras: ['garage'] };
  const to = (name: string) => `/postern/api/people/${name}/access`;
  const roleOf = (answer: { readonly body: string }) => (JSON.parse(answer.body) as { role: string }).role;
  await prove();
  const guest = roleOf(await boss.send('PUT', to('vera'), narrow));
  const invitation = { name: 'rob', cameras: ['front'] };
  const invited = roleOf(await boss.send('POST', '/postern/api/invitations', invitation));
  expect(await send(boss, ['', 'PUT', to('rob'), narrow])).toBe('200');
  gate.advance(601);
  const roleUnknown = '404 role_unknown';
  const roads: ReadonlyArray<readonly [Row, string]> = [
    [['changes their access', 'PUT', to('vera'), wide], needed],
    [['changes that of an open invitation', 'PUT', to('rob'), wide], needed],
    [
      ['gives their group cameras', 'PUT', '/postern/api/camera-groups/outside', { cameras: ['garage'] }],
      needed,
    ],
    [['defines their role', 'PUT', `/postern/api/roles/${guest}`, { cameras: ['garage'] }], roleUnknown],
    [['removes their role', 'DELETE', `/postern/api/roles/${guest}`], roleUnknown],
    [
      ['defines that of an invitation', 'PUT', `/postern/api/roles/${invited}`, { cameras: ['garage'] }],
      roleUnknown,
    ],
    [['removes that of an invitation', 'DELETE', `/postern/api/roles/${invited}`], roleUnknown],
  ];
  const before = await gate.kept();
  for (const [row, expected] of roads) expect(await send(boss, row), row[0]).toBe(expected);
  expect(await gate.kept()).toEqual(before);
  // Less needs none, and with a proof the first three are open.
  expect(await send(boss, ['', 'PUT', to('vera'), { ...narrow, may: ['live'] }])).toBe('200');
  await prove();
  for (const [row] of roads.slice(0, 3)) expect(await send(boss, row), row[0]).toBe('200');
});

describe('a role that needs a second factor', () => {
  const guards = { family: ['front'], guard: ['front'] };
  const ofGuards = {
    ...accounts,
    auth: {
      ...auth,
      refresh_time: 0,
      roles: guards,
      camera_groups: { outside: ['front'] },
      role_access: { guard: { groups: ['outside'] } },
      second_factor: { required_for: ['guard'] },
    },
  };
  const roads: readonly Row[] = [
    ['is given', 'PUT', '/api/users/vera/role', { role: 'guard' }],
    ['is given to a new user', 'POST', '/api/users', { username: 'ghost', password, role: 'guard' }],
    ['is given to an API token', 'POST', '/postern/api/tokens', { name: 'script', role: 'guard' }],
    ['gets other cameras', 'PUT', '/postern/api/roles/guard', { cameras: ['front'] }],
    ['gets the cameras of a group', 'PUT', '/postern/api/camera-groups/outside', { cameras: ['garage'] }],
    ['comes in place of another', 'DELETE', '/postern/api/roles/family?reassign_to=guard'],
  ];

  test('needs the proof as admin does', async () => {
    const gate = await startDelayedGate(ofGuards);
    const boss = await person(gate, 'boss', 'admin');
    await person(gate, 'vera');
    gate.advance(601);
    const before = await gate.kept();
    for (const row of roads) expect(await send(boss, row), row[0]).toBe(needed);
    expect(await gate.kept()).toEqual(before);
    expect(outcome(await boss.send('POST', '/postern/api/step-up', { password }))).toBe('200');
    for (const row of roads) expect(await send(boss, row), row[0]).toMatch(/^20[01]$/);
  });

  test.each([
    ['a group', '/postern/api/camera-groups/outside?preview', { changes: [{ role: 'guard', users: 0 }] }],
    ['a role', '/postern/api/roles/guard?preview', { change: { users: 0, gains: ['garage'] } }],
  ])('needs none for the preview of %s, which writes nothing', async (_, uri, shown) => {
    const gate = await startDelayedGate(ofGuards);
    const boss = await person(gate, 'boss', 'admin');
    await person(gate, 'vera');
    gate.advance(601);
    const before = await gate.kept();
    expect(bodyOf(await boss.send('PUT', uri, { cameras: ['garage'] }))).toMatchObject(shown);
    expect(await gate.kept()).toEqual(before);
    const vera = personOf(gate, 'vera');
    await vera.logIn('vera', password);
    expect(outcome(await vera.send('PUT', uri, { cameras: ['garage'] }))).toBe('403 forbidden');
  });

  test('needs it for a group that such a role gets while the change waits', async () => {
    const { role_access: _, ...withoutGroups } = ofGuards.auth;
    const gate = await startDelayedGate({ ...ofGuards, auth: withoutGroups });
    const boss = await person(gate, 'boss', 'admin');
    gate.advance(601);
    const waiting = gate.delay('change');
    const answer = boss.send('PUT', '/postern/api/camera-groups/outside', { cameras: ['garage'] });
    await waiting.reached;
    gate.reload(ofGuards);
    const before = await gate.kept();
    waiting.release();
    expect(outcome(await answer)).toBe(needed);
    expect(await gate.kept()).toEqual(before);
  });

  test('needs it for a group that such a role has in a file that is not loaded yet', async () => {
    const { role_access: _, ...withoutGroups } = ofGuards.auth;
    const gate = await startDelayedGate({ ...ofGuards, auth: withoutGroups });
    const boss = await person(gate, 'boss', 'admin');
    gate.advance(601);
    gate.edit(ofGuards);
    const before = await gate.kept();
    const answer = await boss.send('PUT', '/postern/api/camera-groups/outside', { cameras: ['garage'] });
    expect(outcome(answer)).toBe(needed);
    expect(await gate.kept()).toEqual(before);
  });

  test('does not concern API tokens', async () => {
    const gate = await startDelayedGate(ofGuards);
    await person(gate, 'boss', 'admin');
    const { token } = await gate.apiTokens.add(
      { name: 'script', owner: 'boss', role: 'admin', cameras: undefined, expiresAt: undefined },
      unconditional,
    );
    const bearer = [['Authorization', `Bearer ${token}`]] as const;
    const script = visitor(gate.address, false);
    const before = await gate.kept();
    for (const [what, method, uri, body] of roads)
      expect(outcome(await script.send(method, uri, body, bearer)), what).toBe('403 forbidden');
    expect(await gate.kept()).toEqual(before);
  });
});

test('with a stale session no other recorder is asked or connected', async () => {
  const gate = await start();
  const recorder = await startRecorder(['front'], {});
  onTestFinished(() => recorder.close());
  const boss = await person(gate, 'boss', 'admin');
  gate.advance(601);
  const path = '/postern/api/recorder/address';
  const body = { address: `http://${recorder.address}` };
  for (const method of ['POST', 'PUT']) expect(await send(boss, ['', method, path, body])).toBe(needed);
  expect(recorder.takeReached()).toEqual([]);
  expect(outcome(await boss.send('POST', '/postern/api/step-up', { password }))).toBe('200');
  for (const method of ['POST', 'PUT']) expect(await send(boss, ['', method, path, body])).toBe('200');
  expect(recorder.takeReached()).not.toEqual([]);
});

test('a proof renews the session for ten minutes, and needs a factor of its user', async () => {
  const gate = await start();
  const { boss, secret, recoveryCodes } = await bossWithCode(gate);
  const vera = personOf(gate, 'vera');
  await vera.logIn('vera', password);
  const { recoveryCodes: ofVera } = await vera.setUpCode();
  gate.advance(700);
  const removal = guarded.at(-1) as Row;
  const former = personOf(gate, 'boss');
  former.token = boss.token;
  const stepUp = (body: object) => boss.send('POST', '/postern/api/step-up', body);
  // Someone at an open screen may have seen the password.
  for (const body of [{}, { password }, { password, code: boss.code(secret) }])
    expect((await stepUp(body)).status).toBe(422);
  expect(outcome(await stepUp({ recovery_code: ofVera[0] }))).toBe('403 step_up_failed');
  expect(outcome(await stepUp({ code: '000000' }))).toBe('403 step_up_failed');
  expect(await send(boss, removal)).toBe(needed);
  const code = boss.code(secret);
  const proved = await stepUp({ code });
  expect(outcome(proved)).toBe('200');
  const seconds = Math.floor(gate.services.clock.now() / 1_000);
  expect(Number(bodyOf(proved)['proved_until']) - seconds).toBe(600);
  expect(outcome(await stepUp({ code }))).toBe('403 step_up_failed');
  gate.advance(595);
  expect(await send(former, removal)).toBe(needed);
  expect(await send(boss, removal)).toBe('200');
  gate.advance(10);
  expect(await send(boss, ['', 'DELETE', '/api/users/other'])).toBe(needed);
  expect(outcome(await stepUp({ recovery_code: recoveryCodes[0] }))).toBe('200');
  expect(gate.log.filter(({ event }) => event === 'recovery_code_used')).toMatchObject([
    { user: 'boss', by: 'boss' },
  ]);
  expect(await send(boss, ['', 'DELETE', '/api/users/other'])).toBe('200');
  // It is the same session: its end ends all of it.
  await boss.send('POST', '/api/logout');
  expect(outcome(await former.send('GET', '/api/profile'))).toBe('401 unauthenticated');
});

test('a passkey proves it too, for the session that was asked', async () => {
  const gate = await start();
  const boss = await person(gate, 'boss', 'admin');
  const passkey = await boss.addPasskey();
  await person(gate, 'vera');
  gate.advance(700);
  const answer = await boss.passkeyFor('/postern/api/step-up/passkey-options', passkey);
  const stepUp = () => boss.send('POST', '/postern/api/step-up', { passkey: answer });
  expect(outcome(await stepUp())).toBe('200');
  expect(outcome(await stepUp())).toBe('403 challenge_expired');
  expect(await send(boss, guarded.at(-1) as Row)).toBe('200');
});

test('a new password does not prove the factor', async () => {
  const gate = await start();
  const { boss } = await bossWithCode(gate);
  const change = [
    'sets it',
    'PUT',
    '/api/users/boss/password',
    { password, old_password: password },
  ] as const;
  gate.advance(400);
  expect(await send(boss, change)).toBe('200');
  gate.advance(201);
  expect(await send(boss, change)).toBe(needed);
});

test.each(guarded.filter(([, , uri]) => !uri.endsWith('/address')).map((row) => ({ what: row[0], row })))(
  'what was asked within ten minutes, and waits until they are over, does not take effect: $what',
  async ({ row }) => {
    const gate = await start();
    const { boss } = await bossWithCode(gate);
    gate.advance(590);
    const waiting = gate.delay('change');
    const before = await gate.kept();
    const answer = send(boss, row);
    await waiting.reached;
    gate.advance(20);
    waiting.release();
    expect(await answer).toBe(needed);
    expect(await gate.kept()).toEqual(before);
  },
);

test('the first factor ends what an admin began without one', async () => {
  const gate = await start();
  const boss = await person(gate, 'boss', 'admin');
  const elsewhere = personOf(gate, 'boss');
  await elsewhere.logIn('boss', password);
  const waiting = gate.delay('hash');
  const answer = send(elsewhere, guarded[0] as Row);
  await waiting.reached;
  await boss.addPasskey();
  const before = await gate.kept();
  waiting.release();
  expect(await answer).toBe('401 unauthenticated');
  expect(await gate.kept()).toEqual(before);
});

describe('asks no proof of', () => {
  test('an API token, which may not do these things anyway, or does them as before', async () => {
    const gate = await start();
    const { boss } = await bossWithCode(gate);
    const { token } = await gate.apiTokens.add(
      { name: 'script', owner: 'boss', role: 'admin', cameras: undefined, expiresAt: undefined },
      unconditional,
    );
    gate.advance(700);
    const bearer = [['Authorization', `Bearer ${token}`]] as const;
    const script = visitor(gate.address, false);
    for (const [what, method, uri, body] of [...guarded, ownPassword, connects, ...own]) {
      const answer = await script.send(method, uri, body, bearer);
      expect(outcome(answer), what).toBe('403 forbidden');
    }
    const role = await script.send('PUT', '/postern/api/roles/guests', { cameras: ['front'] }, bearer);
    expect(outcome(role)).toBe('200');
    expect(await send(boss, guarded.at(-1) as Row)).toBe(needed);
  });

  test('a user named by a proxy', async () => {
    const gate = await start();
    await bossWithCode(gate);
    gate.reload(proxied);
    gate.advance(700);
    const headers = [
      ['X-Proxy-Secret', 'a secret between proxy and gate'],
      ['Remote-User', 'boss'],
      ['Remote-Groups', 'admins'],
    ] as const;
    const someone = visitor(gate.address, false);
    for (const [what, method, uri, body] of guarded.slice(0, 3))
      expect(outcome(await someone.send(method, uri, body, headers)), what).toMatch(/^20[01]$/);
    for (const [what, method, uri, body] of own)
      expect(outcome(await someone.send(method, uri, body, headers)), what).toBe(
        '404 authentication_disabled',
      );
  });
});

test('wrong proofs count as failed logins do', async () => {
  const gate = await startDelayedGate({ ...config, auth: { ...auth, failed_login_rate_limit: '2/minute' } });
  const { boss, secret } = await bossWithCode(gate);
  const stepUp = async (body: object) => outcome(await boss.send('POST', '/postern/api/step-up', body));
  expect(await stepUp({ code: '000000' })).toBe('403 step_up_failed');
  expect(await stepUp({ recovery_code: 'none' })).toBe('403 step_up_failed');
  expect(await stepUp({ code: boss.code(secret) })).toBe('429 too_many_requests');
  expect(outcome(await personOf(gate, 'vera').logIn('vera', password))).toBe('429 too_many_requests');
  const logged = gate.log
    .filter(({ event }) => String(event).startsWith('step_up'))
    .map(({ event }) => event);
  expect(logged).toEqual(['step_up_failed', 'step_up_failed', 'step_up_limited']);
});
