import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readOptions, withOptions } from '../../script/container/add-on-options.ts';
import { configurationReader } from '../../src/config/load.ts';
import { projectRoot } from '../support/start-gateway.ts';

const door = '127.0.0.1:8971';
const options = (changes: object = {}) =>
  readOptions(JSON.stringify({ ingress: false, upstream: 'http://f:8971', database: '/x/f.db', ...changes }));
const users = [
  { user: 'ada', role: 'admin' },
  { user: 'Rosa M.', role: 'viewer' },
];
const read = (text: string) => configurationReader({}, projectRoot, 'config.yml')(text);

test('a first start writes the options, which Postern reads without a warning', () => {
  const { upstream, eventsDatabase, auth, warnings } = read(withOptions(undefined, options(), door));
  expect({ upstream, eventsDatabase, warnings }).toEqual({
    upstream: 'http://f:8971',
    eventsDatabase: '/x/f.db',
    warnings: [],
  });
  expect(auth.enabled).toBe(true);
});

test('a later start keeps everything else, with its comments, and writes nothing without a change', () => {
  const own = '# mine\nupstream: http://old:5000 # theirs\nauth:\n  roles:\n    family: [yard]\nevents:\n';
  const text = withOptions(own, options(), door);
  expect(text).toContain('# mine');
  expect(parse(text)).toEqual({
    upstream: 'http://f:8971',
    auth: { roles: { family: ['yard'] } },
    events: { database: '/x/f.db' },
  });
  expect(withOptions(text, options(), door)).toBe(text);
});

test('an empty option leaves its key to the file', () => {
  const text = 'upstream: http://own:5000\n';
  expect(withOptions(text, options({ upstream: '', database: null }), door)).toBe(text);
});

test.each(['upstream: [', '- a\n', 'a: 1\na: 2\n'])(
  'a file that can’t be read stays for Postern to refuse: %j',
  (text) => {
    expect(withOptions(text, options(), door)).toBe(text);
  },
);

test('ingress is proxy mode behind the door, for the users of the list', () => {
  const text = withOptions(undefined, options({ ingress: true, users }), door);
  expect(parse(text)).toMatchObject({
    networking: { listen: { authenticated: door } },
    auth: { enabled: false },
    proxy: { header_map: { user: 'X-Remote-User-Name' }, user_map: { ada: 'admin', 'Rosa M.': 'viewer' } },
  });
  expect(parse(withOptions(text, options({ ingress: true }), door)).proxy.user_map).toEqual({});
});

test('options that are none are refused', () => {
  for (const text of ['[]', 'null', '"x"']) expect(() => readOptions(text)).toThrow('no JSON object');
});
