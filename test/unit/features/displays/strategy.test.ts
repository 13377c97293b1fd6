import { expect, test } from 'vitest';
import { sessionOrDisplay, createDisplayCookie } from '../../../../src/features/displays/strategy.ts';
import type { PresentedDisplay } from '../../../../src/features/displays/display-credentials.ts';
import { capabilities, type Capability } from '../../../../src/policy/capability.ts';
import { rolesOf } from '../../../support/roles.ts';

/** What a display may do, given what is stored of it. */
async function mayOf(stored: ReadonlySet<Capability> | undefined) {
  const display = { id: 'd', owner: 'nell', ownerRole: 'admin', cameras: undefined, may: stored };
  const presented = {
    display,
    generation: { number: 1, key: 'key', parent: undefined },
  } as unknown as PresentedDisplay;
  const strategy = sessionOrDisplay(
    () => ({ refused: 'no_session' }),
    { recall: () => presented, check: () => Promise.resolve(presented) },
    { read: () => 'a credential' },
    { roles: rolesOf([]), issuer: undefined },
  );
  const found = await strategy({ headers: [] } as unknown as Parameters<typeof strategy>[0]);
  return found !== undefined && 'identity' in found ? [...(found.identity.token?.may ?? capabilities)] : [];
}

test.each<[stored: readonly Capability[] | undefined, may: readonly Capability[]]>([
  [['live'], ['live']],
  [
    ['live', 'history', 'export'],
    ['live', 'history', 'export'],
  ],
  [capabilities, ['live', 'history', 'export']],
  [undefined, ['live', 'history', 'export']],
])('a display that has %j stored may %j whatever its user may do', async (stored, may) => {
  expect((await mayOf(stored && new Set(stored))).toSorted()).toEqual([...may].toSorted());
});

const { read, set, clear } = createDisplayCookie();
const credential = 'display_d.1.abc';

test.each<[isFramed: boolean, secure: boolean, attributes: string]>([
  [false, true, 'Path=/; HttpOnly; SameSite=Lax; Secure'],
  [false, false, 'Path=/; HttpOnly; SameSite=Lax'],
  [true, true, 'Path=/; HttpOnly; SameSite=None; Secure; Partitioned'],
  // Browsers keep no partitioned cookie without TLS.
  [true, false, 'Path=/; HttpOnly; SameSite=Lax'],
])('in a frame: %s, over TLS: %s, its attributes are %s', (isFramed, secure, attributes) => {
  expect(set(credential, isFramed, secure)).toBe(
    `postern_display=${credential}; Max-Age=34560000; ${attributes}`,
  );
});

test.each([
  [true, 'postern_display=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure'],
  [false, 'postern_display=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'],
])('over TLS: %s, it is deleted by %s', (secure, cookie) => expect(clear(secure)).toBe(cookie));

test.each<[what: string, headers: readonly string[], found: string | undefined]>([
  ['it', [`postern_display=${credential}`], credential],
  ['it beside others', [`a=b; postern_display=${credential}; session_token=x`], credential],
  ['it in the second header', ['a=b', `postern_display=${credential}`], credential],
  ['none', [], undefined],
  ['only others', ['session_token=x; a=b'], undefined],
  ['two that differ', [`postern_display=${credential}; postern_display=other`], undefined],
  ['two that differ, in two headers', [`postern_display=${credential}`, 'postern_display=other'], undefined],
  ['one whose name only ends like it', [`x_postern_display=${credential}`], undefined],
])('of a request that has %s, it reads the credential or none', (_, headers, found) =>
  expect(read(headers)).toBe(found),
);
