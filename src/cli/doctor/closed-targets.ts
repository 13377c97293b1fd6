import type { Examination, Session } from './examination.ts';
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
  // No rule of an operator opens it, as one may open /api/config.
  const administration = { target: '/api/config/raw', segment: 'config', rest: '/raw' };
  if (!isLimited(session)) return [administration];
  const camera = closedCamera(session, { options, context });
  if (camera === undefined) return [administration];
  const segment = encodeURIComponent(camera);
  return [{ target: `/api/${segment}/latest.jpg`, segment, rest: '/latest.jpg' }, administration];
}

/** @returns a camera that the session may not see, of those that `--camera` and the configuration name; the gate treats them alike */
export function closedCamera(
  { cameras }: Session,
  { options, context }: Pick<Examination, 'options' | 'context'>,
): string | undefined {
  const named = [...options.cameras, ...(context.configuration?.cameras ?? [])];
  return named.find((camera) => !cameras.includes(camera));
}
