import * as v from 'valibot';
import { capabilities } from '../policy/capability.ts';
import { isDateTime, isHours, mayOpen, type Schedule } from '../policy/schedule.ts';
import { described } from './values.ts';

const momentAllowed =
  'a date such as "2026-12-20", or a date and a time such as "2026-12-20T18:00", in the time zone of Postern';
const hoursAllowed = 'hours of the day such as "07:00-19:00", or over midnight such as "22:00-06:00"';
const mayAllowed = `at least one of ${capabilities.join(', ')}`;
const groupsAllowed = 'a list with at least one name of auth.camera_groups';
const moment = v.pipe(v.string(momentAllowed), v.check(isDateTime, momentAllowed));

const ownEntries = {
  may: described(
    v.optional(
      v.pipe(
        v.array(v.picklist(capabilities, `one of ${capabilities.join(', ')}`), mayAllowed),
        v.nonEmpty(mayAllowed),
      ),
    ),
    `What access includes: ${mayAllowed}.`,
  ),
  from: described(v.optional(moment), `When access begins: ${momentAllowed}.`),
  until: described(v.optional(moment), `When access ends: ${momentAllowed}.`),
  hours: described(
    v.optional(v.pipe(v.string(hoursAllowed), v.check(isHours, hoursAllowed))),
    `Daily times of access: ${hoursAllowed}.`,
  ),
  history: described(
    v.optional(v.literal('from', 'from, or nothing')),
    '`from`: recordings from before `from` stay hidden.',
  ),
};
/** When access is open, and whether to earlier recordings. */
export const schedule = v.strictObject(
  {
    from: ownEntries.from,
    until: ownEntries.until,
    hours: ownEntries.hours,
    history: ownEntries.history,
  },
  'a map with the keys from, until, hours, history',
);

const groups = described(
  v.optional(v.pipe(v.array(v.string(groupsAllowed), groupsAllowed), v.nonEmpty(groupsAllowed))),
  'Names of `auth.camera_groups`; access includes their cameras.',
);

const allOfRole = v.strictObject(
  { groups, ...ownEntries },
  'a map with the keys groups, may, from, until, hours, history',
);
const allOfToken = v.strictObject(ownEntries, 'a map with the keys may, from, until, hours, history');

/** Access of a role, in config.yml and in the API: what it may do, with which groups of cameras, and when. */
export const roleAccess = v.pipe(
  allOfRole,
  hasAny<v.InferOutput<typeof allOfRole>>('groups, may, from, until and hours'),
  historyHasBegin<v.InferOutput<typeof allOfRole>>(),
  endsLater<v.InferOutput<typeof allOfRole>>(),
);

/** Limits of an API token within its role, in the API. */
export const tokenAccess = v.pipe(
  allOfToken,
  hasAny<v.InferOutput<typeof allOfToken>>('may, from, until and hours'),
  historyHasBegin<v.InferOutput<typeof allOfToken>>(),
  endsLater<v.InferOutput<typeof allOfToken>>(),
);

function hasAny<T extends object>(keys: string) {
  return v.check<T, string>(
    (access) => Object.values(access).some((value) => value !== undefined),
    `at least one of ${keys}`,
  );
}

function historyHasBegin<T extends Schedule>() {
  return v.check<T, string>(
    ({ from, history }) => history === undefined || from !== undefined,
    'history only beside from',
  );
}

function endsLater<T extends Schedule>() {
  return v.check<T, string>(
    (access) => !isWritten(access) || mayOpen(access),
    'an until that is later than from',
  );
}

/** A part with a wrong form is reported by its own check. */
function isWritten({ from, until }: Schedule): boolean {
  return [from, until].every((text) => text === undefined || isDateTime(text));
}
