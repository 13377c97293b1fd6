import type { Watched } from '../../api-client.ts';

/** One visit: the stretches of each camera, live and recorded, between two pauses. */
export interface Visit {
  /** Id of its newest stretch. */
  readonly key: string;
  readonly user: string;
  readonly source: string;
  readonly addresses: readonly string[];
  /** In the order in which they were watched. */
  readonly cameras: readonly string[];
  /** Seconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** The oldest first. */
  readonly stretches: readonly Watched[];
}

/** Seconds: a pause that doesn't end a stretch doesn't end a visit either. */
const pause = 5 * 60;

/** @param newestFirst stretches of watching. @returns the visits they belong to, beginning with the one that continued last */
export function visitsOf(newestFirst: readonly Watched[]): Visit[] {
  let visits: Array<{ readonly who: string; readonly stretches: readonly Watched[] }> = [];
  for (const stretch of newestFirst) {
    const who = JSON.stringify([stretch.user, stretch.source, stretch.by ?? stretch.address]);
    // It began before all that is listed so far, and a long one reaches into several.
    const reached = visits.filter(
      (visit) => visit.who === who && startOf(visit.stretches) - stretch.to <= pause,
    );
    const [newest] = reached;
    const stretches = [...reached.flatMap((visit) => visit.stretches), stretch];
    visits =
      newest === undefined
        ? [...visits, { who, stretches }]
        : visits
            .filter((visit) => visit === newest || !reached.includes(visit))
            .map((visit) => (visit === newest ? { who, stretches } : visit));
  }
  return visits.map(({ stretches }) => visitOf(stretches));
}

/** The last one listed began first. */
const startOf = (stretches: readonly Watched[]) => stretches.at(-1)?.from ?? 0;

function visitOf(listed: readonly Watched[]): Visit {
  const stretches = listed.toReversed();
  const [first = listed[0]] = stretches;
  const { user = '', source = '', from = 0 } = first ?? {};
  return {
    key: listed[0]?.id ?? '',
    user,
    source,
    addresses: [...new Set(stretches.map(({ address }) => address))],
    cameras: [...new Set(stretches.map(({ camera }) => camera))],
    from,
    to: Math.max(...stretches.map(({ to }) => to)),
    stretches,
  };
}
