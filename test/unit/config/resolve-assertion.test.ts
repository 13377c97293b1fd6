import { expect, test } from 'vitest';
import { problemText, resolve } from './resolve-document.ts';

const public_url = 'https://cameras.example';

test.each([
  ['without a word', {}, undefined],
  ['with an audience alone', { assertion: { audience: 'recorder' } }, undefined],
  [
    'by the name of the program',
    { assertion: { enabled: true, audience: 'recorder' } },
    { issuer: 'postern', audience: 'recorder', covers: 'request' },
  ],
  [
    'by the name of the site',
    { public_url, assertion: { enabled: true, audience: 'recorder' } },
    { issuer: public_url, audience: 'recorder', covers: 'request' },
  ],
  [
    'for all targets that begin alike',
    { assertion: { enabled: true, audience: 'recorder', covers: 'prefix' } },
    { issuer: 'postern', audience: 'recorder', covers: 'prefix' },
  ],
])('assertions, %s', (_, document, expected) => {
  expect(resolve(document).assertion).toEqual(expected);
});

test.each([
  [{ enabled: true }, 'assertion.audience: found nothing'],
  [{ enabled: true, audience: '' }, 'assertion.audience: found text'],
  [{ enabled: 'yes' }, 'assertion.enabled: found text'],
  [{ enabled: true, audience: 'recorder', covers: 'all' }, 'assertion.covers: found text'],
  [{ enable: true }, 'assertion.enable: found an unknown key'],
])('%j is a mistake', (assertion, problem) => {
  expect(problemText({ assertion })).toContain(problem);
});
