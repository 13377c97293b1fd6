import { createHmac, hkdfSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createApiTokens, hashOf, type ApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import {
  createDisplayCredentials,
  type DisplayCredentials,
} from '../../../../src/features/displays/display-credentials.ts';
import { createDisplayUses, type DisplayUses } from '../../../../src/features/displays/display-uses.ts';
import { createDisplays, type Displays } from '../../../../src/features/displays/displays.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

const minute = 60_000;
const day = 86_400_000;
let now: number;
let store: Store;
let users: Users;
let tokens: ApiTokens;
let displays: Displays;
let uses: DisplayUses;
let credentials: DisplayCredentials;
let copied: string[];
const clock = { now: () => now };
const newUses = () =>
  createDisplayUses({
    store,
    clock,
    onCopied: ({ name }) => void copied.push(name),
    onError: (error) => {
      throw error;
    },
  });
const signedWith = (secret: string, noting = uses) =>
  createDisplayCredentials(secret, { store, tokens, uses: noting, clock, storeVersion: () => Number.NaN });
beforeEach(async () => {
  now = 1_000_000_000;
  ({ store } = await temporaryVersionedStore());
  users = createUsers(store, clock);
  tokens = createApiTokens(store, { clock, storeVersion: () => Number.NaN, kind: 'display' });
  displays = createDisplays(store, tokens, clock);
  copied = [];
  uses = newUses();
  credentials = signedWith('secret');
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
  return () => uses.close();
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
  return (await credentials.fetch(`device of ${name}`, false))?.credential ?? '';
}
const stateOf = async (credential: string, by = credentials) => {
  const checked = await by.check(credential);
  return 'display' in checked ? checked.display.name : checked.problem;
};
/** Any request of a screen, judged at once. */
const use = async (credential: string, noting = uses) => {
  const checked = await credentials.check(credential);
  if (!('display' in checked)) return checked.problem;
  noting.note(checked.display.id, checked.generation);
  await noting.settle();
  return stateOf(credential);
};
const generationOf = async (credential: string) => {
  const checked = await credentials.check(credential);
  return 'display' in checked ? checked.generation : expect.fail(checked.problem);
};
const exchange = async (credential: string) =>
  (await credentials.exchange(credential, false))?.issued?.credential;

describe('a screen', () => {
  test('gets its credential once', async () => {
    const approved = await displays.approve('device', wanted('Hall'), unconditional);
    expect(approved).toMatchObject({ name: 'Hall', owner: 'olaf', display: { rotatedAt: undefined } });
    const issued = await credentials.fetch('device', true);
    expect(issued?.credential).toMatch(/^display_[\da-f-]{36}\.1\.1000000\.[\w-]{11}\.\.[\w-]{43}$/);
    expect(issued?.display.display).toMatchObject({ rotatedAt: now, isFramed: true });
    expect(await credentials.fetch('device', false)).toBeUndefined();
    expect(await credentials.fetch('another', false)).toBeUndefined();
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
    const apiTokens = createApiTokens(store, { clock, storeVersion: () => Number.NaN });
    const { token, apiToken } = await apiTokens.add({ ...wanted('Hall') }, unconditional);
    const credential = await paired('Hall');
    expect(await stateOf(token)).toBe('display_unknown');
    expect(await apiTokens.check(credential)).toEqual({ problem: 'api_token_unknown' });
    expect(await displays.find(apiToken.id)).toBeUndefined();
    expect(await displays.end(apiToken.id, unconditional)).toBe(false);
    expect((await displays.list('olaf')).map(({ name }) => name)).toEqual(['Hall']);
    expect(await apiTokens.list('olaf')).toHaveLength(1);
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

  test.each<[what: string, changes: Parameters<Displays['change']>[1], changed: object]>([
    ['a name', { name: 'Stairs' }, { name: 'Stairs' }],
    ['cameras', { cameras: new Set(['garage']) }, { cameras: new Set(['garage']) }],
    ['all cameras', { cameras: undefined }, { cameras: undefined }],
    ['words', { may: new Set(['history']) }, { may: new Set(['history']) }],
    ['a time', { expiresAt: 1_000_120_000 }, { expiresAt: 1_000_120_000 }],
    ['no time', { expiresAt: undefined }, { expiresAt: undefined }],
    ['nothing', {}, {}],
  ])('keeps what is not named: %s', async (_, changes, changed) => {
    const before = await displays.approve('device', wanted('Hall', now + 60_000), unconditional);
    // The row itself, which changes with any of it.
    const expected = { ...before, ...changed, display: expect.anything() as object };
    expect(await displays.change(before.id, changes, unconditional)).toEqual(expected);
    expect(await displays.find(before.id)).toEqual(expected);
  });

  test('is not changed into another name of its user, nor once it has ended', async () => {
    await paired('Stairs');
    const { id } = await displays.approve('device', wanted('Hall'), unconditional);
    await expect(displays.change(id, { name: 'Stairs' }, unconditional)).rejects.toMatchObject({
      code: 'display_exists',
    });
    expect(await displays.change(id, { name: 'Hall' }, unconditional)).toMatchObject({ name: 'Hall' });
    await displays.end(id, unconditional);
    expect(await displays.change(id, { name: 'Hall' }, unconditional)).toBeUndefined();
  });

  test('that was approved and never came is forgotten', async () => {
    await displays.approve('device', wanted('Hall'), unconditional);
    now += 1_200_000;
    await displays.prune();
    expect(await displays.list()).toEqual([]);
  });
});

describe('a credential', () => {
  test('is replaced once it is a day old, by another one each time, whether its screen has moved on or not', async () => {
    const first = await paired('Hall');
    now += day - 1_000;
    expect(await exchange(first)).toBeUndefined();
    now += 1_000;
    const second = (await exchange(first)) ?? '';
    const [third, fourth] = await Promise.all([exchange(first), exchange(first)]);
    expect(await use(second)).toBe('Hall');
    now += minute - 1;
    const all = [second, third, fourth, await exchange(first)];
    expect(new Set(all).size).toBe(4);
    for (const successor of all) expect(successor).toMatch(/\.2\./);
    expect(await exchange(second)).toBeUndefined();
  });

  test('that waited for another one to be used ends the display, once that is used again', async () => {
    const first = await paired('Hall');
    now += day;
    const [ofScreen = '', ofCopy = ''] = [await exchange(first), await exchange(first)];
    await use(ofScreen);
    now += minute;
    expect(await use(ofCopy)).toBe('Hall');
    expect(await use(ofScreen)).toBe('display_unknown');
    expect(copied).toEqual(['Hall']);
  });

  test('is exchanged without a change of the store', async () => {
    const first = await paired('Hall');
    now += day;
    const row = () => store.selectFrom('api_tokens').selectAll().executeTakeFirst();
    const before = await row();
    for (let i = 0; i < 3; i += 1) expect(await exchange(first)).toBeDefined();
    expect(await row()).toEqual(before);
  });

  test('of a screen in a frame stays one for frames', async () => {
    const first = await paired('Hall');
    const framed = await credentials.exchange(first, true);
    expect(framed?.display.display?.isFramed).toBe(false);
    expect(framed?.issued).toMatchObject({ credential: first, display: { display: { isFramed: true } } });
    now += day;
    const next = await credentials.exchange(first, false);
    expect(next?.issued?.display.display?.isFramed).toBe(true);
  });

  test('that comes back stays valid, and a later one that is used then ends its display', async () => {
    const first = await paired('Hall');
    now += day;
    const second = (await exchange(first)) ?? '';
    await use(second);
    now += minute;
    expect(await use(first)).toBe('Hall');
    expect(await exchange(first)).toContain('.2.');
    now += day;
    expect(copied).toEqual([]);
    expect(await use(second)).toBe('display_unknown');
    expect(copied).toEqual(['Hall']);
    expect(await stateOf(first)).toBe('display_unknown');
    expect(await displays.list()).toEqual([]);
    const alerts = await store.selectFrom('outbox').select('alert').execute();
    expect(alerts.map(({ alert }) => alert)).toContainEqual(expect.stringContaining('display_copied'));
  });

  test('ends its display while the wall exchanges it', async () => {
    const first = await paired('Hall');
    now += day;
    const second = (await exchange(first)) ?? '';
    await use(second);
    now += minute;
    await use(first);
    expect(await credentials.exchange(second, false)).toBeUndefined();
    expect(copied).toEqual(['Hall']);
  });

  test('is only read by a decision, also in a transaction', async () => {
    const first = await paired('Hall');
    now += day;
    const second = (await exchange(first)) ?? '';
    await use(second);
    now += day;
    await use(first);
    for (let i = 0; i < 3; i += 1) expect(await stateOf(second)).toBe('Hall');
    await store.change(unconditional, async (on) => {
      expect(await credentials.check(second, on)).toMatchObject({ generation: { number: 2 } });
    });
    await uses.settle();
    expect(copied).toEqual([]);
  });

  test('is judged by every gate, by when each has seen it', async () => {
    const other = newUses();
    const first = await paired('Hall');
    const [{ id } = { id: '' }] = await displays.list();
    now += day;
    const second = (await exchange(first)) ?? '';
    await use(second);
    now += minute;
    // Noted there before the other one came back here, but written later.
    other.note(id, await generationOf(second));
    now += minute;
    await use(first);
    await other.settle();
    expect(copied).toEqual([]);
    now += minute;
    other.note(id, await generationOf(second));
    await other.close();
    expect(copied).toEqual(['Hall']);
  });

  test('that is used all the time is judged again twice a minute', async () => {
    const first = await paired('Hall');
    const [{ id } = { id: '' }] = await displays.list();
    now += day;
    const second = (await exchange(first)) ?? '';
    const ofAnother = newUses();
    await use(second, ofAnother);
    now += day;
    await use(second, ofAnother);
    await use(first);
    now += 29_999;
    await use(second, ofAnother);
    expect(copied).toEqual([]);
    now += 1;
    ofAnother.note(id, await generationOf(second));
    await ofAnother.close();
    expect(copied).toEqual(['Hall']);
  });

  test('is known to a store that was restored from before it was given out', async () => {
    const first = await paired('Hall');
    now += day;
    const second = (await exchange(first)) ?? '';
    await store.change(unconditional, (on) =>
      on.updateTable('api_tokens').set({ generation: 1, rotation: null }).execute(),
    );
    expect(await use(second)).toBe('Hall');
    now += day;
    expect(await exchange(second)).toContain('.3.');
  });

  test('is not valid with another JWT secret, nor for another display', async () => {
    const first = await paired('Hall');
    const other = await paired('Stairs');
    expect(await stateOf(first, signedWith('another secret'))).toBe('display_unknown');
    const [, id = ''] = /^display_([^.]*)/.exec(first) ?? [];
    expect(await stateOf(other.replace(/^display_[^.]*/, `display_${id}`))).toBe('display_unknown');
    for (const generation of ['0', '2', '01', '1e0', '', '9'.repeat(15)])
      expect(await stateOf(first.replace('.1.', `.${generation}.`))).toBe('display_unknown');
  });

  test('is remembered until something changes', async () => {
    let version = 1;
    const options = { store, tokens, uses, clock, storeVersion: () => version };
    const remembering = createDisplayCredentials('secret', options);
    const first = await paired('Hall', now + minute);
    expect(remembering.recall(first)).toBeUndefined();
    await remembering.check(first);
    expect(remembering.recall(first)).toMatchObject({
      display: { name: 'Hall' },
      generation: { number: 1 },
    });
    now += minute;
    expect(remembering.recall(first)).toEqual({ problem: 'display_expired' });
    version = 2;
    expect(remembering.recall(first)).toBeUndefined();
  });
});

test('a credential of a build before 2.0.0 is valid until it was exchanged, and lost, and came back', async () => {
  await paired('Hall');
  const [{ id, display } = { id: '' }] = await displays.list();
  const key = hkdfSync('sha256', 'secret', display?.salt ?? '', 'credential of a display', 32);
  const earlier = (number: number) =>
    `display_${id}.${number}.${createHmac('sha256', Buffer.from(key)).update(`credential ${id} ${number}`).digest('base64url')}`;
  const rotation = JSON.stringify({
    current: 7,
    since: now,
    spent: 7,
    left: [{ after: 3, until: 5, at: now }],
  });
  await store.change(unconditional, (on) =>
    on.updateTable('api_tokens').set({ generation: 7, rotation }).execute(),
  );
  expect(await use(earlier(7))).toBe('Hall');
  const next = (await exchange(earlier(7))) ?? '';
  expect(next).toContain('.8.');
  expect(await use(next)).toBe('Hall');
  now += day;
  expect(await use(earlier(7))).toBe('Hall');
  expect(copied).toEqual([]);
  expect(await use(earlier(5))).toBe('display_unknown');
  expect(copied).toEqual(['Hall']);
});

describe('a screen paired with Postern 1.0', () => {
  const [former, current] = ['A', 'B'].map((letter) => `display_${letter.repeat(43)}`) as [string, string];
  beforeEach(async () => {
    await displays.approve('device', wanted('Hall'), unconditional);
    const [{ id } = { id: '' }] = await displays.list();
    await store.change(unconditional, async (on) => {
      await on
        .updateTable('api_tokens')
        .set({ token_hash: hashOf(current), rotated_at: 900_000 })
        .execute();
      await on
        .insertInto('former_credentials')
        .values({ credential_hash: hashOf(former), token_id: id, replaced_at: 900_000, valid_until: 900_000 })
        .execute();
    });
  });

  test('keeps its cookies, gets a new one at once, and may lose it', async () => {
    for (const credential of [former, current]) expect(await use(credential)).toBe('Hall');
    const first = (await exchange(current)) ?? '';
    expect(first).toContain('.1.');
    expect(await use(first)).toBe('Hall');
    now += day;
    // A read-only profile.
    expect(await exchange(current)).toContain('.1.');
    expect(await use(former)).toBe('Hall');
    expect(copied).toEqual([]);
    expect(await use(first)).toBe('display_unknown');
    expect(copied).toEqual(['Hall']);
  });

  test.each(['bound at the start', 'exchanged'])(
    'is not valid with another JWT secret once %s',
    async (how) => {
      const another = signedWith('another secret');
      expect(await stateOf(current, another)).toBe('Hall');
      if (how === 'exchanged') await exchange(current);
      else await credentials.bindOlder();
      // Only the first counts.
      await another.bindOlder();
      for (const credential of [former, current]) {
        expect(await stateOf(credential)).toBe('Hall');
        expect(await stateOf(credential, another)).toBe('display_unknown');
      }
    },
  );
});
