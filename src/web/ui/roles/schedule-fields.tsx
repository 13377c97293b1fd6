import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { fill, text } from '../../text.ts';
import { Radio } from '../forms/field.tsx';
import { gateZone } from '../time-text.ts';
import type { Schedule } from './schedule.ts';

/** Fields for the schedule of a role; `scheduleIn` reads them. */
export function ScheduleFields({ schedule }: { readonly schedule: Schedule | undefined }) {
  const hint = useId();
  const words = text.roleDialogs.schedule;
  // A time field cannot hold 24:00, and a whole day is no limit.
  const [begin = '', end = ''] = (schedule?.hours ?? '')
    .replace('00:00-24:00', '')
    .replace('24:00', '00:00')
    .split('-');
  const first = useRef<HTMLInputElement>(null);
  const [hasFirst, setFirst] = useState(schedule?.from !== undefined);
  const readFirst = () => setFirst(first.current?.value !== '');
  const fields = useRef<HTMLDetailsElement>(null);
  // After a login in between, the fields have been filled again.
  useEffect(() => {
    readFirst();
    const moments = fields.current?.querySelectorAll<HTMLInputElement>('[type=date], [type=time]') ?? [];
    if (fields.current && [...moments].some(({ value }) => value !== '')) fields.current.open = true;
  }, []);
  return (
    <details class="more range" ref={fields}>
      <summary>{words.limit}</summary>
      <p class="hint" id={hint}>
        {fill(words.hint, { zone: gateZone() })}
      </p>
      <Moment
        name="from"
        label={words.fromLabel}
        value={schedule?.from ?? ''}
        hint={hint}
        dayRef={first}
        onDay={readFirst}
      />
      <Moment name="until" label={words.untilLabel} value={schedule?.until ?? ''} hint={hint} />
      <fieldset aria-describedby={hint}>
        <legend>{words.hoursLabel}</legend>
        <input type="time" name="hours-begin" aria-label={words.begin} defaultValue={begin} />
        <input type="time" name="hours-end" aria-label={words.end} defaultValue={end} />
      </fieldset>
      <EarlierRecordings
        isShown={hasFirst}
        isHidden={schedule?.from === undefined || schedule.history === 'from'}
      />
    </details>
  );
}

/** Earlier recordings are hidden by default: they show what the role was never meant to see. */
function EarlierRecordings(props: { readonly isShown: boolean; readonly isHidden: boolean }) {
  const { isShown, isHidden } = props;
  const words = text.roleDialogs.schedule.earlier;
  return (
    <div hidden={!isShown}>
      <fieldset class="hinted">
        <legend>{words.legend}</legend>
        <Radio
          label={words.hidden}
          hint={words.hiddenMeans}
          name="history"
          value="hidden"
          defaultChecked={isHidden}
        />
        <Radio
          label={words.visible}
          hint={words.visibleMeans}
          name="history"
          value="visible"
          defaultChecked={!isHidden}
        />
      </fieldset>
    </div>
  );
}

interface MomentProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly dayRef?: { current: HTMLInputElement | null };
  readonly onDay?: () => void;
}

function Moment({ name, label, value, hint, dayRef, onDay }: MomentProps) {
  const [day = '', time = ''] = value.split('T');
  return (
    <fieldset aria-describedby={hint}>
      <legend>{label}</legend>
      <input
        ref={dayRef ?? null}
        type="date"
        name={`${name}-day`}
        aria-label={text.events.day}
        defaultValue={day}
        onChange={onDay}
      />
      <input
        type="time"
        name={`${name}-time`}
        aria-label={text.roleDialogs.schedule.clock}
        defaultValue={time}
      />
    </fieldset>
  );
}
