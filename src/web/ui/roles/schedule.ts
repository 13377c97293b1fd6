import { fieldOf, FormProblem } from '../forms/form-field.ts';
import { text } from '../../text.ts';

/** The schedule of a role, in the gate's time zone. */
export interface Schedule {
  /** `2026-12-20`, or `2026-12-20T18:00`. */
  readonly from?: string | undefined;
  /** As `from`; a day is the last one. */
  readonly until?: string | undefined;
  /** `07:00-19:00` */
  readonly hours?: string | undefined;
  /** Recordings older than `from` are hidden. */
  readonly history?: 'from' | undefined;
}

/** Reads the fields of `ScheduleFields`; an empty schedule is always active. @throws FormProblem */
export function scheduleIn(form: FormData): Schedule {
  const words = text.roleDialogs.schedule;
  const moment = (name: string) => {
    const [day, time] = [fieldOf(form, `${name}-day`), fieldOf(form, `${name}-time`)];
    if (day === '' && time !== '') throw new FormProblem(words.timeWithoutDay);
    return time === '' ? day : `${day}T${time.slice(0, 5)}`;
  };
  const [from, until] = [moment('from'), moment('until')];
  const [begin, end] = [fieldOf(form, 'hours-begin'), fieldOf(form, 'hours-end')];
  if ((begin === '') !== (end === '')) throw new FormProblem(words.halfHours);
  if (begin !== '' && begin === end) throw new FormProblem(words.noHours);
  // A day counts to its last minute, so `from` and `until` on the same day make a whole one.
  if (from !== '' && until !== '' && (until.includes('T') ? until : `${until}T24:00`) <= from)
    throw new FormProblem(words.endsFirst);
  return {
    ...(from === '' ? {} : { from }),
    ...(until === '' ? {} : { until }),
    ...(begin === '' ? {} : { hours: `${begin.slice(0, 5)}-${end.slice(0, 5)}` }),
    ...(from !== '' && fieldOf(form, 'history') === 'hidden' ? { history: 'from' as const } : {}),
  };
}
