import { expect, test, vi } from 'vitest';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import { createFailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { createProofLimit, ProofRefused, type Proof } from '../../../../src/accounts/second-factor/proofs.ts';
import { createStepUp } from '../../../../src/accounts/second-factor/step-up.ts';

const who = { username: 'olaf', sessionId: 's1' };
const passkeysOfOlaf = [{ id: 'AAAA', transports: [] }];
const permit = vi.fn();

function start() {
  const windows = createWindowsInMemory();
  const use = vi.fn(async () => undefined);
  const check = vi.fn(async (_: Proof, username: string | undefined) => ({ username: username ?? '', use }));
  const change = vi.fn(async (_: unknown, work: (on: never) => Promise<unknown>) => work('on' as never));
  const beginAssertion = vi.fn(async () => ({ options: { challenge: 'c' }, state: 's' }));
  const stepUp = createStepUp({
    change: change as never,
    factors: { of: async () => ({ passkeys: passkeysOfOlaf }) as never },
    passkeys: { beginAssertion },
    proofs: { check },
    proofLimit: createProofLimit(createFailureLimit('2/hour', windows), windows, () => undefined),
  });
  return { stepUp, use, check, change, beginAssertion };
}
const code: Proof = { method: 'one_time_code', code: '123456' };
const occasion = { purpose: 'passkey_step_up', about: 's1' };

test('accepts a proof of the user for the session, with its permit', async () => {
  const { stepUp, use, check, change } = start();
  for (let times = 0; times < 3; times += 1) await stepUp.prove(who, code, '192.0.2.1', permit);
  expect(check).toHaveBeenCalledWith(code, 'olaf', occasion);
  expect(change).toHaveBeenCalledWith(permit, expect.any(Function));
  expect(use).toHaveBeenCalledTimes(3);
  expect(use).toHaveBeenCalledWith('on');
});

test('counts proofs that fail when checked or when used', async () => {
  const { stepUp, use, check } = start();
  const prove = () => stepUp.prove(who, code, '192.0.2.1', permit);
  check.mockRejectedValueOnce(new ProofRefused('one_time_code_wrong'));
  await expect(prove()).rejects.toMatchObject({ fault: 'one_time_code_wrong' });
  use.mockRejectedValueOnce(new ProofRefused('one_time_code_used'));
  await expect(prove()).rejects.toMatchObject({ fault: 'one_time_code_used' });
  await expect(prove()).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('does not count a refused permit or a failed write', async () => {
  const { stepUp, change } = start();
  change.mockRejectedValue(new Error('the session has ended'));
  for (let times = 0; times < 4; times += 1)
    await expect(stepUp.prove(who, code, '192.0.2.1', permit)).rejects.toThrow('the session has ended');
});

test('requests one of the passkeys of the user, for the session', async () => {
  const { stepUp, beginAssertion } = start();
  await stepUp.passkeyOptions(who);
  expect(beginAssertion).toHaveBeenCalledWith('passkey_step_up', 's1', passkeysOfOlaf);
});
