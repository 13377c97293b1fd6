import type { Attention, Findings } from '../../api-client.ts';

/** Home shows these too, but this page lists their checks anyway. */
const listedAsCheck: ReadonlySet<Attention['kind']> = new Set([
  'reload_failed',
  'certificate_ends',
  'recorder_away',
  'role_unverified',
]);

interface SelfCheck {
  /** Problems that Home shows, and no check. */
  readonly problems: readonly Attention[];
  /** How many rows are not well: "all well" never stands beside a problem. */
  readonly worse: number;
}

export function selfCheck({ checks, request }: Findings, attention: readonly Attention[]): SelfCheck {
  const problems = attention.filter(({ kind, level }) => level === 'problem' && !listedAsCheck.has(kind));
  const found = checks.filter(({ result }) => result === 'fault' || result === 'hint').length;
  return { problems, worse: found + problems.length + (request.secure ? 0 : 1) };
}
