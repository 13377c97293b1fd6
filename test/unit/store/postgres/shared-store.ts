import { onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { openSharedStore, type SharedStore } from '../../../../src/store/postgres/open-store.ts';

/** A store as one process of several has it, that closes with the test. */
export async function sharedStore(
  url: string,
  onTrouble: (error: Error) => void = () => undefined,
  onRecovery: () => void = () => undefined,
): Promise<SharedStore> {
  const shared = await openSharedStore(url, { clock: systemClock, onTrouble, onRecovery });
  onTestFinished(() => shared.store.destroy());
  return shared;
}
