import type { Person } from '../../api-client.ts';
import { fill, locale, plural, text } from '../../text.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { houseName } from '../page-marks.ts';
import { canText } from '../roles/can-text.ts';
import { capabilities } from '../roles/role-access.ts';
import { momentOf, scheduleText, type Schedule } from '../roles/schedule.ts';
import { inZone, isForeign, wallTime } from '../time-text.ts';
import { listText } from '../words.ts';

type Access = Pick<Person, 'name' | 'role' | 'grant' | 'schedule' | 'zone'>;

/** @returns the state of a person's face */
export function faceStateOf({ state, watched }: Person) {
  if (state === 'blocked' || state === 'stopped') return 'suspended';
  if (state === 'invited') return 'invited';
  return watched.now.length > 0 ? 'watching' : 'plain';
}

/** @returns what someone may see, such as "2 cameras, until tomorrow, 22:00" */
export function accessText(person: Person, now = Date.now()): string {
  const words = text.people;
  if (person.role === 'admin') return fill(words.looksAfter, { house: houseName });
  if (person.state === 'blocked' || person.state === 'stopped') return words.nothingNow;
  const { cameras, allowed_cameras: allowed } = person.grant;
  const counted = cameras === null ? words.allCameras : plural(text.lists.cameras, allowed.length);
  return `${counted}, ${whenText(person.schedule, person.zone, now)}`;
}

/** @returns a sentence, such as "nell can watch Driveway live, until tomorrow, 22:00." @param name is written in place of theirs */
export function accessSentence({ grant, schedule, zone }: Access, name: string, now = Date.now()): string {
  const may = capabilities.filter((word) => grant.may.includes(word));
  const cameras =
    grant.cameras === null ? text.people.everyCamera : listText(grant.allowed_cameras.map(cameraText));
  const what = grant.allowed_cameras.length === 0 && grant.cameras !== null ? '' : canText(may, cameras);
  if (what === '') return fill(text.people.canNothing, { who: name });
  const ended = endedText(schedule, zone, now);
  if (ended !== undefined) return fill(text.people.hasEnded, { who: name, moment: ended });
  return fill(text.invitations.sum, { who: name, what, when: whenText(schedule, zone, now) });
}

/** @returns such as "Watching Driveway". Three cameras or more are only counted */
export function watchingText(cameras: readonly string[]): string {
  const words = text.people;
  if (cameras.length === 0) return words.watchingNow;
  const what =
    cameras.length > 2 ? plural(text.lists.cameras, cameras.length) : listText(cameras.map(cameraText));
  return fill(words.watching, { what });
}

/** @returns when an access applies, such as "always", "until tomorrow, 22:00" or "ended yesterday, 22:00" */
export function whenText(schedule: Schedule | null, zone: string, now = Date.now()): string {
  if (schedule === null) return text.invitations.alwaysOpen;
  const ended = endedText(schedule, zone, now);
  if (ended !== undefined) return fill(text.people.ended, { moment: ended });
  const { from, until, hours } = schedule;
  const isToCome = from !== undefined && from > wallTime(now, zone);
  const near = until !== undefined && !isToCome && hours === undefined && nearText(until, zone, now);
  if (near) return inZone(fill(text.schedules.until, { moment: near }), zone);
  return scheduleText(isToCome ? schedule : { until, hours }, false, zone) || text.invitations.alwaysOpen;
}

/** @returns when an access ended, such as "yesterday, 22:00"; undefined before that */
function endedText(schedule: Schedule | null, zone: string, now: number): string | undefined {
  const until = schedule?.until;
  // A day counts to its last minute.
  if (until === undefined || (until.includes('T') ? until : `${until}T24:00`) > wallTime(now, zone))
    return undefined;
  return inZone(nearText(until, zone, now) ?? momentOf(until, new Date(now)), zone);
}

// Milliseconds.
const day = 86_400_000;

/** @returns "yesterday", "today" or "tomorrow" with the time, or undefined for other days */
function nearText(moment: string, zone: string, now: number): string | undefined {
  const [on = '', time] = moment.split('T');
  const days = (Date.parse(`${on}Z`) - Date.parse(`${wallTime(now, zone).slice(0, 10)}Z`)) / day;
  if (Math.abs(days) > 1) return undefined;
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  if (time === undefined) return word;
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  return `${word}, ${clock.format(new Date(`${on}T${time}Z`))}`;
}

/** @returns when a schedule opens or closes next, with the reader's own time where the zone is another; undefined without one */
export function turnsText({
  schedule_now: at,
  zone,
}: Pick<Person, 'schedule_now' | 'zone'>): string | undefined {
  if (at === null || at.turns === null) return undefined;
  const here = { weekday: 'long', hour: '2-digit', minute: '2-digit' } as const;
  const format = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat(locale, { ...here, day: 'numeric', month: 'long', timeZone }).format(
      (at.turns ?? 0) * 1000,
    );
  const turn = fill(at.is_open ? text.people.closes : text.people.opens, {
    time: inZone(format(zone), zone),
  });
  return isForeign(zone) ? `${turn} ${fill(text.people.yourTime, { time: format(undefined) })}` : turn;
}
