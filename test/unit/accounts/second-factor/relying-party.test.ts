import { expect, test } from 'vitest';
import { relyingPartyOf } from '../../../../src/accounts/second-factor/relying-party.ts';

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
