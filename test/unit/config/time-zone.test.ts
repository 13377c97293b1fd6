import { afterEach, describe, expect, test } from 'vitest';
import { resolveTimeZone } from '../../../src/config/time-zone.ts';

const ofProcess = process.env['TZ'];
afterEach(() => {
  if (ofProcess === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ofProcess;
});

/** The zone, or the fault of the value. */
const resolved = (written: string | undefined, variable?: string): string => {
  const refused: string[] = [];
  const zone = resolveTimeZone(
    written,
    { TZ: variable },
    { refuse: (path, found, allowed) => refused.push(`${path}: ${found}; ${allowed}`) },
  );
  return refused[0] ?? zone;
};
const ofSystem = resolved(undefined);

test('timezone comes before TZ, and TZ before the system', () => {
  expect(resolved('Europe/Berlin', 'America/New_York')).toBe('Europe/Berlin');
  expect(resolved('Europe/Berlin', '"America/New_York"')).toBe('Europe/Berlin');
  expect(resolved(undefined, 'America/New_York')).toBe('America/New_York');
  expect(() => new Temporal.ZonedDateTime(0n, ofSystem)).not.toThrow();
});

test.each([undefined, '', ':', '/etc/localtime', ':/etc/localtime'])(
  'TZ that is %j leaves the zone of the system',
  (variable) => {
    if (variable !== undefined) process.env['TZ'] = variable;
    expect(resolved(undefined, variable)).toBe(ofSystem);
    expect(process.env['TZ']).toBe(variable ?? ofProcess);
  },
);

test.each([
  [':Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
  [':/usr/share/zoneinfo/posix/Europe/Berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['US/Pacific', 'US/Pacific'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  // A name of the IANA database, unlike the forms with numbers below.
  ['EST5EDT', 'EST5EDT'],
])('TZ=%s is %s', (variable, zone) => {
  expect(resolved(undefined, variable)).toBe(zone);
});

describe('what is no zone is refused with its value and the nearest', () => {
  test.each<[value: string, nearest: string | undefined]>([
    ['"America/Los_Angeles"', 'America/Los_Angeles'],
    ["'Europe/Berlin'", 'Europe/Berlin'],
    ['Europe/Berln', 'Europe/Berlin'],
    ['America/Los Angeles', 'America/Los_Angeles'],
    ['Berlin', 'Europe/Berlin'],
    ['America/New_York ', 'America/New_York'],
    ['EST5EDT,M3.2.0,M11.1.0', undefined],
    ['<-03>3', undefined],
    ['CET-1CEST', undefined],
    ['UTC+3', 'UTC'],
    ['+01:00', undefined],
    ['Etc/Unknown', undefined],
    ['posixrules', undefined],
    ['Europe/Berlin\u0000', 'Europe/Berlin'],
    ['Εurope/Berlin', 'Europe/Berlin'],
  ])('%j: %s', (value, nearest) => {
    const said = `${value}, which is no time zone; the name of an IANA time zone such as Europe/Berlin`;
    const whole = nearest === undefined ? said : `${said}; the nearest is ${nearest}`;
    expect(resolved(undefined, value)).toBe(`the environment variable TZ: ${whole}`);
    expect(resolved(value)).toBe(`timezone: ${whole}`);
  });

  test('an empty timezone is not absent', () => {
    expect(resolved('')).toContain('timezone: an empty text; the name of');
  });
});
