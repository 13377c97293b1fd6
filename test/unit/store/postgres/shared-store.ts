import { onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { openSharedStore, type SharedStore } from '../../../../src/store/postgres/open-store.ts';

const ignore = () => undefined;

/** A store as one of several processes has it; it closes with the test. */
export async function sharedStore(
  url: string,
  notices: Partial<Omit<Parameters<typeof openSharedStore>[1], 'clock'>> = {},
): Promise<SharedStore> {
  const shared = await openSharedStore(url, {
    clock: systemClock,
    onTrouble: ignore,
    onRecovery: ignore,
    ...notices,
  });
  onTestFinished(() => shared.store.destroy());
  return shared;
}
