import type { Findings } from './problem.ts';
import { slipsBetween } from './wrong-value.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The one time zone of all schedules: `timezone` of config.yml, else the variable `TZ`, else that of the system. A value that is no zone
 * would count as UTC, and open access hours early or late.
 * @param written `undefined` if it is not set
 */
export function resolveTimeZone(
  written: string | undefined,
  environment: Environment,
  { refuse }: Pick<Findings, 'refuse'>,
): string {
  const ofSystem = systemZone();
  if (written !== undefined) {
    const zone = zoneNamed(written);
    if (zone === undefined) refuse('timezone', ...faultOf(written));
    return zone ?? ofSystem;
  }
  const variable = (environment['TZ'] ?? '').replace(/^:/, '');
  if (variable === '' || variable === '/etc/localtime') return ofSystem;
  const zone = zoneNamed(nameInPath(variable));
  if (zone === undefined) refuse('the environment variable TZ', ...faultOf(variable));
  return zone ?? ofSystem;
}

/** @returns the name of an IANA time zone, or of a link such as `EST5EDT`, in its usual spelling; `undefined` if it is unknown */
function zoneNamed(name: string): string | undefined {
  // An offset such as +01:00 has no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return undefined;
  }
}

/** The C library also reads the path of a zone's file. */
function nameInPath(variable: string): string {
  return variable.replace(/^\/usr\/share\/zoneinfo\/(?:posix\/|right\/)?/, '');
}

/** Node uses `TZ` even when it is empty. */
function systemZone(): string {
  const variable = process.env['TZ'];
  delete process.env['TZ'];
  try {
    return zoneNamed(Temporal.Now.timeZoneId()) ?? 'UTC';
  } finally {
    if (variable !== undefined) process.env['TZ'] = variable;
  }
}

function faultOf(written: string): [found: string, allowed: string] {
  const nearest = nearestZone(written);
  const allowed = 'the name of an IANA time zone such as Europe/Berlin';
  // The value is no secret, and quotes in it are easily overlooked.
  return [
    written === '' ? 'an empty text' : `${written.slice(0, 64)}, which is no time zone`,
    nearest === undefined ? allowed : `${allowed}; the nearest is ${nearest}`,
  ];
}

function nearestZone(written: string): string | undefined {
  const wanted = lettersOf(written);
  const [nearest] = ['UTC', ...Intl.supportedValuesOf('timeZone')]
    .flatMap((zone) => [zone, zone.slice(zone.lastIndexOf('/') + 1)].map((name) => ({ zone, name })))
    .map(({ zone, name }) => ({
      zone,
      slips: slipsBetween(wanted, lettersOf(name), Math.floor(name.length / 4)),
    }))
    .filter(({ slips }) => slips !== undefined)
    .toSorted((one, other) => (one.slips ?? 0) - (other.slips ?? 0));
  return nearest?.zone;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
