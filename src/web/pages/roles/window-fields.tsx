import { useId } from 'preact/hooks';
import { Switch } from '../../ui/forms/field.tsx';
import type { RoleWindow } from '../../ui/roles/role-window.ts';
import { text } from '../../text.ts';

/** Fields for the schedule of a role; `windowIn` reads them. */
export function WindowFields({ window }: { readonly window: RoleWindow | null }) {
  const hint = useId();
  const words = text.roles.window;
  // A time field cannot hold 24:00, and a whole day is no limit.
  const [begin = '', end = ''] = (window?.hours ?? '')
    .replace('00:00-24:00', '')
    .replace('24:00', '00:00')
    .split('-');
  return (
    <details class="more range" open={window !== null}>
      <summary>{words.limit}</summary>
      <p class="hint" id={hint}>
        {words.hint}
      </p>
      <Moment name="from" label={words.fromLabel} value={window?.from ?? ''} hint={hint} />
      <Moment name="until" label={words.untilLabel} value={window?.until ?? ''} hint={hint} />
      <fieldset aria-describedby={hint}>
        <legend>{words.hoursLabel}</legend>
        <input type="time" name="hours-begin" aria-label={words.begin} defaultValue={begin} />
        <input type="time" name="hours-end" aria-label={words.end} defaultValue={end} />
      </fieldset>
      <Switch label={words.historyLabel} name="history" defaultChecked={window?.history === 'from'} />
    </details>
  );
}

interface MomentProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint: string;
}

function Moment({ name, label, value, hint }: MomentProps) {
  const [day = '', time = ''] = value.split('T');
  return (
    <fieldset aria-describedby={hint}>
      <legend>{label}</legend>
      <input type="date" name={`${name}-day`} aria-label={text.events.day} defaultValue={day} />
      <input type="time" name={`${name}-time`} aria-label={text.roles.window.clock} defaultValue={time} />
    </fieldset>
  );
}
