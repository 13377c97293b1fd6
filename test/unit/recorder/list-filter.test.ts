import { describe, expect, test } from 'vitest';
import { listFilter } from '../../../src/recorder/list-filter.ts';
import { resolve } from '../config/resolve-document.ts';

const verification = {
  isVerified: (role: string) => role === 'family',
  roleAtRecorder: (role: string) =>
    role === 'family'
      ? ({ state: 'verified' } as const)
      : ({ state: 'unverified', reason: 'more_cameras' } as const),
};
const others = ['auth-request', 'forward-auth', 'ext-authz'] as const;
const forwardAuth = { authenticated: 'unix:/a.sock' };

describe.each<
  [what: string, document: object, embedded: boolean, other: boolean, unsaid: boolean, reason?: string]
>([
  ['the embedded front before the events app', {}, true, false, true],
  [
    'both kinds of fronts with an unknown upstream',
    { networking: { forward_auth: forwardAuth } },
    true,
    false,
    true,
    'upstream_unset',
  ],
  [
    'only other fronts with an unknown upstream',
    { networking: { listen: { authenticated: 'off' }, forward_auth: forwardAuth } },
    true,
    false,
    false,
    'upstream_unset',
  ],
  [
    'other fronts before the events app',
    {
      networking: { forward_auth: forwardAuth },
      upstream: 'unix:/e.sock',
      events: { listen: 'unix:/e.sock' },
    },
    true,
    true,
    true,
  ],
])('%s', (_, document, embedded, other, unsaid, reason) => {
  const { listsAreFiltered, roleAtRecorder } = listFilter(resolve(document), verification);

  test.each(['family', 'street'])('the role %s', (role) => {
    expect(listsAreFiltered(role, 'embedded')).toBe(embedded);
    for (const front of others) expect(listsAreFiltered(role, front)).toBe(other);
    expect(listsAreFiltered(role, undefined)).toBe(unsaid);
    expect(roleAtRecorder(role)).toEqual(
      reason === undefined ? { state: 'verified' } : { state: 'unverified', reason },
    );
  });
});

test('the result for a recorder is the same behind every front', () => {
  const { listsAreFiltered, roleAtRecorder } = listFilter(
    resolve({ upstream: 'http://recorder:8971' }),
    verification,
  );
  for (const front of ['embedded', ...others, undefined] as const)
    expect([listsAreFiltered('family', front), listsAreFiltered('street', front)]).toEqual([true, false]);
  expect(roleAtRecorder('street')).toEqual({ state: 'unverified', reason: 'more_cameras' });
});
