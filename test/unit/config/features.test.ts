import { expect, test } from 'vitest';
import { keepListeners } from '../../../src/config/changes.ts';
import { featureNames } from '../../../src/policy/features.ts';
import { problemsOf, resolve } from './resolve-document.ts';

const namesOf = (features: unknown) => [...resolve({ features }).features];

test.each([[undefined], [null], [{}], [{ push: null }]])('%j: all are on', (features) => {
  expect(namesOf(features)).toEqual(featureNames);
});

test('what is false is off', () => {
  expect(namesOf({ shares: false, push: false, invitations: true })).toEqual([
    'api_tokens',
    'displays',
    'invitations',
    'access_requests',
  ]);
  expect(namesOf(Object.fromEntries(featureNames.map((name) => [name, false])))).toEqual([]);
  expect(namesOf({ api_tokens: false, displays: false })).not.toContain('api_tokens');
  expect(namesOf({ displays: false })).toContain('api_tokens');
});

test.each([{ api_tokens: false }, { api_tokens: false, displays: true }])(
  '%j: screens need API tokens',
  (features) => {
    expect(problemsOf({ features })).toEqual([
      {
        path: 'features.displays',
        found: 'on, without features.api_tokens',
        allowed: 'false, or features.api_tokens: true',
      },
    ]);
  },
);

test.each([
  [
    { features: { share: false } },
    { path: 'features.share', found: 'an unknown key', allowed: 'features.shares (did you mean that?)' },
  ],
  [
    { features: { shares: 'off' } },
    { path: 'features.shares', found: '"off"', allowed: 'true or false (did you mean false?)' },
  ],
  [{ features: ['shares'] }, { path: 'features', found: 'a list', allowed: 'a section' }],
  [{ feature: {} }, { path: 'feature', found: 'an unknown key', allowed: 'features (did you mean that?)' }],
])('%j is refused', (document, problem) => {
  expect(problemsOf(document)).toEqual([problem]);
});

test('a wrong value of one is its only problem', () => {
  expect(problemsOf({ features: { api_tokens: 'off' } }).map(({ path }) => path)).toEqual([
    'features.api_tokens',
  ]);
});

test('a change waits for a restart', () => {
  const running = resolve({ features: { shares: false } });
  const { configuration, waiting } = keepListeners(resolve({ features: { push: false } }), running);
  expect(waiting).toEqual(['features.shares', 'features.push']);
  expect(configuration.features).toBe(running.features);
});
