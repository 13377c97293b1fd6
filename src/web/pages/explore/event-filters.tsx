import { useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { labelCalled, labelText } from '../../ui/event-text.ts';
import { noSearch, secondsOf, type EventSearch } from '../../ui/explore-search.ts';
import { fieldOf } from '../../ui/forms/form-action.ts';
import { fill, text } from '../../text.ts';
import { momentText } from '../../ui/time-text.ts';
import { useMenu } from '../../ui/page-hooks.ts';

interface EventFiltersProps {
  readonly search: EventSearch;
  readonly cameras: readonly string[];
  readonly labels: readonly string[];
  readonly onChange: (search: EventSearch) => void;
  /** Called when the list of cameras opens and closes. */
  readonly onChoosing: (isOpen: boolean) => void;
}

/** The filters of Explore, and chips that show and remove each. */
export function EventFilters({ search, cameras, labels, onChange, onChoosing }: EventFiltersProps) {
  const words = text.events;
  const change = (changes: Partial<EventSearch>) => onChange({ ...search, ...changes });
  return (
    <>
      <div class="event-filters" role="group" aria-label={words.filters}>
        <Menu
          name={words.cameras}
          value={chosenText(search.cameras.map(cameraText), words.allCameras, words.someCameras)}
          onToggle={onChoosing}
        >
          <Choices
            name={words.cameras}
            offered={cameras}
            chosen={search.cameras}
            shown={cameraText}
            onChange={(chosen) => change({ cameras: chosen })}
          />
        </Menu>
        <Menu
          name={words.labels}
          value={chosenText(search.labels.map(labelText), words.anyLabel, words.someLabels)}
        >
          <Choices
            name={words.labels}
            offered={labels}
            chosen={search.labels}
            shown={labelText}
            onChange={(chosen) => change({ labels: chosen })}
          />
          <OtherLabel
            labels={labels}
            onAdd={(label) => change({ labels: [...new Set([...search.labels, label])] })}
          />
        </Menu>
        <TimeFilter after={search.after} before={search.before} onChange={change} />
      </div>
      <FilterChips search={search} onChange={onChange} />
    </>
  );
}

function chosenText(chosen: readonly string[], none: string, some: string): string {
  const [first] = chosen;
  return first === undefined ? none : chosen.length === 1 ? first : fill(some, { count: chosen.length });
}

function Choices(props: {
  readonly name: string;
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly shown: (name: string) => string;
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const { chosen, onChange } = props;
  // A camera in the address is shown even if the user may not see it.
  const offered = [...new Set([...props.offered, ...chosen])];
  return (
    <fieldset>
      <legend class="hidden-text">{props.name}</legend>
      {offered.map((name) => (
        <label key={name} dir="auto">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={() =>
              onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
            }
          />{' '}
          {props.shown(name)}
        </label>
      ))}
    </fieldset>
  );
}

/** A label that no event on the page has. */
function OtherLabel(props: { readonly labels: readonly string[]; readonly onAdd: (label: string) => void }) {
  return (
    <form
      class="with-button"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = fieldOf(new FormData(event.currentTarget), 'label').trim();
        event.currentTarget.reset();
        // Commas separate labels in the address.
        if (typed !== '' && !typed.includes(',')) props.onAdd(labelCalled(typed, props.labels));
      }}
    >
      <input
        name="label"
        type="search"
        aria-label={text.events.otherLabel}
        placeholder={text.events.otherLabel}
        autocomplete="off"
      />
      <button type="submit" class="secondary">
        {text.events.add}
      </button>
    </form>
  );
}

interface Chip {
  readonly key: string;
  readonly shown: string;
  /** The search without this filter. */
  readonly without: EventSearch;
}

/** Every active filter; a press removes it. */
function FilterChips(props: {
  readonly search: EventSearch;
  readonly onChange: (search: EventSearch) => void;
}) {
  const { search, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  const chips = chipsOf(search);
  if (chips.length === 0) return null;
  const takeBack = (without: EventSearch) => {
    // The pressed chip disappears: the focus stays near.
    const group = list.current?.previousElementSibling;
    onChange(without);
    requestAnimationFrame(() => {
      const next = list.current?.querySelector('button') ?? group?.querySelector('summary');
      if (document.activeElement === document.body) next?.focus();
    });
  };
  return (
    <ul class="chips" ref={list} aria-label={text.events.chosenFilters}>
      {chips.map(({ key, shown, without }) => (
        <li key={key}>
          <button
            type="button"
            class="secondary outline"
            aria-label={fill(text.events.withoutFilter, { filter: shown })}
            onClick={() => takeBack(without)}
          >
            <span dir="auto">{shown}</span> <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" class="secondary outline" onClick={() => takeBack(noSearch)}>
            {text.events.showAll}
          </button>
        </li>
      )}
    </ul>
  );
}

function chipsOf(search: EventSearch): readonly Chip[] {
  const { cameras, labels, after, before } = search;
  const without = (names: readonly string[], name: string) => names.filter((other) => other !== name);
  return [
    ...cameras.map((camera) => ({
      key: `camera ${camera}`,
      shown: cameraText(camera),
      without: { ...search, cameras: without(cameras, camera) },
    })),
    ...labels.map((label) => ({
      key: `label ${label}`,
      shown: labelText(label),
      without: { ...search, labels: without(labels, label) },
    })),
    ...(after === '' ? [] : [{ key: 'after', shown: fromText(after), without: { ...search, after: '' } }]),
    ...(before === '' ? [] : [{ key: 'before', shown: toText(before), without: { ...search, before: '' } }]),
  ];
}

interface Range {
  readonly after: string;
  readonly before: string;
}

/** Days or minutes between which events began. */
function TimeFilter({ after, before, onChange }: Range & { readonly onChange: (range: Range) => void }) {
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

const fromText = (after: string): string => fill(text.events.fromMoment, { moment: textOfMoment(after) });
const toText = (before: string): string => fill(text.events.toMoment, { moment: textOfMoment(before) });

function textOfMoment(moment: string): string {
  return momentText(secondsOf(moment) ?? 0, moment.includes('T'));
}

/** A menu that opens below its name; Escape or a click outside closes it. */
function Menu(props: {
  readonly name: string;
  /** The current choice. */
  readonly value: string;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ComponentChildren;
}) {
  const menu = useMenu();
  return (
    <details class="choice" ref={menu} onToggle={() => props.onToggle?.(menu.current?.open === true)}>
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
