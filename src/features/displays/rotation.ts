import * as v from 'valibot';
import { readJson } from '../../policy/json.ts';

/** Generations that a screen left behind when an older one came back: those after `after`, up to `until`. */
interface LeftBehind {
  readonly after: number;
  readonly until: number;
  /** Time when the older one came back. */
  readonly at: number;
}

/**
 * Credentials that a display has given out, and the one that its screen uses. Times are milliseconds since the epoch.
 *
 * One screen uses the latest generation that it has stored. A power cut or a read-only profile may bring an older one back; the later
 * ones are then lost for good. If one of them is used all the same, another screen has it: the credential was copied.
 */
export interface Rotation {
  /** The highest generation that was given out. */
  readonly issued: number;
  readonly issuedAt: number;
  /** The generation that the screen uses. */
  readonly current: number;
  /** Time when the screen began to use it. */
  readonly since: number;
  /** Up to this one, generations were used or left behind; a higher one is on its way to the screen. */
  readonly spent: number;
  /** In ascending order, without overlaps. */
  readonly left: readonly LeftBehind[];
}

/** Milliseconds for which requests that were under way may still bring the previous credential. */
export const grace = 60_000;

/** Milliseconds by which another gate may note a use late. Notes further ahead were written while the clock was wrong. */
const latest = 3_600_000;

/** Milliseconds after which a screen gets its next credential. */
const rotateAfter = 86_400_000;

/** An older gap may be forgotten: a credential out of it then counts as a return, and leaves the other screen's behind. */
const mostLeft = 32;

/** Credentials of Postern 1.0 carry no generation. */
export const oldestGeneration = 0;

export function beginRotation(generation: number, at: number): Rotation {
  return { issued: generation, issuedAt: at, current: generation, since: at, spent: generation, left: [] };
}

/** @returns the rotation after a credential was used; the same object if nothing changed; `copied` if two screens have it */
export function noteUse(rotation: Rotation, generation: number, at: number): Rotation | 'copied' {
  const { issued, current, since, spent, left } = rotation;
  const gap = left.find(({ after, until }) => after < generation && generation <= until);
  if (gap !== undefined) {
    if (at >= gap.at) return 'copied';
    // Another gate may be late with a use that preceded the return.
    if (gap.at - at <= latest) return rotation;
    return { ...rotation, left: left.map((other) => (other === gap ? { ...gap, at } : other)) };
  }
  if (generation > spent) {
    // A restored store may be older than the cookie.
    return {
      ...rotation,
      issued: Math.max(issued, generation),
      current: generation,
      since: at,
      spent: generation,
    };
  }
  // A clock that was ahead would put off every return.
  if (generation === current) return at < since ? { ...rotation, since: at } : rotation;
  if (at - since < grace) return rotation;
  const kept = left.filter(({ after }) => after < generation);
  return {
    ...rotation,
    current: generation,
    since: at,
    spent: issued,
    left: [...kept, { after: generation, until: issued, at }].slice(-mostLeft),
  };
}

/**
 * The generation that a screen gets in exchange: the same until it was used, however many answers are lost.
 * @param generation the one presented, after its use was noted
 * @returns `undefined` if the screen keeps the credential that it has
 */
export function successorOf(rotation: Rotation, generation: number, at: number): number | undefined {
  const { issued, issuedAt, current, spent } = rotation;
  // The screen has a later one already, or will have come back to this one in a minute.
  if (generation !== current) return undefined;
  if (issued > spent) return issued;
  const isDue = current < issued || current === oldestGeneration || Math.abs(at - issuedAt) >= rotateAfter;
  return isDue ? issued + 1 : undefined;
}

/** @param generation as `successorOf` returned it */
export function issue(rotation: Rotation, generation: number, at: number): Rotation {
  return generation > rotation.issued ? { ...rotation, issued: generation, issuedAt: at } : rotation;
}

/** A rotation as a row of the store has it. */
interface RotationColumns {
  readonly generation: number;
  /** Seconds since the epoch. */
  readonly rotated_at: number | null;
  readonly rotation: string | null;
}

const number = v.pipe(v.number(), v.integer());
const written = v.object({
  current: number,
  since: number,
  spent: number,
  left: v.array(v.object({ after: number, until: number, at: number })),
});

/** A rotation that cannot be read begins again, and ends no screen. */
export function rotationOf({ generation, rotated_at: at, rotation }: RotationColumns): Rotation {
  const issuedAt = (at ?? 0) * 1000;
  const read = v.safeParse(written, rotation === null ? undefined : readJson(rotation));
  return read.success
    ? { issued: generation, issuedAt, ...read.output }
    : beginRotation(generation, issuedAt);
}

export function rotationColumns({ issued, issuedAt, ...noted }: Rotation): RotationColumns {
  return { generation: issued, rotated_at: Math.floor(issuedAt / 1000), rotation: JSON.stringify(noted) };
}
