import { useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { Icon } from '../drawings.tsx';
import { useDialog, useLater } from '../forms/use-dialog.ts';
import { useMenu } from '../page-hooks.ts';

const load = () => import('./add-menu.tsx');

/** One button for everything that lets someone see cameras. */
export function AddButton() {
  const menu = useMenu();
  const [dialog, open, close] = useDialog<'person' | 'link'>('add');
  const [isOpened, setOpened] = useState(false);
  const part = useLater(load, isOpened || dialog !== undefined, close);
  const choose = (next: 'person' | 'link') => {
    if (menu.current === null) return;
    menu.current.open = false;
    // A dialog gives the focus back to what had it.
    menu.current.querySelector('summary')?.focus();
    open(next);
  };
  return (
    <>
      <details class="add" ref={menu} onToggle={() => setOpened(true)}>
        <summary role="button">
          <Icon name="plus" />
          {text.add.add}
        </summary>
        {part && <part.AddMenu choose={choose} />}
      </details>
      {part && <part.AddDialog kind={dialog} close={close} />}
    </>
  );
}
