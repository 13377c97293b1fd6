import { describe, expect, test } from 'vitest';
import { bodyOf, outcome, person, personOf, site } from '../support/factor-person.ts';
import { startDelayedGate } from '../support/start-delayed-gate.ts';
import { accounts, auth } from './delayed-rows.ts';

const start = (changes: object = {}) =>
  startDelayedGate({ ...accounts, public_url: site, auth: { ...auth, ...changes } });

const loginOptions = '/postern/api/login/passkey-options';
const passkeyLogin = '/postern/api/login/passkey';

describe('a passkey', () => {
  test('is all that a login needs', async () => {
    const gate = await start();
    const olaf = await person(gate, 'olaf');
    const passkey = await olaf.addPasskey();
    const other = personOf(gate, 'olaf');
    const answer = await other.send('POST', passkeyLogin, await other.passkeyFor(loginOptions, passkey));
    expect(bodyOf(answer)).toEqual({
      username: 'olaf',
      role: 'viewer',
      allowed_cameras: ['front', 'garage'],
    });
    expect(outcome(await other.send('GET', '/api/profile'))).toBe('200');
  });
});
