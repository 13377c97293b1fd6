import type { ComponentChildren } from 'preact';
import { useState, useRef } from 'preact/hooks';
import { isRefused, messageOf, FormProblem } from '../../api-client.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { listText } from '../words.ts';
import { runEach } from './run-each.ts';
import type { Forms } from '../../../language/fill.ts';
import { fill, plural, text } from '../../text.ts';

interface BulkAction {
  readonly name: string;
  readonly danger?: boolean;
  /** No selected row allows it. */
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** How many rows are selected, and what can be done to all of them. */
export function BulkBar(props: { readonly selection: Selection; readonly actions: readonly BulkAction[] }) {
  const { selection, actions } = props;
  if (selection.keys.length === 0) return null;
  return (
    <div class="bulk" role="group" aria-label={fill(text.lists.selected, { count: selection.keys.length })}>
      <span role="status">{fill(text.lists.selected, { count: selection.keys.length })}</span>
      <button type="button" class="quiet" onClick={selection.clear}>
        {text.lists.selectNone}
      </button>
      <span class="bulk-actions">
        {actions.map(({ name, danger = false, ...button }) => (
          <button key={name} type="button" class={danger ? 'danger outline' : 'outline'} {...button}>
            {name}
          </button>
        ))}
      </span>
    </div>
  );
}

const mostNames = 12;
const mostReasons = 5;

/** Asks once, and then does the same to each of several. Failed entries stay in the dialog, to be tried again. */
export function BulkDialog<Entry>(props: {
  readonly entries: readonly Entry[];
  readonly nameOf: (entry: Entry) => string;
  readonly title: Forms;
  readonly submit: string;
  readonly danger?: boolean;
  readonly work: (entry: Entry, form: FormData) => Promise<void>;
  readonly children?: ComponentChildren;
  readonly onClose: () => void;
  /** Some were done, or all. */
  readonly onSome: () => void;
  /** @param count those done since the dialog opened */
  readonly onDone: (count: number) => void;
}) {
  const { nameOf, title, submit, danger = false, work, children, onClose, onSome, onDone } = props;
  const [left, setLeft] = useState(props.entries);
  const names = left.map(nameOf);
  const shown =
    names.length > mostNames
      ? [...names.slice(0, mostNames - 1), fill(text.lists.others, { count: names.length - mostNames + 1 })]
      : names;
  const run = async (form: FormData) => {
    const { done, failed } = await runEach(left, (entry) => work(entry, form), isRefused);
    if (done.length > 0) onSome();
    if (failed.length === 0) return;
    setLeft(failed.map(({ entry }) => entry));
    const reasons = failed
      .slice(0, mostReasons)
      .map(({ entry, error }) => `${nameOf(entry)}: ${messageOf(error)}`);
    const words = done.length === 0 ? text.lists.allFailed : text.lists.someFailed;
    const counts = fill(words, { done: done.length, failed: failed.length });
    throw new FormProblem([counts, ...reasons].join(' '));
  };
  return (
    <FormDialog
      title={plural(title, left.length)}
      submit={submit}
      danger={danger}
      onSubmit={run}
      onClose={onClose}
      onDone={() => onDone(props.entries.length)}
    >
      <p dir="auto">{listText(shown)}</p>
      {children}
    </FormDialog>
  );
}

export interface Selection {
  /** Keys of the selected rows that are shown. */
  readonly keys: readonly string[];
  /** How many can be chosen. */
  readonly offered: number;
  readonly offers: (key: string) => boolean;
  readonly has: (key: string) => boolean;
  /** @param order of the rows on the page: selects also those between this one and the one pressed before */
  readonly toggle: (key: string, order?: readonly string[]) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Several rows of a list at once. @param shown keys of the rows that can be chosen */
export function useSelection(shown: readonly string[]): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  const keys = shown.filter((key) => picked.has(key));
  const offered = new Set(shown);
  return {
    keys,
    offered: offered.size,
    offers: (key) => offered.has(key),
    has: (key) => picked.has(key),
    toggle: (key, order = []) => {
      const [from, to] = [order.indexOf(last.current ?? ''), order.indexOf(key)];
      const between = order
        .slice(Math.min(from, to), Math.max(from, to) + 1)
        .filter((each) => offered.has(each));
      const reached = from === -1 ? [key] : between;
      const next = new Set(keys);
      for (const each of reached)
        if (picked.has(key)) next.delete(each);
        else next.add(each);
      last.current = key;
      setPicked(next);
    },
    toggleAll: () => setPicked(new Set(keys.length === shown.length ? [] : shown)),
    clear: () => setPicked(new Set()),
  };
}
