import { describe, expect, test } from 'vitest';
import { unconditional } from '../../src/store/permit.ts';
import { authenticator, bodyOf, outcome, person, personOf } from '../support/factor-person.ts';
import type { Person } from '../support/factor-person.ts';
import { goodPassword as password } from '../support/log-in.ts';
import { hashOf, startDelayedGate, type DelayedGate } from '../support/start-delayed-gate.ts';
import { accounts, auth } from './delayed-rows.ts';

const start = (changes: object = {}) => startDelayedGate({ ...accounts, auth: { ...auth, ...changes } });

const loginOptions = '/postern/api/login/passkey-options';
const passkeyLogin = '/postern/api/login/passkey';

/** Whether there is a session afterwards. */
const isIn = async (someone: Person) => outcome(await someone.send('GET', '/api/profile')) === '200';
const failures = ({ log }: DelayedGate) =>
  log
    .filter(({ event }) => event === 'second_factor_failed')
    .map(({ user, reason }) => `${String(user)}: ${String(reason)}`);
const fromAddress = (i: number) => [['X-Forwarded-For', `203.0.${i >> 8}.${i & 255}`] as const];

describe('a passkey', () => {
  test('is all that a login needs, and each answer works once', async () => {
    const gate = await start();
    const passkey = await (await person(gate, 'olaf')).addPasskey();
    const other = personOf(gate, 'olaf');
    const body = await other.passkeyFor(loginOptions, passkey);
    const [first, second] = await Promise.all([
      other.send('POST', passkeyLogin, body),
      personOf(gate, 'olaf').send('POST', passkeyLogin, body),
    ]);
    const both = [outcome(first), outcome(second)].toSorted();
    expect(both).toEqual(['200', expect.stringMatching(/^40[13] /) as string]);
    const late = personOf(gate, 'olaf');
    expect(outcome(await late.send('POST', passkeyLogin, body))).toBe('403 challenge_expired');
    expect(await isIn(late)).toBe(false);
    expect(gate.log.filter(({ event, source }) => event === 'login' && source === 'passkey')).toHaveLength(1);
  });

  test('is added by its own session, once', async () => {
    const gate = await start();
    const olaf = await person(gate, 'olaf');
    const vera = await person(gate, 'vera');
    const add = async (someone: Person, sender = someone) => {
      const { options, state } = await someone.options('/postern/api/passkeys/options');
      const { response } = authenticator.create(options);
      return sender.send('POST', '/postern/api/passkeys', { name: 'phone', state, response });
    };
    expect(outcome(await add(olaf, vera))).toBe('403 passkey_refused');
    const elsewhere = personOf(gate, 'olaf');
    await elsewhere.logIn('olaf', password);
    expect(outcome(await add(olaf, elsewhere))).toBe('403 passkey_refused');
    expect(outcome(await add(olaf))).toBe('201');

    const { options, state } = await olaf.options('/postern/api/passkeys/options');
    const { response } = authenticator.create(options);
    const body = { name: 'key', state, response };
    expect(outcome(await olaf.send('POST', '/postern/api/passkeys', body))).toBe('201');
    expect(outcome(await olaf.send('DELETE', `/postern/api/passkeys/${response.id}`))).toBe('204');
    expect(outcome(await olaf.send('POST', '/postern/api/passkeys', body))).toBe('403 challenge_expired');
    // It is not vera's to remove.
    const id = (await olaf.methods()).passkeys[0]?.id;
    expect(id).toBeDefined();
    expect(outcome(await vera.send('DELETE', `/postern/api/passkeys/${id}`))).toBe('404 passkey_unknown');
  });

  test('is one of twenty', async () => {
    const gate = await start();
    const olaf = await person(gate, 'olaf');
    for (let i = 0; i < 20; i += 1) await olaf.addPasskey();
    const { options, state } = await olaf.options('/postern/api/passkeys/options');
    const { response } = authenticator.create(options);
    const answer = await olaf.send('POST', '/postern/api/passkeys', { name: 'more', state, response });
    expect(outcome(answer)).toBe('409 too_many_passkeys');
  });
});

describe('a one-time code', () => {
  test.each(['one_time_code', 'recovery_code'] as const)(
    '(%s) that is shown twice at once is taken once',
    async (method) => {
      const gate = await start({ failed_login_rate_limit: null });
      const { secret, recoveryCodes } = await (await person(gate, 'olaf')).setUpCode();
      const both = [personOf(gate, 'olaf'), personOf(gate, 'olaf')];
      const challenges = await Promise.all(both.map((one) => one.begin()));
      const proof =
        method === 'one_time_code'
          ? { code: both[0]?.code(secret) }
          : { recovery_code: recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ') };
      const answers = await Promise.all(both.map((one, i) => one.finish(challenges[i] ?? '', proof)));
      expect(answers.map(outcome).toSorted()).toEqual(['200', '401 login_failed']);
      const late = personOf(gate, 'olaf');
      expect(outcome(await late.finish(await late.begin(), proof))).toBe('401 login_failed');
      const reason = method === 'one_time_code' ? 'one_time_code_used' : 'recovery_code_wrong';
      expect(failures(gate)).toEqual([`olaf: ${reason}`, `olaf: ${reason}`]);
    },
  );

  test('is not found by two hundred who guess at once, from one address or from many', async () => {
    const gate = await start({ failed_login_rate_limit: '3/minute', trusted_proxies: ['127.0.0.1'] });
    const { secret, recoveryCodes } = await (await person(gate, 'olaf')).setUpCode();
    const guess = async (addressOf: (i: number) => number) => {
      const olaf = personOf(gate, 'olaf');
      const challenge = await olaf.begin();
      const right = olaf.code(secret);
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => {
          const code = String((Number(right) + 1 + i) % 1_000_000).padStart(6, '0');
          return personOf(gate, 'olaf').finish(challenge, { code }, fromAddress(addressOf(i)));
        }),
      );
      const looked = answers.filter(({ status }) => status === 401).length;
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - looked);
      return { looked, challenge, right };
    };
    expect((await guess(() => 1)).looked).toBe(3);
    // Five in five minutes are the user's, of which two are left.
    const { looked, challenge, right } = await guess((i) => i + 2);
    expect(looked).toBe(2);
    const olaf = personOf(gate, 'olaf');
    const limited = await olaf.finish(challenge, { code: right }, fromAddress(999));
    expect([outcome(limited), limited.headers.has('retry-after')]).toEqual(['429 too_many_requests', true]);
    // A recovery code cannot be guessed, so it still works.
    const [recoveryCode] = recoveryCodes;
    const answer = await olaf.finish(challenge, { recovery_code: recoveryCode }, fromAddress(998));
    expect(outcome(answer)).toBe('200');
  });

  test('is stored unreadable', async () => {
    const gate = await start({ failed_login_rate_limit: null });
    const { secret, recoveryCodes } = await (await person(gate, 'olaf')).setUpCode();
    const kept = JSON.stringify(await gate.kept());
    expect(kept).toContain('olaf');
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(kept).not.toContain(text);
    expect(JSON.stringify(gate.log)).not.toContain(secret);
  });

  test('is set up by its own session and a code of the new secret, once', async () => {
    const gate = await start();
    const olaf = await person(gate, 'olaf');
    const vera = await person(gate, 'vera');
    const { secret = '', state } = bodyOf(await olaf.send('POST', '/postern/api/one-time-code/setup', {}));
    const confirm = (someone: Person, code: string) =>
      someone.send('POST', '/postern/api/one-time-code', { state, code });
    expect(outcome(await confirm(vera, vera.code(secret)))).toBe('403 challenge_expired');
    expect((await confirm(olaf, '000000')).status).toBe(422);
    expect((await olaf.methods()).one_time_code).toBeNull();
    expect(outcome(await confirm(olaf, olaf.code(secret)))).toBe('201');
    gate.advance(60);
    expect(outcome(await confirm(olaf, olaf.code(secret)))).toBe('403 challenge_expired');
  });
});

describe('a login that waits for its second factor is worth nothing', () => {
  const takes: ReadonlyArray<[what: string, take: (gate: DelayedGate) => Promise<unknown>]> = [
    [
      'after another password',
      ({ services }) => services.users.setPassword('olaf', hashOf('another'), unconditional),
    ],
    ['after another role', ({ services }) => services.users.setRole('olaf', 'family', unconditional)],
    ['after the end of all sessions', ({ services }) => services.users.endSessions('olaf', unconditional)],
    ['after a removal', ({ services }) => services.users.remove('olaf', unconditional)],
    ['after a reset', ({ services }) => services.factors.resetFactors('olaf', unconditional)],
    [
      'when an admin blocks the user',
      ({ services }) =>
        services.change(unconditional, (on) =>
          on.updateTable('users').set({ blocked: 'admin' }).where('username', '=', 'olaf').execute(),
        ),
    ],
  ];
  test.each(takes)('%s, even while the proof waits to be counted', async (_, take) => {
    const gate = await start({ failed_login_rate_limit: null });
    const { secret } = await (await person(gate, 'olaf')).setUpCode();
    const olaf = personOf(gate, 'olaf');
    const challenge = await olaf.begin();
    const waiting = gate.delay('change');
    const answer = olaf.finish(challenge, { code: olaf.code(secret) });
    await waiting.reached;
    await take(gate);
    waiting.release();
    expect(outcome(await answer)).toBe('403 challenge_expired');
    expect(await isIn(olaf)).toBe(false);
  });
});

describe('the password alone', () => {
  test('gives no session to a user with a factor, and returns what is missing', async () => {
    const gate = await start();
    const first = await person(gate, 'olaf');
    await first.setUpCode();
    const olaf = personOf(gate, 'olaf');
    const answer = await olaf.logIn('olaf', password);
    expect(bodyOf(answer)).toEqual({
      message: expect.any(String) as string,
      code: 'second_factor_needed',
      methods: ['one_time_code', 'recovery_code'],
      challenge: expect.any(String) as string,
    });
    expect(answer.headers.has('set-cookie')).toBe(false);
    expect(await isIn(olaf)).toBe(false);
  });

  test('that is wrong reveals nothing about a factor', async () => {
    const gate = await start({ failed_login_rate_limit: null });
    await (await person(gate, 'olaf')).setUpCode();
    await person(gate, 'vera');
    const answers = [];
    for (const user of ['olaf', 'vera', 'nobody'])
      answers.push(await personOf(gate, user).logIn(user, 'wrong'));
    const shown = answers.map(({ status, headers, body }) => ({ status, names: [...headers.keys()], body }));
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
  });

  test('that an admin has set leaves the second factor', async () => {
    const gate = await start();
    const boss = await person(gate, 'boss', 'admin');
    const { secret } = await (await person(gate, 'olaf')).setUpCode();
    const other = 'another horse battery';
    expect(outcome(await boss.send('PUT', '/api/users/olaf/password', { password: other }))).toBe('200');
    const olaf = personOf(gate, 'olaf');
    const answer = await olaf.logIn('olaf', other);
    expect(outcome(answer)).toBe('401 second_factor_needed');
    const { challenge = '' } = bodyOf(answer);
    expect(outcome(await olaf.finish(challenge, { code: olaf.code(secret) }))).toBe('200');
  });

  test('stays valid until someone changes it', async () => {
    const gate = await start();
    await person(gate, 'olaf');
    gate.advance(10 * 365 * 86_400);
    expect(outcome(await personOf(gate, 'olaf').logIn('olaf', password))).toBe('200');
  });

  test('begins no session that outlives the first factor', async () => {
    const gate = await start();
    const olaf = await person(gate, 'olaf');
    const elsewhere = personOf(gate, 'olaf');
    await elsewhere.logIn('olaf', password);
    const former = personOf(gate, 'olaf');
    former.token = olaf.token;
    await olaf.setUpCode();
    expect([await isIn(olaf), await isIn(elsewhere), await isIn(former)]).toEqual([true, false, false]);
    await olaf.addPasskey();
    expect(await isIn(olaf)).toBe(true);
    await gate.services.factors.resetFactors('olaf', unconditional);
    expect(await isIn(olaf)).toBe(false);
  });
});
