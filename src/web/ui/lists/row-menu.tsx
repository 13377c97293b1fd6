import type { ComponentProps } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../drawings.tsx';

/** Something that can be done to a row. */
export interface RowAction extends Omit<ComponentProps<'button'>, 'label' | 'role' | 'disabled'> {
  /** The action with the name of the row. */
  readonly label: string;
  readonly name: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

// Pixels between the button and its menu, and around the menu.
const gap = 4;

/** Actions on a row, behind a button with three dots. */
export function RowMenu(props: {
  readonly label: string;
  readonly actions: readonly RowAction[];
  /** Why some of them are disabled. */
  readonly reason?: string | undefined;
}) {
  const { label, actions, reason } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const reasonId = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  useLayoutEffect(() => {
    if (!isOpen || menu.current === null || button.current === null) return;
    place(menu.current, button.current.getBoundingClientRect());
    items()[0]?.focus({ preventScroll: true });
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const shut = () => setOpen(false);
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || (!menu.current?.contains(target) && !button.current?.contains(target)))
        shut();
    };
    document.addEventListener('pointerdown', onPress);
    addEventListener('scroll', shut, { capture: true, passive: true });
    addEventListener('resize', shut);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      removeEventListener('scroll', shut, { capture: true });
      removeEventListener('resize', shut);
    };
  }, [isOpen]);
  const onKey = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const target = targets[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') return setOpen(false);
    else if (target !== undefined) all.at(target % all.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet icon"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div ref={menu} class="menu row-menu" role="menu" aria-label={label} onKeyDown={onKey}>
          {actions.map(({ label: whole, name, danger = false, disabled = false, onClick }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={danger ? 'danger' : undefined}
              aria-label={whole}
              aria-disabled={disabled}
              aria-describedby={disabled && reason !== undefined ? reasonId : undefined}
              onClick={(event) => {
                if (disabled) return;
                // The button has the focus before a dialog opens, and so gets it back.
                close();
                onClick?.(event);
              }}
            >
              {name}
            </button>
          ))}
          {reason !== undefined && (
            <p id={reasonId} class="row-menu-reason">
              {reason}
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** Below the button, or above it where there is no room. */
function place({ style, offsetWidth: width, offsetHeight: height }: HTMLElement, button: DOMRect): void {
  const isRightToLeft = document.documentElement.dir === 'rtl';
  const left = isRightToLeft ? button.left : button.right - width;
  const below = button.bottom + gap;
  const top = below + height + gap > innerHeight ? button.top - gap - height : below;
  style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
  style.top = `${Math.max(gap, top)}px`;
}
