type Result = 'ok' | 'FAULT' | 'skipped' | 'info';

/** One line of the table: what was sent, expected and seen. */
export interface Finding {
  readonly result: Result;
  readonly sent: string;
  readonly expected: string;
  readonly seen: string;
  /** How to mend the fault: the line of a file, or a key. */
  readonly change?: string;
}

/**
 * One check of the command, from outside. docs/doctor.md has for each what it checks.
 * @typeParam S what it examines
 */
export interface DoctorCheck<S> {
  /** Public name: `probe` in the table. */
  readonly name: string;
  readonly run: (subject: S) => Promise<readonly Finding[]>;
}

/** The examination cannot be made, which is not a finding: exit status 2. */
export class CannotExamine extends Error {
  override readonly name = 'CannotExamine';
}

/** @param change mends the fault; false: none */
export function finding(sent: string, expected: string, seen: string, change: string | false): Finding {
  const line = { sent, expected, seen };
  return change === false ? { result: 'ok', ...line } : { result: 'FAULT', ...line, change };
}

/** A finding that is not a fault. */
export function info(sent: string, seen: string, change?: string): Finding {
  return { result: 'info', sent, expected: '', seen, ...(change === undefined ? {} : { change }) };
}

export function skipped(why: string): Finding {
  return { result: 'skipped', sent: '', expected: '', seen: why };
}

/** Runs one after the other. @returns as `faultsOr` */
export async function tryEach<T>(
  things: readonly T[],
  attempt: (thing: T) => Promise<Finding>,
  what: string,
): Promise<readonly Finding[]> {
  const tried = [];
  for (const thing of things) tried.push(await attempt(thing));
  return faultsOr(tried, what);
}

/** Faults of one kind that are listed one by one. */
const enough = 3;

/**
 * The faults of a check that tried several things; without faults, one line about all of them.
 * @param tried each finding of the check
 * @param what sent, for the line without faults
 */
export function faultsOr(tried: readonly Finding[], what: string): readonly Finding[] {
  const faults = tried.filter(({ result }) => result === 'FAULT');
  const [next, ...others] = faults.slice(enough);
  if (next !== undefined && others.length > 0)
    return [...faults.slice(0, enough), { ...next, sent: `${next.sent}, and ${others.length} more` }];
  if (faults.length > 0) return faults;
  const [first] = tried;
  if (first === undefined) return [];
  const seen = [...new Set(tried.map(({ seen }) => seen))].sort().join(', ');
  return [finding(what, first.expected, seen, false)];
}
