import { expect, test } from 'vitest';
import { loginUrlOf } from '../../../../src/http/fronts/client.ts';
import { settings } from '../../api/api-dependencies.ts';

const arrival = {
  incoming: { headers: {}, rawHeaders: [], socket: {}, url: '/', method: 'GET' },
  entryPoint: 'authenticated',
  listener: 'client-facing',
  tls: true,
} as never;

test('a gate without accounts has no page to sign in at, and leads no one to one', () => {
  expect(loginUrlOf(arrival, { ...settings, mode: 'session' })).toBe('/login');
  expect(loginUrlOf(arrival, { ...settings, mode: 'proxy' })).toBeUndefined();
});
