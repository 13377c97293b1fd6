import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api-client.ts';
import { text } from '../text.ts';
import { Icon } from './drawings.tsx';
import { useAction } from './forms/form-action.ts';

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly undo?: (() => Promise<void>) | undefined;
  readonly failed: boolean;
}

// Milliseconds. Toasts with an undo stay longer.
const readingTime = 6_000;
const undoTime = 10_000;

let toasts: readonly Toast[] = [];
let count = 0;
let show: (next: readonly Toast[]) => void = () => undefined;

function replace(next: readonly Toast[]): void {
  toasts = next;
  show(next);
}

function add(toast: Omit<Toast, 'id'>): void {
  count += 1;
  replace([{ ...toast, id: count }]);
}

/**
 * Shows a message at the edge of any page for some seconds, in place of the one before.
 * @param undo does the opposite, and shows its own message; if it fails, the reason is shown
 */
export function showToast(message: string, undo?: () => Promise<void>): void {
  add({ message, undo, failed: false });
}

/**
 * The messages of `showToast`. It is on the page from the start: screen readers announce only changes of a region they have
 * seen.
 */
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
    // A dialog that was opened later would cover it.
    if (document.querySelector('dialog[open]') !== null) element.hidePopover();
    if (!element.matches(':popover-open')) element.showPopover();
  }, [newest]);

  useEffect(() => {
    // The usual undo keys: without a mouse, Tab would take too long.
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
  /** The user is using it: its time starts again afterwards. */
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
          class="undo"
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
        <Icon name="x" />
      </button>
    </div>
  );
}
