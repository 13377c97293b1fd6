import type { ComponentChildren } from 'preact';
import { secondsOf } from '../../ui/explore-search.ts';
import { fieldOf } from '../../ui/forms/form-action.ts';
import { fill, text } from '../../text.ts';
import { momentText } from '../../ui/time-text.ts';
import { useMenu } from '../../ui/page-hooks.ts';

interface Range {
  readonly after: string;
  readonly before: string;
}

/** Days or minutes between which events began. */
export function TimeFilter({
  after,
  before,
  onChange,
}: Range & { readonly onChange: (range: Range) => void }) {
  const words = text.events;
  return (
    <Menu name={words.time} value={rangeText({ after, before })}>
      <form
        key={`${after} ${before}`}
        class="range"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const moment = (name: string) => {
            const [day, time] = [fieldOf(form, `${name}-day`), fieldOf(form, `${name}-time`)];
            return day === '' || time === '' ? day : `${day}T${time.slice(0, 5)}`;
          };
          event.currentTarget.closest('details')?.removeAttribute('open');
          onChange({ after: moment('after'), before: moment('before') });
        }}
      >
        <Moment name="after" label={words.from} value={after} />
        <Moment name="before" label={words.to} value={before} />
        <p>
          <small>{words.timeHint}</small>
        </p>
        <button type="submit">{words.apply}</button>
      </form>
    </Menu>
  );
}

function Moment(props: { readonly name: string; readonly label: string; readonly value: string }) {
  const [day = '', time = ''] = props.value.split('T');
  return (
    <fieldset>
      <legend>{props.label}</legend>
      <input type="date" name={`${props.name}-day`} aria-label={text.events.day} defaultValue={day} />
      <input type="time" name={`${props.name}-time`} aria-label={text.events.clock} defaultValue={time} />
    </fieldset>
  );
}

/** @returns a time range as text */
function rangeText({ after, before }: Range): string {
  const words = text.events;
  if (after === '' && before === '') return words.anyTime;
  if (after === before && !after.includes('T')) return textOfMoment(after);
  return [after && fromText(after), before && toText(before)].filter(Boolean).join(' ');
}

export const fromText = (after: string): string =>
  fill(text.events.fromMoment, { moment: textOfMoment(after) });
export const toText = (before: string): string =>
  fill(text.events.toMoment, { moment: textOfMoment(before) });

function textOfMoment(moment: string): string {
  return momentText(secondsOf(moment) ?? 0, moment.includes('T'));
}

/** A menu that opens below its name; Escape or a click outside closes it. */
export function Menu(props: {
  readonly name: string;
  /** The current choice. */
  readonly value: string;
  readonly children: ComponentChildren;
}) {
  const menu = useMenu();
  return (
    <details class="choice" ref={menu}>
      <summary>
        <span>
          <small>{props.name}</small>
          <span>{props.value}</span>
        </span>
      </summary>
      <div class="menu">{props.children}</div>
    </details>
  );
}
