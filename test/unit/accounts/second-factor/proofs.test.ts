import { beforeEach, describe, expect, test } from 'vitest';
import { createChangeLimit } from '../../../../src/accounts/limits/change-limit.ts';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createFactors, type Factors } from '../../../../src/accounts/second-factor/factors.ts';
import { newCodeSecret } from '../../../../src/accounts/second-factor/codes.ts';
import {
  createPasskeys,
  type AssertionPurpose,
  relyingPartyOf,
} from '../../../../src/accounts/second-factor/passkeys.ts';
import { createProofs, type Proof, createProofLimit } from '../../../../src/accounts/second-factor/proofs.ts';
import { pruneSignOn } from '../../../../src/features/oidc/provider-sessions.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { authenticator, codeOf, site, type Deviation } from '../../../support/factor-person.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { createFailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { AppError } from '../../../../src/errors.ts';

let now: number;
let store: Store;
let factors: Factors;
const clock = { now: () => now };
const sealing = createSealing('a secret of the tests', clock);
const passkeys = createPasskeys(relyingPartyOf(site), sealing, clock);
const proofsWith = (windows = createWindowsInMemory(), of = passkeys) =>
  createProofs({ read: store, sealing, passkeys: of, changeLimit: createChangeLimit(windows), clock });
beforeEach(async () => {
  now = 1_800_000_000_000;
  store = await temporaryStore();
  factors = createFactors(store, clock);
  const users = createUsers(store, clock);
  for (const username of ['olaf', 'vera'])
    await users.add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
});

let made = 0;
const once = () => ({ purpose: 'test', key: String((made += 1)), expiresAt: now + 60_000 });
const occasion = { purpose: 'passkey_step_up', about: 's' } as const;

/** What becomes of a proof that is checked, and then used. */
const outcome = async (
  proof: Proof,
  username: string | undefined,
  asked: { readonly purpose: AssertionPurpose; readonly about: string } = occasion,
  proofs = proofsWith(),
) =>
  proofs
    .check(proof, username, asked)
    .then(async (found) => {
      await store.change(unconditional, (on) => found.use(on));
      return `right: ${found.username}`;
    })
    .catch(
      ({ fault, code, message }: { fault?: string; code?: string; message: string }) =>
        fault ?? code ?? message,
    );

async function addPasskey(username: string) {
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

async function signed(passkey: Passkey, deviation: Deviation = {}, asked: typeof occasion = occasion) {
  const { options, state } = await passkeys.beginAssertion(asked.purpose, asked.about);
  const response = authenticator.sign(passkey, options as never, deviation);
  return { method: 'passkey', passkey: { state, response } } as const;
}

async function setCode(username: string) {
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

describe('a passkey', () => {
  test('is accepted for its user, or identifies the user', async () => {
    const passkey = await addPasskey('olaf');
    expect(await outcome(await signed(passkey), 'olaf')).toBe('right: olaf');
    expect(await outcome(await signed(passkey), undefined)).toBe('right: olaf');
    expect(await outcome(await signed(passkey, { userHandle: null }), 'olaf')).toBe('right: olaf');
  });

  test.each<[what: string, username: string | undefined, deviation: Deviation, fault: string]>([
    ['of another user', 'vera', {}, 'passkey_unknown'],
    ['that names another user', 'olaf', { userHandle: 'AAAA' }, 'passkey_unknown'],
    ['that does not say whose it is, where no one did', undefined, { userHandle: null }, 'passkey_unknown'],
    ['of another site', 'olaf', { origin: 'https://evil.example' }, 'passkey_wrong'],
    ['that verified no one', 'olaf', { userVerified: false }, 'passkey_wrong'],
  ])('%s is refused', async (_, username, deviation, fault) => {
    const passkey = await addPasskey('olaf');
    expect(await outcome(await signed(passkey, deviation), username)).toBe(fault);
  });

  test('for another session or an expired challenge is refused', async () => {
    const passkey = await addPasskey('olaf');
    const proof = await signed(passkey);
    expect(await outcome(proof, 'olaf', { ...occasion, about: 'another' })).toBe('challenge_expired');
    expect(await outcome(proof, 'olaf', { ...occasion, purpose: 'passkey_login' })).toBe('challenge_expired');
    now += 301_000;
    expect(await outcome(proof, 'olaf')).toBe('challenge_expired');
  });

  test('that is unknown or removed is refused', async () => {
    const passkey = await addPasskey('olaf');
    await addPasskey('olaf');
    const found = await proofsWith().check(await signed(passkey), 'olaf', occasion);
    const late = await signed(passkey);
    await factors.removePasskey('olaf', passkey.id, unconditional);
    await expect(store.change(unconditional, (on) => found.use(on))).rejects.toMatchObject({
      fault: 'passkey_unknown',
    });
    expect(await outcome(late, 'olaf')).toBe('passkey_unknown');
  });

  test('without a counter is accepted once, even after pruning', async () => {
    const passkey = await addPasskey('olaf');
    const proof = await signed(passkey, { counter: 0 });
    expect(await outcome(proof, 'olaf')).toBe('right: olaf');
    expect(await outcome(proof, 'olaf')).toBe('challenge_expired');
    for (const later of [60_000, 239_000]) {
      now += later;
      await pruneSignOn(store, clock);
      expect(await outcome(proof, 'olaf')).toBe('challenge_expired');
    }
  });

  test('is stored with its counter and the time of its last use', async () => {
    const [passkey, other] = [await addPasskey('olaf'), await addPasskey('olaf')];
    await outcome(await signed(passkey, { counter: 7 }), 'olaf');
    const rows = await store
      .selectFrom('passkeys')
      .select(['credential_id', 'counter', 'last_used_at'])
      .execute();
    expect(new Set(rows)).toEqual(
      new Set([
        { credential_id: passkey.id, counter: 7, last_used_at: now / 1_000 },
        { credential_id: other.id, counter: 0, last_used_at: null },
      ]),
    );
  });

  test('is limited by the hour; wrong ones do not count', async () => {
    const passkey = await addPasskey('olaf');
    const proofs = proofsWith(createWindowsInMemory());
    const wrong = await signed(passkey, { userVerified: false });
    const right = await signed(passkey);
    for (let i = 0; i < 3; i += 1)
      expect(await outcome(wrong, 'olaf', occasion, proofs)).toBe('passkey_wrong');
    for (let i = 0; i < 120; i += 1) await proofs.check(right, 'olaf', occasion);
    expect(await outcome(right, 'olaf', occasion, proofs)).toBe('too_many_requests');
  });

  test('is refused when passkeys have become impossible', async () => {
    const passkey = await addPasskey('olaf');
    const proofs = proofsWith(createWindowsInMemory(), { ...passkeys, arePossible: false });
    expect(await outcome(await signed(passkey), 'olaf', occasion, proofs)).toBe('passkey_unknown');
  });
});

describe('a one-time code', () => {
  const show = (code: string, username = 'olaf') => outcome({ method: 'one_time_code', code }, username);

  test('is accepted once for its user, and ends earlier ones', async () => {
    const { secret } = await setCode('olaf');
    await setCode('vera');
    const code = codeOf(secret, now);
    expect(await show(code, 'vera')).toBe('one_time_code_wrong');
    expect(await show(codeOf(secret, now - 120_000))).toBe('one_time_code_wrong');
    expect(await show(code)).toBe('right: olaf');
    expect(await show(code)).toBe('one_time_code_used');
    expect(await show(codeOf(secret, now - 30_000))).toBe('one_time_code_used');
    expect(await show(codeOf(secret, now + 30_000))).toBe('right: olaf');
  });

  test('is refused without a secret, or with one sealed for another user', async () => {
    expect(await show('123456')).toBe('one_time_code_wrong');
    const { secret } = await setCode('olaf');
    const { secret: sealed } = await store
      .selectFrom('one_time_codes')
      .select('secret')
      .executeTakeFirstOrThrow();
    await setCode('vera');
    await store.change(unconditional, (on, { prove }) =>
      on
        .updateTable('one_time_codes')
        .set({ secret: prove(sealed) })
        .where('username', '=', 'vera')
        .execute(),
    );
    expect(await show(codeOf(secret, now), 'vera')).toBe('one_time_code_wrong');
  });
});

describe('a recovery code', () => {
  test('is accepted once, for its user only', async () => {
    const { recoveryCodes } = await setCode('olaf');
    await setCode('vera');
    const [code = '', other = ''] = recoveryCodes;
    const show = (typed: string, username = 'olaf') =>
      outcome({ method: 'recovery_code', code: typed }, username);
    expect(await show(code, 'vera')).toBe('recovery_code_wrong');
    expect(await show('0000-0000-0000-0000')).toBe('recovery_code_wrong');
    expect(await show(code)).toBe('right: olaf');
    expect(await show(code)).toBe('recovery_code_wrong');
    expect(await show(` ${other.toUpperCase()} `)).toBe('right: olaf');
    expect((await factors.of('vera')).recoveryCodesLeft).toBe(10);
  });
});

test('a code does not identify its user', async () => {
  const { recoveryCodes } = await setCode('olaf');
  const proof = { method: 'recovery_code', code: recoveryCodes[0] ?? '' } as const;
  expect(await outcome(proof, undefined)).toMatch(/whose it is/);
});

const wrong = new Error('wrong');
const begin = (rules?: string) => {
  const windows = createWindowsInMemory();
  let limited = 0;
  const proofLimit = createProofLimit(createFailureLimit(rules, windows), windows, () => (limited += 1));
  const attempt = (
    method: 'one_time_code' | 'recovery_code',
    username: string,
    address: string,
    error?: Error,
  ) =>
    proofLimit
      .attempt(
        { address, username, proof: { method, code: '' } },
        (thrown) => thrown === wrong,
        async () => {
          if (error !== undefined) throw error;
        },
      )
      .then(
        () => 'right',
        (thrown: unknown) => (thrown instanceof AppError ? thrown.code : (thrown as Error).message),
      );
  return { attempt, limited: () => limited };
};

test('counts wrong codes of a user from all addresses', async () => {
  const { attempt, limited } = begin();
  for (let i = 0; i < 5; i += 1)
    expect(await attempt('one_time_code', 'olaf', `203.0.113.${i}`, wrong)).toBe('wrong');
  expect(await attempt('one_time_code', 'olaf', '203.0.113.9')).toBe('too_many_requests');
  expect(await attempt('one_time_code', 'vera', '203.0.113.9')).toBe('right');
  // It cannot be guessed, so it works even when codes are limited.
  expect(await attempt('recovery_code', 'olaf', '203.0.113.9')).toBe('right');
  expect(limited()).toBe(1);
});

test('does not count right codes, or codes that were not checked', async () => {
  const { attempt } = begin('5/minute');
  for (let i = 0; i < 8; i += 1) expect(await attempt('one_time_code', 'olaf', '203.0.113.1')).toBe('right');
  for (let i = 0; i < 8; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.1', new Error('locked'))).toBe('locked');
  for (let i = 0; i < 5; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.1', wrong)).toBe('wrong');
});

test('an attempt that one limit refuses takes no place of the other', async () => {
  const { attempt } = begin('9/minute');
  for (let i = 0; i < 5; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.1', wrong)).toBe('wrong');
  for (let i = 0; i < 9; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.2', wrong)).toBe('too_many_requests');
  for (let i = 0; i < 9; i += 1)
    expect(await attempt('recovery_code', 'olaf', '203.0.113.2', wrong)).toBe('wrong');
});
