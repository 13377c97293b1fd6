import { beforeEach, describe, expect, test } from 'vitest';
import { createChangeLimit } from '../../../../src/accounts/limits/change-limit.ts';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import { createFailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createFactors, type Factors } from '../../../../src/accounts/second-factor/factors.ts';
import { createFactorLogin, type FactorLogin } from '../../../../src/accounts/second-factor/login.ts';
import { newCodeSecret } from '../../../../src/accounts/second-factor/codes.ts';
import { createPasskeys, relyingPartyOf } from '../../../../src/accounts/second-factor/passkeys.ts';
import { createProofLimit, createProofs, type Proof } from '../../../../src/accounts/second-factor/proofs.ts';
import { pruneSignOn } from '../../../../src/features/oidc/provider-sessions.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { authenticator, codeOf, site } from '../../../support/factor-person.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const address = '203.0.113.9';
let now: number;
let store: Store;
let users: Users;
let factors: Factors;
let login: FactorLogin;
const clock = { now: () => now };
const sealing = createSealing('a secret of the tests', clock);
const loginAt = (publicUrl: string | undefined, logins = '5/hour') => {
  const passkeys = createPasskeys(
    publicUrl === undefined ? undefined : relyingPartyOf(publicUrl),
    sealing,
    clock,
  );
  const windows = createWindowsInMemory();
  const proofs = createProofs({
    read: store,
    sealing,
    passkeys,
    changeLimit: createChangeLimit(windows),
    clock,
  });
  const proofLimit = createProofLimit(createFailureLimit(logins, windows), windows, () => undefined);
  return createFactorLogin({
    change: store.change,
    users,
    factors,
    passkeys,
    proofs,
    proofLimit,
    sealing,
    clock,
  });
};
beforeEach(async () => {
  now = 1_800_000_000_000;
  store = await temporaryStore();
  users = createUsers(store, clock);
  factors = createFactors(store, clock);
  for (const username of ['olaf', 'vera'])
    await users.add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
  login = loginAt(site);
});

let made = 0;
const once = () => ({ purpose: 'test', key: String((made += 1)), expiresAt: now + 60_000 });
const passkeys = createPasskeys(relyingPartyOf(site), sealing, clock);

async function setCode(username = 'olaf') {
  const secret = await newCodeSecret();
  const sealed = await sealing.seal('one_time_code', secret, username);
  const { recoveryCodes } = await factors.setOneTimeCode(
    username,
    { sealedSecret: sealed, step: 0 },
    once(),
    unconditional,
  );
  return { secret, recoveryCodes };
}
async function addPasskey(username = 'olaf') {
  const owner = { username, about: 's' };
  const { options, state } = await passkeys.beginRegistration(owner, [], undefined);
  const { passkey, response } = authenticator.create(options as never);
  const registered = await passkeys.finishRegistration(owner, { state, response });
  if (registered === undefined) throw new Error('no passkey');
  const { key, userHandle } = registered;
  await factors.addPasskey(username, { ...key, name: 'key', userHandle }, once(), unconditional);
  return passkey;
}
type Passkey = Awaited<ReturnType<typeof addPasskey>>;

/** What is asked after the password of a user was right. */
async function ask(username = 'olaf', of = login) {
  const user = await users.find(username);
  if (user === undefined) throw new Error(`no ${username}`);
  return of.ask(user);
}
const challengeOf = async (username = 'olaf') => (await ask(username))?.challenge ?? '';
const outcome = (attempt: Promise<{ readonly username: string }>) =>
  attempt.then(
    ({ username }) => `in: ${username}`,
    (error: { readonly reason?: string; readonly code?: string; readonly username?: string }) =>
      [error.code, error.reason, error.username].filter((word) => word !== undefined).join(' '),
  );
const finish = (challenge: string, proof: Proof, from = address) =>
  outcome(login.finish(challenge, proof, from));
const code = (secret: string, at = now): Proof => ({ method: 'one_time_code', code: codeOf(secret, at) });
async function signed(passkey: Passkey, challenge?: string, deviation = {}) {
  const { options, state } = await login.passkeyOptions(challenge);
  return { state, response: authenticator.sign(passkey, options as never, deviation) };
}

describe('after a right password', () => {
  test('a user without a factor is logged in', async () => {
    expect(await ask()).toBeUndefined();
  });

  test('the response names the methods of the user', async () => {
    await setCode();
    expect((await ask())?.methods).toEqual(['one_time_code', 'recovery_code']);
    await addPasskey();
    expect((await ask())?.methods).toEqual(['passkey', 'one_time_code', 'recovery_code']);
    expect((await ask('olaf', loginAt(undefined)))?.methods).toEqual(['one_time_code', 'recovery_code']);
    await addPasskey('vera');
    expect((await ask('vera'))?.methods).toEqual(['passkey']);
    expect((await ask('vera', loginAt(undefined)))?.methods).toEqual([]);
  });

  test('accepts a code, a recovery code or a passkey', async () => {
    const { secret, recoveryCodes } = await setCode();
    const passkey = await addPasskey();
    const { generation } = (await users.find('olaf')) ?? {};
    expect(await login.finish(await challengeOf(), code(secret), address)).toMatchObject({
      username: 'olaf',
      generation,
    });
    const recovery = { method: 'recovery_code', code: recoveryCodes[0] ?? '' } as const;
    expect(await finish(await challengeOf(), recovery)).toBe('in: olaf');
    const challenge = await challengeOf();
    const proof = { method: 'passkey', passkey: await signed(passkey, challenge) } as const;
    expect(await finish(challenge, proof)).toBe('in: olaf');
  });

  test('rejects a wrong proof, and that of another user', async () => {
    const { recoveryCodes } = await setCode('vera');
    await setCode();
    const challenge = await challengeOf();
    const hers = { method: 'recovery_code', code: recoveryCodes[0] ?? '' } as const;
    expect(await finish(challenge, hers)).toBe('login_failed recovery_code_wrong olaf');
    const passkey = await addPasskey('vera');
    const ofHers = { method: 'passkey', passkey: await signed(passkey, await challengeOf('vera')) } as const;
    expect(await finish(challenge, ofHers)).toBe('challenge_expired challenge_expired olaf');
    const forThis = { method: 'passkey', passkey: await signed(passkey, challenge) } as const;
    expect(await finish(challenge, forThis)).toBe('login_failed passkey_unknown olaf');
  });

  test('accepts a challenge once within five minutes, even after pruning', async () => {
    const { secret, recoveryCodes } = await setCode();
    const [challenge, late] = [await challengeOf(), await challengeOf()];
    expect(await finish(challenge, code(secret))).toBe('in: olaf');
    const another = { method: 'recovery_code', code: recoveryCodes[0] ?? '' } as const;
    now += 60_000;
    await pruneSignOn(store, clock);
    expect(await finish(challenge, another)).toBe('challenge_expired challenge_expired olaf');
    // What was not let in took nothing.
    expect((await factors.of('olaf')).recoveryCodesLeft).toBe(10);
    now += 239_000;
    expect(await finish(late, code(secret))).toBe('in: olaf');
    const last = await challengeOf();
    now += 301_000;
    expect(await finish(last, code(secret))).toBe('challenge_expired');
  });

  test.each<[what: string, change: () => Promise<unknown>]>([
    ['another password', () => users.setPassword('olaf', 'h2', unconditional)],
    ['another role', () => users.setRole('olaf', 'family', unconditional)],
    ['a reset of the factors', () => factors.resetFactors('olaf', unconditional)],
    ['a block', () => users.block('olaf', unconditional)],
    ['the end of the user', () => users.remove('olaf', unconditional)],
    ['the end of all sessions', () => users.endSessions('olaf', unconditional)],
  ])('%s ends what has begun', async (_, change) => {
    const { secret } = await setCode();
    const challenge = await challengeOf();
    await change();
    expect(await finish(challenge, code(secret))).toBe('challenge_expired challenge_expired olaf');
    await expect(login.passkeyOptions(challenge)).rejects.toMatchObject({ code: 'challenge_expired' });
  });

  test('rejects a challenge sealed for another purpose', async () => {
    const { secret } = await setCode();
    const begun = { id: 'i', username: 'olaf', generation: (await users.find('olaf'))?.generation };
    const good = await sealing.issue('login_challenge', begun, 300);
    for (const challenge of [
      '',
      await sealing.issue('another', begun, 300),
      await sealing.issue('login_challenge', { ...begun, id: undefined }, 300),
      await sealing.issue('login_challenge', { ...begun, username: 7 }, 300),
      await sealing.issue('login_challenge', { ...begun, generation: undefined }, 300),
      await createSealing('another secret', clock).issue('login_challenge', begun, 300),
    ])
      expect(await finish(challenge, code(secret))).toBe('challenge_expired');
    expect(await finish(good, code(secret))).toBe('in: olaf');
  });
});

describe('guesses', () => {
  test('count by address and by user; a right proof does not count', async () => {
    const { secret } = await setCode();
    const wrong: Proof = { method: 'one_time_code', code: '000000' };
    for (let i = 0; i < 4; i += 1)
      expect(await finish(await challengeOf(), wrong)).toBe('login_failed one_time_code_wrong olaf');
    for (let i = 0; i < 3; i += 1) {
      expect(await finish(await challengeOf(), code(secret))).toBe('in: olaf');
      now += 30_000;
    }
    expect(await finish(await challengeOf(), wrong)).toBe('login_failed one_time_code_wrong olaf');
    expect(await finish(await challengeOf(), code(secret))).toBe('too_many_requests');
    // From elsewhere too, since that was five.
    expect(await finish(await challengeOf(), code(secret), '198.51.100.1')).toBe('too_many_requests');
    const { recoveryCodes } = await setCode();
    const recovery = { method: 'recovery_code', code: recoveryCodes[0] ?? '' } as const;
    expect(await finish(await challengeOf(), recovery, '198.51.100.1')).toBe('in: olaf');
  });

  test('do not count when the gate failed to check them', async () => {
    const { secret } = await setCode();
    const challenge = await challengeOf();
    const broken = createFactorLogin({
      change: () => Promise.reject(new Error('the disk is full')),
      users,
      factors,
      passkeys,
      proofs: createProofs({
        read: store,
        sealing,
        passkeys,
        changeLimit: createChangeLimit(createWindowsInMemory()),
        clock,
      }),
      proofLimit: createProofLimit(
        createFailureLimit('1/hour', createWindowsInMemory()),
        createWindowsInMemory(),
        () => undefined,
      ),
      sealing,
      clock,
    });
    for (let i = 0; i < 3; i += 1)
      await expect(broken.finish(challenge, code(secret), address)).rejects.toThrow('the disk is full');
  });
});

describe('a passkey alone', () => {
  const show = async (passkey: Passkey, deviation = {}) =>
    outcome(login.byPasskey(await signed(passkey, undefined, deviation), address));

  test('logs its user in, once', async () => {
    const passkey = await addPasskey();
    const presented = await signed(passkey);
    expect(await outcome(login.byPasskey(presented, address))).toBe('in: olaf');
    expect(await outcome(login.byPasskey(presented, address))).toMatch(/^challenge_expired/);
    expect(await show(passkey, { userHandle: null })).toBe('login_failed passkey_unknown');
    expect(await show(passkey, { userVerified: false })).toBe('login_failed passkey_wrong');
  });

  test('for a login with a password is valid only for that login', async () => {
    const passkey = await addPasskey();
    const presented = await signed(passkey, await challengeOf());
    expect(await outcome(login.byPasskey(presented, address))).toBe('challenge_expired challenge_expired');
  });

  test('does not log in a blocked or federated user', async () => {
    const passkey = await addPasskey();
    await users.block('olaf', unconditional);
    expect(await show(passkey)).toBe('login_failed passkey_unknown olaf');
    await users.unblock('olaf', unconditional);
    expect(await show(passkey)).toBe('in: olaf');
    await store.change(unconditional, (on) =>
      on
        .updateTable('users')
        .set({ issuer: 'https://id.example', subject: '1' })
        .where('username', '=', 'olaf')
        .execute(),
    );
    expect(await show(passkey)).toBe('login_failed passkey_unknown olaf');
  });

  test('is requested with the passkeys of the login, or with any', async () => {
    const passkey = await addPasskey();
    expect((await login.passkeyOptions(undefined)).options).toMatchObject({
      allowCredentials: [],
      timeout: 600_000,
    });
    expect((await login.passkeyOptions(await challengeOf())).options).toMatchObject({
      allowCredentials: [{ id: passkey.id }],
      timeout: 300_000,
    });
    await expect(loginAt(undefined).passkeyOptions(undefined)).rejects.toMatchObject({
      code: 'passkeys_impossible',
    });
  });
});
