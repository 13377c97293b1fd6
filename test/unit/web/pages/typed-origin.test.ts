import { expect, test } from 'vitest';
import { typedOrigin } from '../../../../src/web/pages/general/typed-origin.ts';

test.each([
  ['', null],
  ['  ', null],
  ['cameras.example.org', 'https://cameras.example.org'],
  [' HTTPS://Cameras.Example.org/ ', 'https://cameras.example.org'],
  ['http://192.168.1.5:8971', 'http://192.168.1.5:8971'],
  ['nas:8971', 'https://nas:8971'],
  ['[fd00::5]:8971', 'https://[fd00::5]:8971'],
  ['https://cameras.example.org:443', 'https://cameras.example.org'],
  ['cameras.example.org/postern', undefined],
  ['https://cameras.example.org/?a', undefined],
  ['https://olaf:secret@cameras.example.org', undefined],
  ['ftp://cameras.example.org', undefined],
  ['not an address', undefined],
])('the address %j is %s', (typed, origin) => {
  expect(typedOrigin(typed)).toBe(origin);
});
