import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api-client.ts';
import { text } from '../text.ts';
import { useAction } from './forms/use-action.ts';

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly undo?: (() => Promise<void>) | undefined;
  readonly failed: boolean;
}

// Milliseconds. What can be undone stays longer.
const readingTime = 6_000;
const undoTime = 10_000;
const mostAtOnce = 4;

let toasts: readonly Toast[] = [];
let count = 0;
let show: (next: readonly Toast[]) => void = () => undefined;

function replace(next: readonly Toast[]): void {
  toasts = next;
  show(next);
}

function add(toast: Omit<Toast, 'id'>): void {
  count += 1;
  replace([...toasts, { ...toast, id: count }].slice(-mostAtOnce));
}

/**
 * Says what was done, at the edge of whatever page is shown, for some seconds.
 * @param undo does the opposite, and tells that itself; when it fails, the reason is told
 */
export function tell(message: string, undo?: () => Promise<void>): void {
  add({ message, undo, failed: false });
}

/** What `tell` says. It stands on the page from the start: screen readers announce only what comes to a region that they know. */
export function Toasts() {
  const [shown, setShown] = useState(toasts);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget | null>(null);
  show = setShown;

  const newest = shown.at(-1)?.id;
  useEffect(() => {
    const element = region.current;
    if (newest === undefined) {
      setHovered(false);
      setFocused(false);
    }
    if (element === null || !('popover' in element)) return;
    // A dialog that was opened later would stand above it.
    if (document.querySelector('dialog[open]') !== null) element.hidePopover();
    if (!element.matches(':popover-open')) element.showPopover();
  }, [newest]);

  useEffect(() => {
    // The keys that undo everywhere: by Tab, whoever has no mouse would be there too late.
    const onKey = (event: KeyboardEvent) => {
      const isUndo =
        event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const isElsewhere = document.querySelector('dialog[open],:is(input,textarea,select):focus') !== null;
      const undo = [...(region.current?.querySelectorAll<HTMLElement>('.undo') ?? [])].at(-1);
      if (!isUndo || isElsewhere || undo === undefined) return;
      event.preventDefault();
      undo.click();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const close = (id: number) => {
    const hadFocus = region.current?.contains(document.activeElement) === true;
    replace(toasts.filter((toast) => toast.id !== id));
    if (!hadFocus) return;
    const former = cameFrom.current;
    const isThere = former instanceof HTMLElement && former.isConnected;
    (isThere ? former : document.getElementById('main'))?.focus();
  };

  return (
    <div
      ref={region}
      class="toasts"
      popover="manual"
      role="status"
      aria-atomic="false"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocusIn={(event) => {
        if (!isFocused) cameFrom.current = event.relatedTarget;
        setFocused(true);
      }}
      onFocusOut={() => setFocused(false)}
    >
      {shown.map((toast) => (
        <ShownToast
          key={toast.id}
          toast={toast}
          isHeld={isHovered || isFocused}
          onClose={() => close(toast.id)}
        />
      ))}
    </div>
  );
}

function ShownToast(props: {
  readonly toast: Toast;
  /** Somebody is at it: its time begins anew after that. */
  readonly isHeld: boolean;
  readonly onClose: () => void;
}) {
  const { toast, isHeld, onClose } = props;
  const { undo } = toast;
  const { busy, failure, run } = useAction();
  useEffect(() => {
    if (isHeld || busy) return undefined;
    const timer = setTimeout(onClose, undo === undefined ? readingTime : undoTime);
    return () => clearTimeout(timer);
  }, [isHeld, busy]);
  useEffect(() => {
    if (failure === undefined) return;
    onClose();
    add({ message: messageOf(failure), failed: true });
  }, [failure]);
  return (
    <div
      class={`toast ${toast.failed ? 'failure' : ''}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <span dir="auto">{toast.message}</span>
      {undo !== undefined && (
        <button
          type="button"
          class="secondary outline undo"
          aria-keyshortcuts="Control+Z"
          title={text.actions.undoKeys}
          aria-busy={busy}
          onClick={() =>
            run(async () => {
              await undo();
              onClose();
            })
          }
        >
          {text.actions.undo}
        </button>
      )}
      <button type="button" class="close" aria-label={text.actions.close} onClick={onClose}>
        ✕
      </button>
    </div>
  );
}
