import { expect, test } from 'vitest';
import { awaitsChallenge } from '../../../src/policy/challenge.ts';
import type { Front } from '../../../src/policy/request-context.ts';

const curl = ['User-Agent', 'curl/7.88.1', 'Accept', '*/*'];

test.each<[what: string, headers: readonly string[], awaits: boolean]>([
  ['curl', curl, true],
  ['Wget', ['User-Agent', 'Wget/1.21.3', 'Accept', '*/*', 'Accept-Encoding', 'identity'], true],
  [
    'ffmpeg',
    ['User-Agent', 'Lavf/59.27.100', 'Accept', '*/*', 'Range', 'bytes=0-', 'Icy-MetaData', '1'],
    true,
  ],
  ['Python', ['Accept-Encoding', 'identity', 'User-Agent', 'Python-urllib/3.11'], true],
  ['VLC', ['Accept', '*/*', 'Accept-Language', 'en_US', 'User-Agent', 'VLC/3.0.24 LibVLC/3.0.24'], true],
  ['a program without a name', [], true],
  ['one that names Mozilla further on', ['User-Agent', 'reader (like Mozilla/5.0)'], true],
  ['one that asks for XML', [...curl, 'Accept', 'application/xhtml+xml, application/json'], true],
  ['a browser', ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', 'Accept', '*/*'], false],
  ['a browser in lower case', ['User-Agent', 'mozilla/5.0'], false],
  [
    'a browser of an old television',
    ['User-Agent', 'Opera/9.80 (Linux armv7l) Presto/2.12', 'Accept', '*/*'],
    false,
  ],
  ['a second name that is a browser’s', [...curl, 'User-Agent', 'Mozilla/5.0'], false],
  ['an origin', [...curl, 'Origin', 'null'], false],
  ['an empty origin', [...curl, 'ORIGIN', ''], false],
  ['a cookie', [...curl, 'cookie', 'a=b'], false],
  ['Sec-Fetch-Site', [...curl, 'Sec-Fetch-Site', 'none'], false],
  ['Sec-Fetch-Dest', [...curl, 'sec-fetch-dest', 'image'], false],
  ['Sec-Fetch-Storage-Access', [...curl, 'Sec-Fetch-Storage-Access', 'none'], false],
  ['a page', ['Accept', 'text/html,application/xhtml+xml'], false],
  ['a page among others', ['Accept', 'image/png', 'Accept', 'image/*, Text/HTML;q=0.5'], false],
])('%s', (_, headers, awaits) => {
  for (const front of [undefined, 'embedded', 'relay', 'auth-request', 'forward-auth'] as const)
    expect(awaitsChallenge({ headers, front }), front).toBe(awaits);
});

test.each<[front: Front, awaits: boolean]>([
  ['ext-authz', false],
  ['forward-auth', true],
])('a client behind %s that the front doesn’t name: %s', (front, awaits) => {
  expect(awaitsChallenge({ headers: ['Accept', '*/*'], front })).toBe(awaits);
  expect(awaitsChallenge({ headers: curl, front })).toBe(true);
});
