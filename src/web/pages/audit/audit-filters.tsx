import { useLayoutEffect, useRef } from 'preact/hooks';
import { eventText, eventWords } from './audit-text.ts';
import { Choice } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-action.ts';
import type { AuditSearch } from './use-audit.ts';
import { text } from '../../text.ts';

const words = text.audit;

export function AuditFilters(props: {
  readonly search: AuditSearch;
  readonly onChange: (changes: Partial<AuditSearch>) => void;
}) {
  const { search, onChange } = props;
  const element = useRef<HTMLFormElement>(null);
  const { any: anyResult, ...results } = words.results;
  const { any: anyTime, ...periods } = words.periods;
  const events: Array<readonly [string, string]> = [['', words.allEvents], ...Object.entries(eventWords())];
  // A value in the address is shown even if it is unknown.
  if (!events.some(([value]) => value === search.event)) events.push([search.event, eventText(search.event)]);
  // The fields and the focus stay, and follow the address when it changes: at once, before anyone types the next thing.
  useLayoutEffect(() => {
    for (const [name, value] of Object.entries(search)) {
      const field = element.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        field.value = String(value);
    }
  }, [search.event, search.search, search.result, search.period]);
  const choice = (
    label: string,
    name: 'event' | 'result' | 'period',
    offered: ReadonlyArray<readonly [string, string]>,
  ) => (
    <Choice
      label={label}
      name={name}
      options={offered}
      value={search[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <form
      ref={element}
      class="filters audit-filters"
      aria-label={words.filters}
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ search: fieldOf(new FormData(event.currentTarget), 'search').trim() });
      }}
    >
      {choice(words.event, 'event', events)}
      <label>
        {words.search}
        <input
          name="search"
          type="search"
          placeholder={words.searchHint}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={256}
          defaultValue={search.search}
          onChange={(event) => onChange({ search: event.currentTarget.value.trim() })}
        />
      </label>
      {choice(words.result, 'result', [['', anyResult], ...Object.entries(results)])}
      {choice(words.period, 'period', [['', anyTime], ...Object.entries(periods)])}
    </form>
  );
}
