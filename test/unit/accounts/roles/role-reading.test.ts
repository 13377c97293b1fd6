import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { openRoleReading, type RoleReading } from '../../../../src/accounts/roles/role-reading.ts';
import {
  removeStored,
  writeStoredGroup,
  writeStoredRole,
} from '../../../../src/accounts/roles/role-definitions.ts';
import { onlyIf, unconditional } from '../../../../src/store/permit.ts';
import type { Reading } from '../../../../src/store/permit.ts';
import type { SharingTables } from '../../../../src/store/sharing-schema.ts';
import type { Store } from '../../../../src/store/store.ts';
import { noStoredRoles, storeWithRoles } from '../users/shared-store.ts';

let store: Store;
let version: number;
/** Milliseconds, by both clocks. */
let elapsed: number;
let now: number;
let timers: Array<{ readonly at: number; readonly run: () => void }>;
let readings: number;
/** What a read waits for. */
let held: Promise<void> | undefined;
/** How many reads fail before one succeeds. */
let failures: number;
let changes: number;
let isNoRuntimeMade: boolean;
let reading: RoleReading;

const define = (name: string, ...cameras: string[]) =>
  store.change(unconditional, (on) => writeStoredRole(on, name, cameras));
const roles = () =>
  [...reading.known().definitions].map(([name, { cameras }]) => `${name}: ${cameras.join(' ')}`);
const pass = (milliseconds: number) => {
  elapsed += milliseconds;
  now += milliseconds;
  for (const { at, run } of timers) if (at <= elapsed) run();
};
const isKnown = () => reading.areCurrent(reading.known());

/** The store; its reads are counted, and wait. */
function counted(): Reading {
  const readingAll = (table: 'custom_roles' | 'personal_roles' | 'camera_groups') => {
    if (table === 'personal_roles') return store.selectFrom(table);
    if (table === 'camera_groups') return (store as unknown as Kysely<SharingTables>).selectFrom(table);
    readings += 1;
    const waiting = failures > 0 ? Promise.reject(new AppError('store_unavailable')) : held;
    failures -= 1;
    const query = store.selectFrom('custom_roles');
    return new Proxy(query, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]): unknown => {
          const made: unknown = Reflect.apply(found, target, args);
          return name === 'select' ? lastWaits(made as object, waiting) : made;
        };
      },
    });
  };
  return { ...store, selectFrom: readingAll } as unknown as Reading;
}

function lastWaits<T extends object>(query: T, waiting: Promise<void> | undefined): T {
  return new Proxy(query, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      if (name === 'execute')
        return async () => {
          await waiting;
          return Reflect.apply(found, target, []) as unknown;
        };
      return (...args: unknown[]) => lastWaits(Reflect.apply(found, target, args) as object, waiting);
    },
  });
}

beforeEach(async () => {
  store = await storeWithRoles();
  version = 1;
  elapsed = 0;
  now = 1_000_000;
  timers = [];
  readings = 0;
  held = undefined;
  failures = 0;
  changes = 0;
  isNoRuntimeMade = false;
  await define('family', 'front');
  reading = await begin();
  readings = 0;
});
const begin = async () => {
  const begun = await openRoleReading({
    store: counted(),
    version: () => version,
    timers: {
      elapsed: () => elapsed,
      after: (milliseconds, run) => {
        const timer = { at: elapsed + milliseconds, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    },
    clock: { now: () => now },
    isShared: true,
  });
  begun.onChange(() => {
    changes += 1;
    if (isNoRuntimeMade) throw new Error('no runtime can be made of them');
  });
  return begun;
};

test('retries at a start until the store answers', async () => {
  failures = 1;
  expect([...(await begin()).known().definitions.keys()]).toEqual(['family']);
});

describe('a version that is known', () => {
  test('stays valid while unchanged, without reading the roles', async () => {
    pass(3_600_000);
    expect(isKnown()).toBe(true);
    await reading.renew();
    expect([readings, changes]).toEqual([0, 0]);
  });

  test('that changes makes the roles be read, and reports a change', async () => {
    const former = reading.known();
    await define('family', 'front', 'yard');
    version = 2;
    expect(isKnown()).toBe(false);
    await reading.renew();
    expect([roles(), readings, changes]).toEqual([['family: front yard'], 1, 1]);
    expect([isKnown(), reading.areCurrent(former)]).toEqual([true, false]);
  });

  test('with another access of a role reports a change', async () => {
    await store.change(unconditional, (on) =>
      writeStoredRole(on, 'family', ['front'], { hours: '07:00-19:00' }),
    );
    version = 2;
    await reading.renew();
    expect([reading.known().definitions.get('family')?.access, changes]).toEqual([
      { hours: '07:00-19:00' },
      1,
    ]);
  });

  test('with another group of cameras reports a change', async () => {
    await store.change(unconditional, (on) => writeStoredGroup(on, 'outside', ['front']));
    version = 2;
    await reading.renew();
    await store.change(unconditional, (on) => writeStoredGroup(on, 'outside', ['front', 'yard']));
    version = 3;
    await reading.renew();
    expect([[...reading.known().groups], changes]).toEqual([[['outside', ['front', 'yard']]], 2]);
  });

  test('with the same roles reports no change', async () => {
    const former = reading.known();
    version = 2;
    await reading.renew();
    expect([readings, changes, reading.areCurrent(former)]).toEqual([1, 0, true]);
  });

  test('with another order reports a change: the first of several roles wins', async () => {
    await define('staff', 'front');
    await store.change(unconditional, (on) => removeStored(on, 'custom_roles', 'family'));
    await define('family', 'front');
    version = 2;
    await reading.renew();
    expect([roles(), changes]).toEqual([['staff: front', 'family: front'], 1]);
  });

  test('is read once for all callers', async () => {
    version = 2;
    await Promise.all([reading.renew(), reading.renew(), reading.renew()]);
    expect(readings).toBe(1);
  });

  test('that changes during a read causes another one; a late result does not count', async () => {
    const first = Promise.withResolvers<void>();
    held = first.promise;
    version = 2;
    const early = reading.renew();
    held = undefined;
    version = 3;
    await define('family', 'front', 'yard');
    const late = reading.renew();
    await late;
    await store.change(unconditional, (on) => removeStored(on, 'custom_roles', 'family'));
    first.resolve();
    await early;
    expect([roles(), readings]).toEqual([['family: front yard'], 2]);
  });

  test('may be older than the roles read after it: they are read again', async () => {
    const waiting = Promise.withResolvers<void>();
    held = waiting.promise;
    version = 2;
    const renewed = reading.renew();
    version = 3;
    waiting.resolve();
    await renewed;
    expect(isKnown()).toBe(false);
  });
});

test('roles without a valid runtime are read again, and the former ones become invalid', async () => {
  await define('family', 'yard');
  version = 2;
  isNoRuntimeMade = true;
  for (let time = 0; time < 2; time += 1) {
    await expect(reading.renew()).rejects.toThrow('no runtime');
    expect([roles(), isKnown()]).toEqual([['family: front'], false]);
  }
  isNoRuntimeMade = false;
  await reading.renew();
  expect([roles(), isKnown()]).toEqual([['family: yard'], true]);
});

describe('while the version is unknown', () => {
  beforeEach(() => {
    version = Number.NaN;
  });

  test('they are valid for a second after the request', async () => {
    pass(999);
    expect(isKnown()).toBe(true);
    pass(1);
    expect(isKnown()).toBe(false);
    await reading.renew();
    expect([readings, isKnown()]).toEqual([1, true]);
  });

  test('and only until an account is read with newer ones', async () => {
    reading.saw(7);
    expect(isKnown()).toBe(false);
    const waiting = Promise.withResolvers<void>();
    held = waiting.promise;
    const early = reading.renew();
    reading.saw(8);
    const late = reading.renew();
    waiting.resolve();
    await Promise.all([early, late]);
    expect([readings, isKnown()]).toEqual([2, true]);
    reading.saw(7);
    expect(isKnown()).toBe(true);
  });

  test('the time of the read counts towards that second', async () => {
    pass(1_000);
    const waiting = Promise.withResolvers<void>();
    held = waiting.promise;
    const renewed = reading.renew();
    pass(700);
    waiting.resolve();
    await renewed;
    pass(299);
    expect(isKnown()).toBe(true);
    pass(1);
    expect(isKnown()).toBe(false);
  });

  test('a clock that was set back adds no time', () => {
    elapsed += 1_000;
    expect(isKnown()).toBe(false);
  });

  test('they are invalid after the machine slept', () => {
    now += 60_000;
    expect(isKnown()).toBe(false);
  });
});

describe('a store that cannot be asked', () => {
  test('throws, and the former roles stay invalid', async () => {
    version = 2;
    held = Promise.reject(new Error('connection refused'));
    await expect(reading.renew()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(isKnown()).toBe(false);
  });

  test('times out after 800 ms; a later answer does not count', async () => {
    const waiting = Promise.withResolvers<void>();
    held = waiting.promise;
    version = 2;
    const renewed = reading.renew();
    pass(799);
    expect(timers).toHaveLength(1);
    pass(1);
    await expect(renewed).rejects.toMatchObject({ code: 'store_unavailable' });
    waiting.resolve();
    await waiting.promise;
    expect(isKnown()).toBe(false);
  });

  test('is read again for the next caller', async () => {
    version = 2;
    held = Promise.reject(new Error('connection refused'));
    await expect(reading.renew()).rejects.toThrow();
    held = undefined;
    await reading.renew();
    expect(isKnown()).toBe(true);
  });
});

describe('a transaction', () => {
  test('that reads other roles uses them, without a version', async () => {
    await define('family', 'yard');
    await store.change(
      onlyIf((on) => reading.renewIn(on)),
      () => undefined,
    );
    expect([roles(), changes, isKnown()]).toEqual([['family: yard'], 1, false]);
  });

  test('that reads the same roles reports no change', async () => {
    await store.change(
      onlyIf((on) => reading.renewIn(on)),
      () => undefined,
    );
    expect([changes, isKnown()]).toEqual([0, true]);
  });

  test('overrides a read that is under way', async () => {
    const waiting = Promise.withResolvers<void>();
    held = waiting.promise;
    version = 2;
    const renewed = reading.renew();
    reading.adopt({ ...noStoredRoles, definitions: new Map([['family', { cameras: ['yard'] }]]) });
    waiting.resolve();
    await renewed;
    expect([roles(), isKnown()]).toEqual([['family: yard'], false]);
  });
});
