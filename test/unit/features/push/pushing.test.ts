import { expect, test } from 'vitest';
import type { Core, Running } from '../../../../src/features/feature.ts';
import { decidePush } from '../../../../src/features/push/pushing.ts';
import { clockAt } from '../../../support/clock-at.ts';
import { rolesOf } from '../../../support/roles.ts';
import { sessionSettings } from '../../api/ask-endpoint.ts';

const user = { username: 'gus', role: 'family', generation: 'g', isBlocked: false };
const subscription = { username: 'gus', sessionId: 's', generation: 'g' } as never;
const review = { camera: 'front', startTime: 1_700_000_000 } as never;
const core = {
  foundation: { clock: clockAt(1_700_000_000_000) },
  accounts: { users: { find: async () => user, findTogether: async () => user } },
  sessions: { sessionRegistry: { find: async () => ({}) } },
} as unknown as Core;

/** A gate whose roles are those of `before` until they are read again. */
function gate(before: readonly string[], now: readonly string[], areCurrent: boolean): Running {
  const runtimeOf = (cameras: readonly string[], isCurrent: boolean) => ({
    settings: {
      ...sessionSettings,
      rules: { ...sessionSettings.rules, roles: rolesOf([['family', [...cameras]]]) },
    },
    currentRoles: {
      areCurrent: () => isCurrent,
      renew: async () => {
        runtime = runtimeOf(now, true);
      },
    },
  });
  let runtime = runtimeOf(before, areCurrent);
  return { runtime: () => runtime } as unknown as Running;
}

test.each<[before: readonly string[], now: readonly string[], areCurrent: boolean, decision: string]>([
  [['front'], ['front'], true, 'send'],
  [['garage'], ['garage'], true, 'keep'],
  // Another gate has changed the role since.
  [['front'], ['garage'], false, 'keep'],
  [['garage'], ['front'], false, 'send'],
])('a role with %j, which has %j now (known: %j): %s', async (before, now, areCurrent, decision) => {
  expect(await decidePush(subscription, review, core, gate(before, now, areCurrent))).toBe(decision);
});

test('a push is not decided by roles that cannot be read', async () => {
  const running = gate(['front'], [], false);
  const { currentRoles } = running.runtime();
  Object.assign(currentRoles ?? {}, { renew: () => Promise.reject(new Error('away')) });
  await expect(decidePush(subscription, review, core, running)).rejects.toThrow('away');
});
