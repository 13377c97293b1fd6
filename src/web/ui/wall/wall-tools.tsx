import { nameText } from '../name-text.ts';
import { Icon } from '../icon.tsx';
import { text } from '../../text.ts';
import { densities, groupsToChoose, offlineGroup, type Density } from './arrange.ts';

interface WallToolsProps {
  readonly all: Parameters<typeof groupsToChoose>[0];
  readonly group: string | undefined;
  readonly hasSearch: boolean;
  readonly density: Density;
  readonly onGroup: (group: string | undefined) => void;
  readonly onSearch: (search: string) => void;
  readonly onDensity: (density: Density) => void;
  readonly onFullScreen: () => void;
}

/** Groups, the search, the size of the pictures, and the full screen. */
export function WallTools(props: WallToolsProps) {
  const { all, density, hasSearch } = props;
  const words = text.home;
  const groups = groupsToChoose(all);
  const group = groups.some(({ name }) => name === props.group) ? props.group : undefined;
  const chip = (name: string | undefined, shown: string, count: number) => (
    <button
      key={shown}
      type="button"
      class="chip"
      aria-pressed={group === name}
      onClick={() => props.onGroup(name)}
    >
      <span dir="auto">{shown}</span> <small>{count}</small>
    </button>
  );
  return (
    <div class="wall-tools">
      <div class="chips" role="group" aria-label={words.groups}>
        {(groups.length > 0 || hasSearch) && chip(undefined, words.all, all.cameras.length)}
        {groups.map(({ name, cameras }) =>
          chip(name, name === offlineGroup ? words.offline : nameText(name), cameras.length),
        )}
      </div>
      {hasSearch && (
        <label class="wall-search">
          <span class="hidden-text">{words.find}</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder={words.find}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => props.onSearch(event.currentTarget.value.trim())}
          />
        </label>
      )}
      <div class="seg" role="group" aria-label={words.size}>
        {densities.map((each) => (
          <button
            key={each}
            type="button"
            aria-label={words.sizes[each]}
            title={words.sizes[each]}
            aria-pressed={each === density}
            onClick={() => props.onDensity(each)}
          >
            <Icon name={each} />
          </button>
        ))}
      </div>
      {document.fullscreenEnabled && (
        <button
          type="button"
          class="quiet icon full-screen"
          aria-label={words.fullScreen}
          title={words.fullScreen}
          onClick={props.onFullScreen}
        >
          <Icon name="full" />
        </button>
      )}
    </div>
  );
}
