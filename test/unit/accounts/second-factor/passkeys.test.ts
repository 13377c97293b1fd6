import { beforeEach, describe, expect, test } from 'vitest';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import {
  createPasskeys,
  type AssertionPurpose,
  relyingPartyOf,
} from '../../../../src/accounts/second-factor/passkeys.ts';
import { authenticator, site, type Deviation } from '../../../support/factor-person.ts';

const start = 1_800_000_000_000;
let now: number;
beforeEach(() => void (now = start));
const clock = { now: () => now };
const sealing = createSealing('a secret of the tests', clock);
const passkeys = createPasskeys(relyingPartyOf(site), sealing, clock);
const owner = { username: 'olaf', about: 's' };

const begin = async () => passkeys.beginRegistration(owner, [], undefined);
async function register(deviation: Deviation = {}, as: Partial<typeof owner> = {}, later = 0) {
  const { options, state } = await begin();
  const { passkey, response } = authenticator.create(options as never, deviation);
  now += later;
  const registered = await passkeys.finishRegistration({ ...owner, ...as }, { state, response });
  return { registered, passkey, response, options: options as Record<string, unknown> };
}

describe('a new passkey', () => {
  test('is requested with common algorithms, user verification, and no attestation', async () => {
    const { options } = await begin();
    expect(options).toMatchObject({
      rp: { id: 'cameras.example', name: 'Postern' },
      user: { name: 'olaf', displayName: 'olaf' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 300_000,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
  });

  test('excludes the existing passkeys, and keeps the user handle', async () => {
    const has = { id: 'AAAA', transports: ['usb', 'nfc'] };
    const { options } = await passkeys.beginRegistration(owner, [has], 'aGFuZGxl');
    expect(options).toMatchObject({
      user: { id: 'aGFuZGxl' },
      excludeCredentials: [{ id: 'AAAA', transports: ['usb', 'nfc'] }],
    });
    const handles = await Promise.all([begin(), begin()]);
    const ids = handles.map((made) => (made.options as { challenge: string; user: { id: string } }).user.id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32);
  });

  test('is requested with a challenge of 256 random bits, as a signature is', async () => {
    const ceremonies = await Promise.all([begin(), begin(), passkeys.beginAssertion('passkey_login', '')]);
    const challenges = ceremonies.map(({ options }) => options.challenge);
    expect(new Set(challenges).size).toBe(3);
    for (const challenge of challenges) expect(Buffer.from(challenge, 'base64url')).toHaveLength(32);
  });

  test('can be registered once while its state is valid', async () => {
    const { registered, passkey } = await register();
    expect(registered).toMatchObject({
      key: { id: passkey.id, counter: 0, transports: ['internal'] },
      userHandle: passkey.userHandle,
      challenge: expect.stringMatching(/^[\w-]{20,}$/) as string,
      expiresAt: now + 300_000,
    });
  });

  test('expires after five minutes', async () => {
    expect((await register({}, {}, 299_000)).registered).toBeDefined();
    expect((await register({}, {}, 301_000)).registered).toBeUndefined();
  });

  test('keeps only known transports', async () => {
    const { options, state } = await begin();
    const { response } = authenticator.create(options as never);
    const sent = ['usb', 'evil', 'ble', 'hybrid', 'nfc', 'internal', 7];
    const presented = { ...response, response: { ...response.response, transports: sent } };
    const registered = await passkeys.finishRegistration(owner, { state, response: presented });
    expect(registered?.key.transports.toSorted()).toEqual(['ble', 'hybrid', 'internal', 'nfc', 'usb']);
    const without = { ...response, response: { ...response.response, transports: 'usb' } };
    expect((await passkeys.finishRegistration(owner, { state, response: without }))?.key.transports).toEqual(
      [],
    );
  });

  test.each<[what: string, deviation: Deviation, as?: Partial<typeof owner>]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another name of a site', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['that did not verify its user', { userVerified: false }],
    ['made in a frame of another site', { crossOrigin: true }],
    ['that is a signature', { type: 'webauthn.get' }],
    ['of another user', {}, { username: 'vera' }],
    ['of another session', {}, { about: 'another' }],
  ])('%s is none', async (_, deviation, as) => {
    expect((await register(deviation, as)).registered).toBeUndefined();
  });
});

describe('a signature', () => {
  async function sign(deviation: Deviation = {}, purpose: AssertionPurpose = 'passkey_step_up') {
    const { registered, passkey } = await register();
    if (registered === undefined) throw new Error('no passkey');
    const { options, state } = await passkeys.beginAssertion(purpose, 's');
    const response = authenticator.sign(passkey, options as never, deviation);
    const asked = await passkeys.challengeOf(purpose, 's', state);
    const verify = (challenge = asked?.challenge ?? '', key = registered.key) =>
      passkeys.verifyAssertion(response, challenge, key);
    return { state, asked, verify };
  }

  test('returns the counter', async () => {
    expect(await (await sign({ counter: 7 })).verify()).toBe(7);
    expect(await (await sign({ counter: 0 })).verify()).toBe(0);
  });

  test.each<[what: string, deviation: Deviation]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['of a site below', { origin: 'https://evil.cameras.example' }],
    ['of a site whose name begins like this one', { origin: 'https://cameras.example.evil.example' }],
    ['without TLS', { origin: 'http://cameras.example' }],
    ['of another port', { origin: 'https://cameras.example:8443' }],
    ['of another name of a site', { rpId: 'evil.example' }],
    ['that did not verify its user', { userVerified: false }],
    ['made in a frame of another site', { crossOrigin: true }],
    ['that is a registration', { type: 'webauthn.create' }],
  ])('%s is none', async (_, deviation) => {
    expect(await (await sign(deviation)).verify()).toBeUndefined();
  });

  test('with another challenge or another key is invalid', async () => {
    const { verify } = await sign();
    expect(await verify('AAAA')).toBeUndefined();
    const { registered: other } = await register();
    expect(await verify(undefined, other?.key)).toBeUndefined();
  });

  test.each<[AssertionPurpose, seconds: number]>([
    ['passkey_login', 600],
    ['passkey_second_factor', 300],
    ['passkey_step_up', 300],
  ])('for %s is asked for, and its use is known, for %d seconds', async (purpose, seconds) => {
    const { options, state } = await passkeys.beginAssertion(purpose, 's', [{ id: 'AAAA', transports: [] }]);
    expect(options).toMatchObject({
      timeout: seconds * 1_000,
      userVerification: 'required',
      allowCredentials: [{ id: 'AAAA' }],
    });
    now += 10_000;
    const asked = await passkeys.challengeOf(purpose, 's', state);
    expect(asked).toMatchObject({ challenge: options.challenge });
    // A use that is forgotten before the state is too old could come again.
    expect(asked?.expiresAt).toBeGreaterThanOrEqual(start + seconds * 1_000);
    now = start + seconds * 1_000 - 1_000;
    expect(await passkeys.challengeOf(purpose, 's', state)).toBeDefined();
    now = start + seconds * 1_000 + 1_000;
    expect(await passkeys.challengeOf(purpose, 's', state)).toBeUndefined();
  });

  test('is valid for one purpose and one session', async () => {
    const { state } = await passkeys.beginAssertion('passkey_step_up', 's');
    expect(await passkeys.challengeOf('passkey_step_up', 's', state)).toBeDefined();
    expect(await passkeys.challengeOf('passkey_step_up', 'other', state)).toBeUndefined();
    expect(await passkeys.challengeOf('passkey_login', 's', state)).toBeUndefined();
    expect(await passkeys.challengeOf('passkey_step_up', 's', `${state}x`)).toBeUndefined();
    const noChallenge = await sealing.issue('passkey_step_up', { about: 's' }, 60);
    expect(await passkeys.challengeOf('passkey_step_up', 's', noChallenge)).toBeUndefined();
  });
});

test('passkeys are impossible without `public_url`', async () => {
  const none = createPasskeys(undefined, sealing, clock);
  expect([passkeys.arePossible, none.arePossible]).toEqual([true, false]);
  passkeys.requirePossible();
  expect(() => none.requirePossible()).toThrow(expect.objectContaining({ code: 'passkeys_impossible' }));
  await expect(none.beginAssertion('passkey_login', '')).rejects.toThrow(/public_url/);
});

test.each<[publicUrl: string | undefined, id: string | undefined]>([
  ['https://cameras.example', 'cameras.example'],
  ['https://cameras.example:8443', 'cameras.example'],
  ['http://localhost:5000', 'localhost'],
  ['http://gate.localhost', 'gate.localhost'],
  // Browsers have passkeys over TLS alone, and at names.
  ['http://cameras.example', undefined],
  ['https://192.0.2.7', undefined],
  ['https://[2001:db8::7]', undefined],
  [undefined, undefined],
])('passkeys of %s belong to %s', (publicUrl, id) => {
  expect(relyingPartyOf(publicUrl)).toEqual(id === undefined ? undefined : { id, origin: publicUrl });
});
