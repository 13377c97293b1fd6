import type { ComponentChildren } from 'preact';
import { useMenu } from '../../ui/page-hooks.ts';

/** A menu that opens below its name; Escape or a click outside closes it. */
export function Menu(props: {
  readonly name: string;
  /** The current choice. */
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
