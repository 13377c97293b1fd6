import { Switch } from '../forms/field.tsx';
import { capabilities, type Capability, type PaneStates } from './role-access.ts';
import { text } from '../../text.ts';

/** A switch for each thing that a role, or a token of it, may do. */
export function MayFields({ may, offered = capabilities, legend, autofocus = false }: MayFieldsProps) {
  return (
    <fieldset class="hinted">
      <legend>{legend}</legend>
      {offered.map((capability, index) => (
        <Switch
          key={capability}
          label={text.capabilities.names[capability]}
          hint={text.mayFields.means[capability]}
          name="may"
          value={capability}
          autofocus={autofocus && index === 0}
          defaultChecked={may.includes(capability)}
        />
      ))}
    </fieldset>
  );
}

interface MayFieldsProps {
  /** Those that are on. */
  readonly may: readonly Capability[];
  readonly offered?: readonly Capability[];
  readonly legend: string;
  readonly autofocus?: boolean;
}

interface PanesProps {
  readonly states: PaneStates;
  /** With a sign in each pane. */
  readonly large?: boolean;
}

/** A window with a pane for each word: live and recordings, export and move, share and talk. Its text stands beside it. */
export function Panes({ states, large = false }: PanesProps) {
  const isDark = capabilities.every((word) => states[word] === 'no');
  return (
    <svg
      class={`panes${isDark ? ' none' : ''}${large ? ' large' : ''}`}
      viewBox="0 0 22 33"
      aria-hidden="true"
    >
      {(['no', 'closed', 'may'] as const).map((state) => {
        const alike = capabilities.filter((word) => states[word] === state);
        // One path for all of a state: a matrix has thousands of panes.
        return (
          alike.length > 0 && (
            <path key={state} class={state} d={alike.map((word) => drawn(word, state)).join('')} />
          )
        );
      })}
      {large &&
        capabilities.map((word) => <path key={word} class={`sign ${states[word]}`} d={signs[word]} />)}
    </svg>
  );
}

function drawn(word: Capability, state: PaneStates[Capability]): string {
  return state === 'closed' ? frames[word] + hatches[word] : frames[word];
}

const frames: Readonly<Record<Capability, string>> = {
  live: 'M.5 12.5v-3a9 9 0 0 1 9-9v12z',
  history: 'M21.5 12.5v-3a9 9 0 0 0-9-9v12z',
  export: 'M.5 14.5h9v8h-9z',
  ptz: 'M12.5 14.5h9v8h-9z',
  share: 'M.5 24.5h9v8h-9z',
  talk: 'M12.5 24.5h9v8h-9z',
};

const hatches: Readonly<Record<Capability, string>> = {
  live: 'M.5 9.5l9-9M1.5 12.5l8-8M5.5 12.5l4-4',
  history: 'M12.5 4.5l3-3M12.5 8.5l5.5-5.5M12.5 12.5l7.4-7.4M16.5 12.5l4.8-4.8',
  export: 'M.5 18.5l4-4M.5 22.5l8-8M4.5 22.5l5-5',
  ptz: 'M12.5 18.5l4-4M12.5 22.5l8-8M16.5 22.5l5-5',
  share: 'M.5 28.5l4-4M.5 32.5l8-8M4.5 32.5l5-5',
  talk: 'M12.5 28.5l4-4M12.5 32.5l8-8M16.5 32.5l5-5',
};

const signs: Readonly<Record<Capability, string>> = {
  live: 'M5.2 7.6h.01M3.9 9a2 2 0 0 1 0-2.8M6.5 9a2 2 0 0 0 0-2.8M3 9.9a3.2 3.2 0 0 1 0-4.6M7.4 9.9a3.2 3.2 0 0 0 0-4.6',
  history: 'M14 5.4h5v4.4h-5zM15.9 6.6l1.5 1-1.5 1z',
  export: 'M5 16.2v3.4M3.6 18.2L5 19.6l1.4-1.4M3 20.8h4',
  ptz: 'M17 16v5M14.5 18.5h5M16.3 16.7l.7-.7.7.7M16.3 20.3l.7.7.7-.7M15.2 17.8l-.7.7.7.7M18.8 17.8l.7.7-.7.7',
  share: 'M2.8 28.5h.01M7.2 26.6h.01M7.2 30.4h.01M2.8 28.5l4.4-1.9M2.8 28.5l4.4 1.9',
  talk: 'M17 25.8a1 1 0 0 1 1 1v1.4a1 1 0 0 1-2 0v-1.4a1 1 0 0 1 1-1zM15 28.2a2 2 0 0 0 4 0M17 30.2v1.2',
};
