import type { ComponentChildren } from 'preact';
import { useMenu } from '../../ui/use-menu.ts';

/** Something that opens below its name, and closes by Escape and by a click beside it. */
export function Menu(props: {
  readonly name: string;
  /** What is chosen in it. */
  readonly value: string;
  readonly children: ComponentChildren;
}) {
  const menu = useMenu();
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
