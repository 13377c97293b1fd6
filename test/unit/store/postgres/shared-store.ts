import { onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { patience } from '../../../support/patience.ts';
import { openSharedStore, type SharedStore } from '../../../../src/store/postgres/open-store.ts';

const ignore = () => undefined;

/** A store as one of several processes has it; it closes with the test. A busy machine may take its time, unless `notices` say otherwise. */
export async function sharedStore(
  url: string,
  notices: Partial<Omit<Parameters<typeof openSharedStore>[1], 'clock'>> = {},
): Promise<SharedStore> {
  const shared = await openSharedStore(url, {
    clock: systemClock,
    decisionTimeoutMs: patience,
    onTrouble: ignore,
    onRecovery: ignore,
    ...notices,
  });
  onTestFinished(() => shared.store.destroy());
  return shared;
}
