import { expect, test } from 'vitest';
import { isOfThisComputer, siteAddress } from '../../../../src/web/ui/site-address.ts';

test.each([
  ['https://cameras.example.org', 'https://localhost:8971', 'https://cameras.example.org/'],
  [null, 'https://192.168.1.5:8971', 'https://192.168.1.5:8971/'],
  // A placeholder is filled in only by Postern itself.
  ['{SERVICE_PUBLIC_URL}', 'https://nas:8971', 'https://nas:8971/'],
])('with public_url %j and the browser at %s, devices open %s', (publicUrl, browser, address) => {
  expect(siteAddress(publicUrl, browser).href).toBe(address);
});

test.each([
  ['https://localhost:8971', true],
  ['https://localhost.', true],
  ['https://postern.localhost', true],
  ['https://127.0.0.1:8971', true],
  ['https://127.1', true],
  ['http://0.0.0.0:5000', true],
  ['https://[::1]:8971', true],
  ['https://[::]:8971', true],
  ['https://192.168.1.5:8971', false],
  ['https://[fd00::5]:8971', false],
  ['https://nas:8971', false],
  ['https://127.0.0.1.example.org', false],
  ['https://localhost.example.org', false],
])('%s leads every device to itself: %s', (address, isIt) => {
  expect(isOfThisComputer(new URL(address))).toBe(isIt);
});
