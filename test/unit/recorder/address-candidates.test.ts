import { expect, test } from 'vitest';
import { bestOf, candidatesOf } from '../../../src/recorder/address-candidates.ts';

const onBothPorts = (host: string) =>
  [8971, 5000].flatMap((port) => [`http://${host}:${port}`, `https://${host}:${port}`]);

test.each([
  ['192.168.1.5', onBothPorts('192.168.1.5')],
  [' 192.168.1.5/ ', onBothPorts('192.168.1.5')],
  ['frigate.local', onBothPorts('frigate.local')],
  ['frigate', onBothPorts('frigate')],
  ['fd00::5', onBothPorts('[fd00::5]')],
  ['[fd00::5]', onBothPorts('[fd00::5]')],
  ['nas:8971', ['http://nas:8971', 'https://nas:8971']],
  ['[fd00::5]:5000', ['http://[fd00::5]:5000', 'https://[fd00::5]:5000']],
  ['http://192.168.1.5', ['http://192.168.1.5']],
  ['https://nas:8971', ['https://nas:8971']],
  ['unix:/run/recorder.sock', ['unix:/run/recorder.sock']],
])('%j may be one of %j', (typed, expected) => {
  expect(candidatesOf(typed)).toEqual(expected);
});

test.each([
  '',
  ' ',
  'a b',
  'nas/x',
  'nas:0x1',
  'nas:99999',
  'olaf@nas',
  'nas?x',
  'file:///etc/passwd',
  '[::1',
  'nas#x',
])('%j is no address', (typed) => expect(candidatesOf(typed)).toEqual([]));

const found = (isEveryoneAdmin: boolean) => ({ cameras: ['front'], version: undefined, isEveryoneAdmin });

test('a recorder with roles is best, then one without, then the fault that tells most', () => {
  const at = (
    address: string,
    trial: ReturnType<typeof found> | { fault: 'no_answer' | 'asks_for_login' | 'speaks_tls' },
  ) => ({
    address,
    trial,
  });
  const silent = at('1', { fault: 'no_answer' });
  const tls = at('2', { fault: 'speaks_tls' });
  const login = at('3', { fault: 'asks_for_login' });
  const open = at('4', found(true));
  const roles = at('5', found(false));
  expect(bestOf([silent, login, open, roles, tls])).toBe(roles);
  expect(bestOf([silent, login, open])).toBe(open);
  expect(bestOf([silent, tls, login])).toBe(login);
  expect(bestOf([silent, at('6', { fault: 'no_answer' })])).toBe(silent);
});
