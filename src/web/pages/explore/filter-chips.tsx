import { useRef } from 'preact/hooks';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { nameText } from '../../ui/words.ts';
import { noSearch, type EventSearch } from '../../ui/explore-search.ts';
import { fill, text } from '../../text.ts';
import { fromText, toText } from './time-filter.tsx';

interface Chip {
  readonly key: string;
  readonly shown: string;
  /** The search without this filter. */
  readonly without: EventSearch;
}

/** Every active filter; a press removes it. */
export function FilterChips(props: {
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
      shown: nameText(label),
      without: { ...search, labels: without(labels, label) },
    })),
    ...(after === '' ? [] : [{ key: 'after', shown: fromText(after), without: { ...search, after: '' } }]),
    ...(before === '' ? [] : [{ key: 'before', shown: toText(before), without: { ...search, before: '' } }]),
  ];
}
