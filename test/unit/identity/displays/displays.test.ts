import { beforeEach, describe, expect, test } from 'vitest';
import { createApiTokens } from '../../../../src/identity/api-tokens/api-tokens.ts';
import { createDisplays, type Display, type Displays } from '../../../../src/identity/displays/displays.ts';
import { createUsers, type Users } from '../../../../src/identity/users/users.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

const day = 86_400_000;
let now: number;
let store: Store;
let users: Users;
let displays: Displays;
let copied: Display[];
beforeEach(async () => {
  now = 1_000_000_000;
  const clock = { now: () => now };
  ({ store } = await temporaryVersionedStore());
  users = createUsers(store, clock);
  const tokens = createApiTokens(store, clock, () => Number.NaN, undefined, undefined, 'display');
  copied = [];
  displays = createDisplays({ store, tokens, clock, onCopied: (display) => void copied.push(display) });
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
});

const wanted = (name: string, expiresAt?: number) => ({
  name,
  owner: 'olaf',
  role: 'viewer',
  cameras: new Set(['front']),
  may: new Set(['live'] as const),
  expiresAt,
});
/** @returns the credential of a new display */
async function paired(name: string, expiresAt?: number): Promise<string> {
  await displays.approve(`device of ${name}`, wanted(name, expiresAt), unconditional);
  return (await displays.fetch(`device of ${name}`, false))?.credential ?? '';
}
const stateOf = async (credential: string) => {
  const checked = await displays.check(credential);
  return 'display' in checked ? checked.display.name : checked.problem;
};
const rotate = async (credential: string) => (await displays.rotate(credential, false))?.credential;

describe('a screen', () => {
  test('gets its credential once', async () => {
    const approved = await displays.approve('device', wanted('Hall'), unconditional);
    expect(approved).toMatchObject({ name: 'Hall', owner: 'olaf', display: { rotatedAt: undefined } });
    const issued = await displays.fetch('device', true);
    expect(issued?.credential).toMatch(/^display_[\w-]{43}$/);
    expect(issued?.display.display).toEqual({ rotatedAt: now, isFramed: true });
    expect(await displays.fetch('device', false)).toBeUndefined();
    expect(await displays.fetch('another', false)).toBeUndefined();
    expect(await stateOf(issued?.credential ?? '')).toBe('Hall');
  });

  test.each<[what: string, device: string, name: string, code: string]>([
    ['the same code', 'device', 'Other', 'pairing_code_unknown'],
    ['the same name', 'other', 'Hall', 'display_exists'],
  ])('is not approved twice: %s', async (_, device, name, code) => {
    await displays.approve('device', wanted('Hall'), unconditional);
    await expect(displays.approve(device, wanted(name), unconditional)).rejects.toMatchObject({ code });
  });

  test('has the name of an API token, and neither finds the other', async () => {
    const clock = { now: () => now };
    const tokens = createApiTokens(store, clock, () => Number.NaN);
    const { token, apiToken } = await tokens.add({ ...wanted('Hall') }, unconditional);
    const credential = await paired('Hall');
    expect(await stateOf(token)).toBe('display_unknown');
    expect(await tokens.check(credential)).toEqual({ problem: 'api_token_unknown' });
    expect(await displays.find(apiToken.id)).toBeUndefined();
    expect(await displays.end(apiToken.id, unconditional)).toBe(false);
    expect((await displays.list('olaf')).map(({ name }) => name)).toEqual(['Hall']);
    expect(await tokens.list('olaf')).toHaveLength(1);
  });

  test('is changed, expires, and goes with its user', async () => {
    const credential = await paired('Hall', now + 60_000);
    const [{ id } = { id: '' }] = await displays.list();
    const changed = await displays.change(
      id,
      { name: 'Stairs', cameras: undefined, may: new Set(['live', 'history']), expiresAt: now + 120_000 },
      unconditional,
    );
    expect(changed).toMatchObject({ name: 'Stairs', cameras: undefined, expiresAt: now + 120_000 });
    now += 120_000;
    expect(await stateOf(credential)).toBe('display_expired');
    await displays.prune();
    expect(await displays.list()).toEqual([]);
    const other = await paired('Other');
    await users.remove('olaf', unconditional).catch(() => undefined);
    expect(await stateOf(other)).toBe('display_unknown');
  });

  test('that was approved and never came is forgotten', async () => {
    await displays.approve('device', wanted('Hall'), unconditional);
    now += 1_200_000;
    await displays.prune();
    expect(await displays.list()).toEqual([]);
  });
});

describe('a credential', () => {
  test('is replaced once a day', async () => {
    const first = await paired('Hall');
    now += day - 1_000;
    expect(await rotate(first)).toBeUndefined();
    now += 1_000;
    const second = await rotate(first);
    expect(second).toMatch(/^display_/);
    expect(await stateOf(second ?? '')).toBe('Hall');
    // Another page of the same screen asks at the same moment.
    expect(await rotate(first)).toBeUndefined();
  });

  test.each<[what: string, wait: number, isSeen: boolean, state: string]>([
    ['its successor was not seen', 10 * day, false, 'Hall'],
    ['its successor was seen a minute ago', 60_000, true, 'Hall'],
    ['its successor was seen longer ago', 61_000, true, 'display_copied'],
  ])('that was replaced, when %s', async (_, wait, isSeen, state) => {
    const first = await paired('Hall');
    now += day;
    const second = (await rotate(first)) ?? '';
    // Whatever it is used for.
    if (isSeen) await stateOf(second);
    now += wait;
    expect(await stateOf(first)).toBe(state);
    const isCopied = state === 'display_copied';
    expect(copied.map(({ name }) => name)).toEqual(isCopied ? ['Hall'] : []);
    expect(await stateOf(second)).toBe(isCopied ? 'display_unknown' : 'Hall');
  });

  test('of a screen in a frame stays one for frames', async () => {
    const first = await paired('Hall');
    const framed = await displays.rotate(first, true);
    expect(framed?.display.display?.isFramed).toBe(true);
    now += day;
    const next = await displays.rotate(framed?.credential ?? '', false);
    expect(next?.display.display?.isFramed).toBe(true);
  });

  test('that a thief renewed in place of the screen ends both', async () => {
    const first = await paired('Hall');
    now += day;
    const ofThief = (await rotate(first)) ?? '';
    await rotate(ofThief);
    now += 61_000;
    expect(await stateOf(first)).toBe('display_copied');
    expect(await stateOf(ofThief)).toBe('display_unknown');
  });

  test('is known as an earlier one for 32 days', async () => {
    const all = [await paired('Hall')];
    for (let i = 0; i < 40; i += 1) {
      now += day;
      all.push((await rotate(all.at(-1) ?? '')) ?? '');
    }
    expect(new Set(all).size).toBe(41);
    expect(await stateOf(all[1] ?? '')).toBe('display_unknown');
    expect(await stateOf(all[10] ?? '')).toBe('display_copied');
  });

  test('in a transaction is only read', async () => {
    const first = await paired('Hall');
    now += day;
    const second = (await rotate(first)) ?? '';
    await rotate(second);
    now += 61_000;
    await store.change(unconditional, async (on) => {
      expect(await displays.check(first, on)).toEqual({ problem: 'display_copied' });
    });
    expect(await stateOf(second)).toBe('Hall');
  });
});
