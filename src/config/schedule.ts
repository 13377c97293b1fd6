import * as v from 'valibot';
import { isDateTime, isHours, mayOpen, type Schedule } from '../policy/schedule.ts';

const momentAllowed =
  'a date such as "2026-12-20", or a date and a time such as "2026-12-20T18:00", in the time zone of the gate';
const hoursAllowed = 'hours of the day such as "07:00-19:00", or over midnight such as "22:00-06:00"';
const moment = v.pipe(v.string(momentAllowed), v.check(isDateTime, momentAllowed));

/** The schedule of a custom role, in config.yml and in the API. */
export const schedule = v.pipe(
  v.strictObject(
    {
      from: v.optional(moment),
      until: v.optional(moment),
      hours: v.optional(v.pipe(v.string(hoursAllowed), v.check(isHours, hoursAllowed))),
      history: v.optional(v.literal('from', 'from, or nothing')),
    },
    'a window with the keys from, until, hours, history',
  ),
  v.check(
    ({ from, until, hours }: Schedule) => [from, until, hours].some((key) => key !== undefined),
    'at least one of from, until and hours',
  ),
  v.check(
    ({ from, history }: Schedule) => history === undefined || from !== undefined,
    'from beside history',
  ),
  v.check((window: Schedule) => !isWritten(window) || mayOpen(window), 'an until that is later than from'),
);

/** A part with a wrong form is reported by its own check. */
function isWritten({ from, until }: Schedule): boolean {
  return [from, until].every((text) => text === undefined || isDateTime(text));
}
