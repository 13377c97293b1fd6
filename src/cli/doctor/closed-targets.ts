import type { Examination } from './examination.ts';
import { isLimited } from './session.ts';

/** A target that the session may not have. */
export interface ClosedTarget {
  readonly target: string;
  /** The segment after `/api/`, of which aliases can be made. */
  readonly segment: string;
  /** What follows the segment. */
  readonly rest: string;
}

/**
 * What the role of the session may not have: administration, and cameras that are not granted, of those that
 * `--camera` and the configuration name. Empty for an admin.
 */
export function closedTargets({ session, options, context }: Examination): readonly ClosedTarget[] {
  if ('missing' in session || session.role === 'admin' || session.role === '') return [];
  const administration = { target: '/api/config', segment: 'config', rest: '' };
  if (!isLimited(session)) return [administration];
  const named = [...options.cameras, ...(context.configuration?.cameras ?? [])];
  const closed = [...new Set(named)].filter((camera) => !session.cameras.includes(camera));
  // One is as good as many: the gate treats them alike.
  return [
    ...closed.slice(0, 1).map((camera) => {
      const segment = encodeURIComponent(camera);
      return { target: `/api/${segment}/latest.jpg`, segment, rest: '/latest.jpg' };
    }),
    administration,
  ];
}
