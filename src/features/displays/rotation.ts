import * as v from 'valibot';
import { readJson } from '../../policy/json.ts';
import type { DisplayGeneration } from '../../policy/token-scope.ts';

/** A credential that was used. */
interface Used {
  readonly key: string;
  readonly number: number;
  /** Time of its first use. */
  readonly first: number;
}

/** A credential that its screen has lost. */
interface Left {
  readonly key: string;
  /** Time from which its use proves a second screen. */
  readonly at: number;
}

/**
 * Credentials of a display that were used. Times are milliseconds since the epoch.
 *
 * One screen uses the latest credential that it has stored. A power cut or a read-only profile may bring an older one back; the later
 * ones are then lost for good. If one of them is used all the same, another screen has it: the credential was copied.
 *
 * Each exchange gives a successor of its own, so a copy and its original part at the next one. An example: the tablet in the hall has
 * credential P, and Eve copied it. A day later both exchange P.
 *
 * - 08:00:00 the tablet gets A, and uses it: the line is P, A.
 * - 08:00:20 Eve gets B. Its answer looks as if the tablet had never asked.
 * - 08:00:40 If Eve uses B now, it may as well be another tab of the tablet: the line is P, A, B. From 08:01:40 on, the tablet's A is a
 *   return: it leaves B behind, and B used again proves two screens.
 * - 09:00:00 If Eve waited until now, B leaves A behind. The tablet uses A a moment later, which proves two screens.
 * - 09:00:00 If Eve uses P instead, it is a return like that after a power cut: it leaves A behind too.
 */
export interface Rotation {
  /** Ends with the one in use. Each but the first one replaced one that stands before it. */
  readonly line: readonly Used[];
  readonly left: readonly Left[];
}

/** Milliseconds for which requests that were under way, or another tab, may still bring another credential. */
export const grace = 60_000;

/** Milliseconds by which another gate may note a use late. Notes further ahead were written while the clock was wrong. */
const latest = 3_600_000;

/** Milliseconds after which a screen gets its next credential. */
const rotateAfter = 86_400_000;

/** Older ones may be forgotten: such a credential then counts as a return, and leaves the other screen's behind. */
const mostKept = 32;

/** A credential of an earlier version, which has only a number; those of Postern 1.0 have none, and count as 0. */
export function earlierGeneration(number: number): DisplayGeneration {
  return { number, key: String(number), parent: undefined };
}

export function beginRotation({ key, number }: DisplayGeneration, at: number): Rotation {
  return { line: [{ key, number, first: at }], left: [] };
}

/**
 * Whether a credential is exchanged. It depends on the credential alone, so no answer tells whether its screen has a later one.
 * @param issuedAt undefined for those of earlier versions
 */
export function isDue(issuedAt: number | undefined, at: number): boolean {
  return issuedAt === undefined || Math.abs(at - issuedAt) >= rotateAfter;
}

/** @returns the rotation after a credential was used; the same object if nothing changed; `copied` if two screens have it */
export function noteUse(rotation: Rotation, used: DisplayGeneration, at: number): Rotation | 'copied' {
  const repaired = withoutFuture(rotation, at);
  const place = repaired.line.findIndex(({ key }) => key === used.key);
  if (place !== -1) return useAgain(repaired, place, at);
  // What replaces a lost credential was lost with it.
  const lost = repaired.left.find(({ key }) => key === used.key || key === used.parent);
  return lost === undefined ? useFirst(repaired, used, at) : useLost(repaired, lost, at);
}

function useAgain(rotation: Rotation, place: number, at: number): Rotation {
  const next = rotation.line[place + 1];
  const isUnderWay = next !== undefined && at - next.first < grace;
  return next === undefined || isUnderWay ? rotation : leave(rotation, place + 1, [], at);
}

function useLost(rotation: Rotation, lost: Left, at: number): Rotation | 'copied' {
  if (at >= lost.at) return 'copied';
  // Another gate may be late with a use that preceded the return.
  if (lost.at - at <= latest) return rotation;
  return { ...rotation, left: rotation.left.map((other) => (other === lost ? { ...lost, at } : other)) };
}

function useFirst(rotation: Rotation, { key, number, parent }: DisplayGeneration, at: number): Rotation {
  const { line } = rotation;
  const used = { key, number, first: at };
  const parentPlace = line.findIndex((other) => other.key === parent);
  // A store that was restored may not know the one before, nor one that has forgotten it.
  const place = parentPlace === -1 ? line.findIndex((other) => other.number >= number) : parentPlace + 1;
  const sibling = place === -1 ? undefined : line[place];
  // Two tabs exchange at once, power fails just after it, or another gate notes a use late.
  const isTurn = sibling === undefined || at - sibling.first < grace;
  return leave(rotation, isTurn ? line.length : place, [used], at);
}

/** @param from place in the line; from there on, all are lost */
function leave({ line, left }: Rotation, from: number, used: readonly Used[], at: number): Rotation {
  return {
    line: [...line.slice(0, from), ...used].slice(-mostKept),
    left: [...left, ...line.slice(from).map(({ key }) => ({ key, at }))].slice(-mostKept),
  };
}

/** A clock that was ahead would put off every return. @returns the same object if nothing changed */
function withoutFuture(rotation: Rotation, at: number): Rotation {
  const isAhead = ({ first }: Used) => first - at > latest;
  return rotation.line.some(isAhead)
    ? { ...rotation, line: rotation.line.map((used) => (isAhead(used) ? { ...used, first: at } : used)) }
    : rotation;
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
  line: v.pipe(v.array(v.object({ key: v.string(), number, first: number })), v.minLength(1)),
  left: v.array(v.object({ key: v.string(), at: number })),
});

/** As builds before 2.0.0 wrote it: their generations have no keys, and those after `after`, up to `until`, were left behind. */
const writtenBefore = v.pipe(
  v.object({
    current: number,
    since: number,
    left: v.array(v.object({ after: number, until: number, at: number })),
  }),
  v.transform(({ current, since, left }): Rotation => {
    const lost = left.flatMap(({ after, until, at }) =>
      lastOf(until, until - after).map((generation) => ({ key: String(generation), at })),
    );
    const kept = lastOf(current, current + 1).map((generation) => ({
      key: String(generation),
      number: generation,
      first: generation === current ? since : 0,
    }));
    return {
      line: kept.filter(({ key }) => lost.every((other) => other.key !== key)),
      left: lost.slice(-mostKept),
    };
  }),
);

/** Ascending numbers, at most as many as are kept. */
function lastOf(last: number, count: number): readonly number[] {
  const length = Math.min(count, mostKept);
  return Array.from({ length }, (_, i) => last - length + 1 + i);
}

/** A rotation that cannot be read begins again, and ends no screen. */
export function rotationOf({ generation, rotated_at: at, rotation }: RotationColumns): Rotation {
  const read = v.safeParse(
    v.union([written, writtenBefore]),
    rotation === null ? undefined : readJson(rotation),
  );
  return read.success && read.output.line.length > 0
    ? read.output
    : beginRotation(earlierGeneration(generation), (at ?? 0) * 1000);
}

export function rotationColumns({ line, left }: Rotation): RotationColumns {
  return {
    generation: Math.max(...line.map(({ number: generation }) => generation)),
    rotated_at: Math.floor((line.at(-1)?.first ?? 0) / 1000),
    rotation: JSON.stringify({ line, left }),
  };
}
