import { expect, test } from 'vitest';
import { saferAddress, typedAddress } from '../../../../../src/web/pages/first-run/typed-address.ts';

test.each<[typed: string, address: string]>([
  ['192.168.1.20:8971', 'http://192.168.1.20:8971'],
  [' recorder.local:8971 ', 'http://recorder.local:8971'],
  ['https://recorder.local', 'https://recorder.local'],
  ['HTTP://recorder.local', 'HTTP://recorder.local'],
  ['unix:/run/recorder.sock', 'unix:/run/recorder.sock'],
])('%s means %s', (typed, address) => {
  expect(typedAddress(typed)).toBe(address);
});

test.each<[address: string, safer: string | undefined]>([
  ['http://192.168.1.20:5000', 'http://192.168.1.20:8971'],
  ['http://recorder', 'http://recorder:8971'],
  ['http://[fd00::1]:5000', 'http://[fd00::1]:8971'],
  ['http://192.168.1.20:8971', undefined],
  ['unix:/run/recorder.sock', undefined],
  ['http://', undefined],
])('beside %s there is %s', (address, safer) => {
  expect(saferAddress(address)).toBe(safer);
});
