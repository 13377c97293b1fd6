import type { Examination } from './examination.ts';

type Result = 'ok' | 'FAULT' | 'skipped' | 'info';

/** One line of the table: what was sent, what was expected, what was seen. */
export interface Finding {
  readonly result: Result;
  readonly sent: string;
  readonly expected: string;
  readonly seen: string;
  /** What to change: the line of a file, or a key. */
  readonly change?: string;
}

/** @typeParam E what is known of the thing that it examines */
export interface Probe<E = Examination> {
  /** How tests and people refer to it. */
  readonly name: string;
  /** What is found out, for docs/doctor.md. */
  readonly meaning: string;
  /** What to change after a fault, for docs/doctor.md. */
  readonly change: string;
  /** A login that was taken, or a session that the front knows again. Without it the probe is skipped. */
  readonly needs?: 'login' | 'session';
  readonly run: (examination: E) => Promise<readonly Finding[]>;
}

export function fault(sent: string, expected: string, seen: string, change: string): Finding {
  return { result: 'FAULT', sent, expected, seen, change };
}

export function ok(sent: string, expected: string, seen: string): Finding {
  return { result: 'ok', sent, expected, seen };
}

/** Worth knowing, and no fault. */
export function info(sent: string, seen: string, change?: string): Finding {
  return { result: 'info', sent, expected: '', seen, ...(change === undefined ? {} : { change }) };
}

export function skipped(why: string): Finding {
  return { result: 'skipped', sent: '', expected: '', seen: why };
}

/** How many faults of one kind are told one by one. */
const enough = 3;

function alike([first, ...others]: readonly Finding[]): Finding {
  if (first === undefined) throw new Error('there is no fault');
  return others.length === 0 ? first : { ...first, sent: `${first.sent}, and ${others.length} more` };
}

/**
 * The faults of a probe that tried several things; when there is none, one line about all of them.
 * @param tried each finding of the probe
 * @param what is said to have been sent when all is well
 */
export function faultsOr(tried: readonly Finding[], what: string): readonly Finding[] {
  const faults = tried.filter(({ result }) => result === 'FAULT');
  const more = faults.length - enough;
  if (more > 0) return [...faults.slice(0, enough), alike(faults.slice(enough))];
  if (faults.length > 0) return faults;
  const [first] = tried;
  if (first === undefined) return [];
  const seen = [...new Set(tried.map(({ seen }) => seen))].sort().join(', ');
  return [ok(what, first.expected, seen)];
}
