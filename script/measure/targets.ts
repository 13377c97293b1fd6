import type { Pace, Rows } from './figures.ts';

/** The most that each figure may be. `script/bench` names those that are missed; the page has none of this. */
const targets = {
  request: { what: 'processor time of /auth, another URL each time, against bare node:http', most: 1.4 },
  roleOfCameras: { what: 'the same for a role limited to cameras', most: 1.6 },
  download: { what: 'processor time of a download of 1 GB over TLS, against nginx', most: 1.15 },
  live: { what: 'processor time of 16 live streams over TLS, against nginx', most: 1.15 },
  idleMemory: { what: 'resident memory, idle, default configuration, MiB', most: 70 },
  loadedMemory: { what: 'resident memory after a minute at full load, MiB', most: 110 },
  start: { what: 'time from `node` to ready, against bare node:http', most: 2 },
  signInFlood: {
    what: 'p99 of /auth during a flood of sign-ins, against bare node:http beside it',
    most: 1.5,
  },
  alert: { what: 'p99 of /auth while an alert goes to 1,000 browsers, against quiet', most: 2 },
} as const;

export type Figures = Partial<Readonly<Record<keyof typeof targets, number>>>;

export interface Measured {
  /** What a reader takes away. */
  readonly says: string;
  readonly rows: Rows;
  readonly figures?: Figures;
}

/** One section of a page. */
export interface Measurement {
  /** On the command line. */
  readonly name: string;
  /** Heading of the section. */
  readonly title: string;
  measure(pace: Pace): Promise<Measured>;
  /** How it is measured. */
  readonly sentence: string;
}

/** @returns a line for each target that a figure misses */
export function missedTargets(figures: Figures): string[] {
  return Object.entries(targets).flatMap(([name, { what, most }]) => {
    const figure = figures[name as keyof typeof targets];
    if (figure === undefined || figure <= most) return [];
    return [`missed: ${what}: ${figure < 10 ? figure.toFixed(2) : Math.round(figure)} instead of ${most}`];
  });
}
