import { useEffect, useRef } from 'preact/hooks';
import { eventText, eventWords } from './audit-text.ts';
import { fieldOf } from './form-field.ts';
import type { AuditSearch } from './use-audit.ts';

const results: ReadonlyArray<readonly [value: string, text: string]> = [
  ['', 'Any result'],
  ['success', 'Success'],
  ['failure', 'Failure'],
];
const periods: ReadonlyArray<readonly [value: string, text: string]> = [
  ['', 'Any time'],
  ['1h', 'The last hour'],
  ['24h', 'The last 24 hours'],
  ['7d', 'The last 7 days'],
  ['30d', 'The last 30 days'],
];

export function AuditFilters(props: {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}) {
  const { search, onChange } = props;
  const element = useRef<HTMLFormElement>(null);
  const events: Array<readonly [string, string]> = [['', 'All events'], ...Object.entries(eventWords)];
  // What the address says is shown, whatever it is.
  if (!events.some(([value]) => value === search.event)) events.push([search.event, eventText(search.event)]);
  // The fields stay, with the focus, and follow the address when it changes.
  useEffect(() => {
    for (const [name, value] of Object.entries(search)) {
      const field = element.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        field.value = String(value);
    }
  }, [search.event, search.user, search.result, search.period]);
  const choice = (
    title: string,
    name: 'event' | 'result' | 'period',
    offered: ReadonlyArray<readonly [string, string]>,
  ) => (
    <label>
      {title}
      <select name={name} onChange={(event) => onChange({ ...search, [name]: event.currentTarget.value })}>
        {offered.map(([value, text]) => (
          <option key={value} value={value} selected={value === search[name]}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form
      ref={element}
      class="filters audit-filters"
      aria-label="Filter audit records"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ ...search, user: fieldOf(new FormData(event.currentTarget), 'user').trim() });
      }}
    >
      {choice('Event', 'event', events)}
      <label>
        Who
        <input
          name="user"
          type="search"
          placeholder="Anybody"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={256}
          defaultValue={search.user}
          onChange={(event) => onChange({ ...search, user: event.currentTarget.value.trim() })}
        />
      </label>
      {choice('Result', 'result', results)}
      {choice('Period', 'period', periods)}
    </form>
  );
}
