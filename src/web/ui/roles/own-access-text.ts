import type { User } from '../../api-client.ts';
import { plural, text } from '../../text.ts';
import { gateZone, wallTime } from '../zones.ts';
import { scheduleText } from './schedule-text.ts';

/** @returns what a role gives that was made for one person, such as "2 cameras, until 29 November at 22:00" */
export function ownAccessText(
  { cameras, schedule }: NonNullable<User['own_access']>,
  now = Date.now(),
): string {
  const counted = plural(text.lists.cameras, cameras.length);
  if (schedule === null) return counted;
  const { from, ...rest } = schedule;
  const zone = gateZone();
  const isToCome = from !== undefined && from > wallTime(now, zone);
  const when = scheduleText(isToCome ? { from, ...rest } : rest, false, zone);
  return when === '' ? counted : `${counted}, ${when}`;
}
