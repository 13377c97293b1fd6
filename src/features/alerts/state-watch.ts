import type { Clock } from '../../clock.ts';
import type { Observations } from './observations.ts';

/** State of the gate that can become an alert. */
export interface WatchedState {
  /** Reason why the recorder cannot be read; absent when it can, or no recorder is configured. */
  readonly recorderFault: string | undefined;
  /** Milliseconds since the epoch; absent when the gate has no certificate. */
  readonly certificateEnds: number | undefined;
  readonly unverifiedRoles: readonly string[];
}

// Milliseconds.
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const away = minute;
const unverified = 10 * minute;
const certificateLeft = 10 * day;

/**
 * Alerts to anything that has been wrong for a while.
 * @param namesOf what people call roles. It reads the store, and is asked only about roles that stay unverified
 * @returns a function that looks once, to be called every few seconds
 */
export function createStateWatch(
  { observe }: Pick<Observations, 'observe'>,
  clock: Clock,
  namesOf: (roles: readonly string[]) => Promise<readonly string[]>,
) {
  /** Milliseconds since the epoch when each fault began, by its name. */
  const since = new Map<string, number>();
  const lasts = (what: string, isWrong: boolean, long: number) => {
    if (!isWrong) return void since.delete(what);
    const began = since.get(what) ?? clock.now();
    since.set(what, began);
    return clock.now() - began >= long;
  };
  return async ({ recorderFault, certificateEnds = Infinity, unverifiedRoles }: WatchedState) => {
    if (lasts('recorder', recorderFault !== undefined, away) === true)
      observe('recorder_away', { key: 'recorder', forMs: hour });
    for (const name of since.keys())
      if (name.startsWith('role ') && !unverifiedRoles.includes(name.slice(5))) since.delete(name);
    // While the recorder is away, it confirms nothing: one alert is enough.
    const roles = unverifiedRoles.filter(
      (role) => lasts(`role ${role}`, recorderFault === undefined, unverified) === true,
    );
    if (certificateEnds - clock.now() <= certificateLeft)
      observe('certificate_expiring', {
        key: String(certificateEnds),
        forMs: 30 * day,
        object: new Date(certificateEnds).toISOString().slice(0, 10),
      });
    // While the store is away, the roles stay unverified, and their names are read the next time.
    const names = roles.length === 0 ? [] : await namesOf(roles).catch(() => []);
    if (names.length > 0)
      observe('role_unverified', { key: names.join(' '), forMs: day, object: names.join(', ') });
  };
}
