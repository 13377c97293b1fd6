import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Something that opens below its name, and closes by Escape and by a click beside it. */
export function Menu(props: {
  readonly name: string;
  /** What is chosen in it. */
  readonly value: string;
  readonly children: ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => {
      if (menu.current) menu.current.open = false;
    };
    const onClick = (event: MouseEvent) => {
      if (!menu.current?.contains(event.target as Node)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || menu.current?.open !== true) return;
      close();
      menu.current.querySelector('summary')?.focus();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <details class="choice" ref={menu}>
      <summary>
        <span>
          <small>{props.name}</small>
          <span>{props.value}</span>
        </span>
      </summary>
      <div class="menu">{props.children}</div>
    </details>
  );
}
