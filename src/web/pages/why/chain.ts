import type { AccessOfRole, Explanation } from '../../api-client.ts';
import type { Capability } from '../../ui/roles/role-access.ts';

/** Postern's checks in order. `rest` appears only if it refused the request. */
export type CheckName = 'identity' | 'schedule' | 'camera' | 'may' | 'rest';

export interface Link {
  readonly check: CheckName;
  /** `skip`: a check before it refused the request. */
  readonly state: 'yes' | 'no' | 'skip';
}

const refusedBy: Readonly<Record<string, CheckName>> = {
  user_blocked: 'identity',
  provider_removed: 'identity',
  second_factor_missing: 'identity',
  no_role: 'identity',
  role_outside_schedule: 'schedule',
  clock_behind: 'schedule',
  camera_not_granted: 'camera',
  role_may_not: 'may',
};

const order: readonly CheckName[] = ['identity', 'schedule', 'camera', 'may', 'rest'];

/** @returns the checks that led to a verdict */
export function chainOf({ verdict, reason }: Pick<Explanation, 'verdict' | 'reason'>): readonly Link[] {
  if (verdict === 'allow') return order.slice(0, -1).map((check) => ({ check, state: 'yes' }));
  const refusing = (Object.hasOwn(refusedBy, reason) ? refusedBy[reason] : undefined) ?? 'rest';
  const at = order.indexOf(refusing);
  return order
    .filter((check) => check !== 'rest' || refusing === 'rest')
    .map((check) => {
      const place = order.indexOf(check);
      return { check, state: place < at ? 'yes' : place === at ? 'no' : 'skip' };
    });
}

/** A role's cameras and capabilities, for a sentence. */
export interface Held {
  readonly cameras: readonly string[];
  /** How many cameras there are besides. */
  readonly more: number;
  readonly may: readonly Capability[];
}

const mostNamed = 4;

/** @param granted in the order in which pages show them */
export function heldBy(granted: readonly string[], { may }: Pick<AccessOfRole, 'may'>): Held {
  // One more takes less room than "1 more".
  const named = granted.length <= mostNamed + 1 ? granted.length : mostNamed;
  return { cameras: granted.slice(0, named), more: granted.length - named, may };
}
