import { useEffect, useId, useRef } from 'preact/hooks';
import { nameText } from './event-text.ts';
import { fieldOf } from './form-field.ts';
import type { EventSearch } from './use-events.ts';

export function EventFilters(props: {
  readonly search: EventSearch;
  readonly cameras: readonly string[];
  readonly labels: readonly string[];
  readonly onChange: (search: EventSearch) => void;
}) {
  const { search, cameras, labels, onChange } = props;
  // A camera of the address is shown even where it is none of the identity's.
  const offered = search.camera === '' ? cameras : [...new Set([...cameras, search.camera])];
  /** The cards write labels with a capital. */
  const asSeen = (typed: string) =>
    labels.find((label) => nameText(label).toLowerCase() === nameText(typed).toLowerCase()) ?? typed;
  const list = useId();
  const element = useRef<HTMLFormElement>(null);
  // The fields stay, with the focus, and follow the address when it changes.
  useEffect(() => {
    for (const [name, value] of Object.entries(search)) {
      const field = element.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        field.value = String(value);
    }
  }, [search.camera, search.label, search.ids]);
  return (
    <form
      ref={element}
      class="filters"
      aria-label="Filter events"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const ids = fieldOf(form, 'ids').trim();
        const filter = (name: string) => (ids === '' ? fieldOf(form, name).trim() : '');
        onChange({ camera: filter('camera'), label: asSeen(filter('label')), ids });
      }}
    >
      <label>
        Camera
        <select
          name="camera"
          onChange={(event) => onChange({ ...search, ids: '', camera: event.currentTarget.value })}
        >
          <option value="">All cameras</option>
          {offered.map((camera) => (
            <option key={camera} value={camera} selected={camera === search.camera}>
              {nameText(camera)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Label
        <input
          name="label"
          type="search"
          list={list}
          placeholder="Any label"
          autocomplete="off"
          defaultValue={search.label}
          onChange={(event) =>
            onChange({ ...search, ids: '', label: asSeen(event.currentTarget.value.trim()) })
          }
        />
        <datalist id={list}>
          {labels.map((label) => (
            <option key={label} value={label} />
          ))}
        </datalist>
      </label>
      <label class="ids">
        Event ids
        <span class="with-button">
          <input
            name="ids"
            type="search"
            placeholder="Separated by commas"
            autocomplete="off"
            spellcheck={false}
            defaultValue={search.ids}
          />
          <button type="submit" class="secondary">
            Look up
          </button>
        </span>
      </label>
    </form>
  );
}
