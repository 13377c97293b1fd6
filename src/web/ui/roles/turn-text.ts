import { locale } from '../../text.ts';
import { inZone } from '../zones.ts';

/**
 * @param seconds since the epoch, as `now` is
 * @param zone of the gate, in which all times of schedules are
 * @returns such as "Friday 18:00", with the date if it is far away
 */
export function turnText(seconds: number, now: number, zone: string): string {
  const isNear = Math.abs(seconds - now) < 6 * 86_400;
  const options: Intl.DateTimeFormatOptions = { weekday: 'long', hour: '2-digit', minute: '2-digit' };
  if (!isNear) Object.assign(options, { day: 'numeric', month: 'long' });
  return inZone(new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }).format(seconds * 1000), zone);
}
