import { beforeEach, describe, expect, test } from 'vitest';
import { createChangeLimit } from '../../../../src/accounts/limits/change-limit.ts';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createFactors, type Factors } from '../../../../src/accounts/second-factor/factors.ts';
import { createPasskeys, relyingPartyOf } from '../../../../src/accounts/second-factor/passkeys.ts';
import { createProofs, type Proof, type Proofs } from '../../../../src/accounts/second-factor/proofs.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { authenticator, codeOf, site } from '../../../support/factor-person.ts';
import { newCodeSecret } from '../../../../src/accounts/second-factor/codes.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const clock = { now: () => 1_800_000_000_000 };
const sealing = createSealing('a secret of the tests', clock);
const changeLimit = createChangeLimit(createWindowsInMemory());
const passkeys = createPasskeys(relyingPartyOf(site), sealing, clock);

let store: Store;
let users: Users;
let factors: Factors;
let proofs: Proofs;
beforeEach(async () => {
  store = await temporaryStore();
  users = createUsers(store, clock);
  factors = createFactors(store, clock);
  proofs = createProofs({ read: store, sealing, passkeys, changeLimit, clock });
  for (const username of ['olaf', 'vera'])
    await users.add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
});

const occasion = { purpose: 'passkey_step_up', about: 's' } as const;
let made = 0;
const once = () => ({ purpose: 'test', key: String((made += 1)), expiresAt: clock.now() + 60_000 });
const generation = async (username: string) => (await users.find(username))?.generation;
const setCode = async (username: string) => {
  const secret = await newCodeSecret();
  const sealed = await sealing.seal('one_time_code', secret, username);
  return {
    secret,
    ...(await factors.setOneTimeCode(username, { sealedSecret: sealed, step: 0 }, once(), unconditional)),
  };
};
const addPasskey = async (username: string) => {
  const owner = { username, about: 's' };
  const { options, state } = await passkeys.beginRegistration(owner, [], undefined);
  const { passkey, response } = authenticator.create(options as never);
  const registered = await passkeys.finishRegistration(owner, { state, response });
  if (registered === undefined) throw new Error('no passkey');
  const { key, userHandle } = registered;
  const added = await factors.addPasskey(
    username,
    { ...key, name: 'key', userHandle },
    once(),
    unconditional,
  );
  return { passkey, began: added.began };
};
const prove = async (proof: Proof, username: string) => {
  const found = await proofs.check(proof, username, occasion);
  await store.change(unconditional, (on) => found.use(on));
};
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'right',
    (error: unknown) => (error as Error).message,
  );

describe('the first factor', () => {
  test.each([
    ['codes', setCode],
    ['a passkey', addPasskey],
  ])('(%s) begins another generation, the next one does not', async (_, add) => {
    const before = await generation('olaf');
    const { began } = await add('olaf');
    expect(began?.generation).not.toBe(before);
    expect(await generation('olaf')).toBe(began?.generation);
    expect((await users.find('olaf'))?.hasSecondFactor).toBe(true);
    expect((await addPasskey('olaf')).began).toBeUndefined();
    expect((await setCode('olaf')).began).toBeUndefined();
    expect((await users.find('vera'))?.hasSecondFactor).toBe(false);
  });
});

test('lists the factors of a user, and removes them with the user', async () => {
  await setCode('olaf');
  const { passkey } = await addPasskey('olaf');
  expect(await factors.of('olaf')).toMatchObject({
    passkeys: [{ id: passkey.id, name: 'key', transports: ['internal'], lastUsedAt: undefined }],
    userHandle: passkey.userHandle,
    oneTimeCode: { createdAt: clock.now() },
    recoveryCodesLeft: 10,
  });
  await users.remove('olaf', unconditional);
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
  expect(await factors.of('olaf')).toEqual({
    passkeys: [],
    userHandle: undefined,
    oneTimeCode: undefined,
    recoveryCodesLeft: 0,
  });
});

test('new recovery codes replace the former ones, and are removed with the last factor', async () => {
  expect(await outcome(factors.makeRecoveryCodes('olaf', unconditional))).toMatch(
    /passkey or one-time codes/,
  );
  const { recoveryCodes } = await setCode('olaf');
  const { passkey } = await addPasskey('olaf');
  const show = (typed: string, username = 'olaf') =>
    outcome(prove({ method: 'recovery_code', code: typed }, username));
  const [, another = ''] = (await factors.makeRecoveryCodes('olaf', unconditional)) as string[];
  const proof = { method: 'recovery_code', code: another } as const;
  const both = [await proofs.check(proof, 'olaf', occasion), await proofs.check(proof, 'olaf', occasion)];
  const uses = both.map((found) => outcome(store.change(unconditional, (on) => found.use(on))));
  expect((await Promise.all(uses)).toSorted()).toEqual(['recovery_code_wrong', 'right']);
  const [code = ''] = await factors.makeRecoveryCodes('olaf', unconditional);
  expect(await show(recoveryCodes[0] ?? '')).toBe('recovery_code_wrong');
  expect(await show(code, 'vera')).toBe('recovery_code_wrong');
  expect(await show(code)).toBe('right');
  expect(await show(code)).toBe('recovery_code_wrong');
  await factors.removeOneTimeCode('olaf', unconditional);
  expect((await factors.of('olaf')).recoveryCodesLeft).toBe(9);
  expect(await factors.removePasskey('olaf', passkey.id, unconditional)).toBe('key');
  expect((await factors.of('olaf')).recoveryCodesLeft).toBe(0);
  expect(await outcome(factors.removePasskey('olaf', passkey.id, unconditional))).toMatch(/No such passkey/);
  expect(await outcome(factors.removeOneTimeCode('olaf', unconditional))).toMatch(/not set up/);
});

test('accepts a code once, and only with the secret it was checked with', async () => {
  const { secret } = await setCode('olaf');
  const proof = { method: 'one_time_code', code: codeOf(secret, clock.now()) } as const;
  const [one, other] = [
    await proofs.check(proof, 'olaf', occasion),
    await proofs.check(proof, 'olaf', occasion),
  ];
  await store.change(unconditional, (on) => one.use(on));
  expect(await outcome(store.change(unconditional, (on) => other.use(on)))).toBe('one_time_code_used');
  expect(await outcome(prove(proof, 'olaf'))).toBe('one_time_code_used');

  const next = await setCode('olaf');
  const found = await proofs.check(
    { method: 'one_time_code', code: codeOf(next.secret, clock.now()) },
    'olaf',
    occasion,
  );
  await setCode('olaf');
  expect(await outcome(store.change(unconditional, (on) => found.use(on)))).toBe('one_time_code_used');
});

test('accepts a passkey whose counter grows, or that never counts', async () => {
  const { passkey } = await addPasskey('olaf');
  const show = async (counter: number) => {
    const { options, state } = await passkeys.beginAssertion('passkey_step_up', 's');
    const response = authenticator.sign(passkey, options as never, { counter });
    return outcome(prove({ method: 'passkey', passkey: { state, response } }, 'olaf'));
  };
  expect(await show(0)).toBe('right');
  expect(await show(0)).toBe('right');
  expect(await show(7)).toBe('right');
  for (const counter of [7, 6, 0]) expect(await show(counter), String(counter)).toBe('passkey_counter');
  expect(await show(4_294_967_295)).toBe('right');
});

test('accepts neither a challenge nor a passkey twice', async () => {
  const { passkey } = await addPasskey('olaf');
  const key = { id: passkey.id, name: 'x', publicKey: '', counter: 0, transports: [], userHandle: 'u' };
  expect(await outcome(factors.addPasskey('vera', key, once(), unconditional))).toMatch(/already added/);
  const used = once();
  await factors.addPasskey('vera', { ...key, id: 'a' }, used, unconditional);
  expect(await outcome(factors.addPasskey('vera', { ...key, id: 'b' }, used, unconditional))).toMatch(
    /start again/,
  );
  expect((await factors.of('vera')).passkeys.map(({ id }) => id)).toEqual(['a']);
});

test('a reset removes all factors and ends the sessions', async () => {
  await setCode('olaf');
  await addPasskey('olaf');
  await addPasskey('vera');
  const before = await generation('olaf');
  await factors.resetFactors('olaf', unconditional);
  expect(await generation('olaf')).not.toBe(before);
  expect((await users.find('olaf'))?.hasSecondFactor).toBe(false);
  expect((await factors.of('olaf')).recoveryCodesLeft).toBe(0);
  expect((await users.find('vera'))?.hasSecondFactor).toBe(true);
  expect(await outcome(factors.resetFactors('nobody', unconditional))).toMatch(/No such user/);
  await store.change(unconditional, (on) =>
    on
      .updateTable('users')
      .set({ issuer: 'https://id.example', subject: '1' })
      .where('username', '=', 'vera')
      .execute(),
  );
  expect(await outcome(factors.resetFactors('vera', unconditional))).toMatch(/provider/);
});
