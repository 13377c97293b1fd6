import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { text, fill } from '../../text.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { Panes } from '../../ui/roles/capabilities.tsx';
import { noPanes } from '../../ui/roles/role-access.ts';
import type { MatrixEntry } from './access-rows.ts';
import { panesText } from './access-text.ts';

interface CellPanelProps {
  readonly title: string;
  readonly about: string;
  readonly busy?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A panel beside the matrix, and a sheet over it on a phone: the matrix stays in use, and Escape closes it. */
export function CellPanel({ title, about, busy = false, onClose, children }: CellPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    panel.current?.querySelector<HTMLElement>('[autofocus]')?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
    return () => {
      const inside = panel.current?.contains(document.activeElement) === true;
      if (inside && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <div
      ref={panel}
      class="cell-panel"
      role="dialog"
      aria-labelledby={heading}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || busy) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <div>
          <h2 id={heading}>{title}</h2>
          <p class="muted">{about}</p>
        </div>
        <button
          type="button"
          class="close quiet icon"
          aria-label={text.actions.close}
          disabled={busy}
          onClick={onClose}
        >
          ✕
        </button>
      </header>
      {children}
    </div>
  );
}

const words = text.access;

interface PlainPanelProps {
  readonly entry: MatrixEntry;
  readonly camera: string;
  /** Why, in a sentence. */
  readonly why: string;
  /** Links to where it can be changed. */
  readonly links: ComponentChildren;
  readonly onClose: () => void;
}

/** Shows what someone may do with a camera, where nothing can be changed. */
export function PlainPanel({ entry, camera, why, links, onClose }: PlainPanelProps) {
  const states = entry.panes.get(camera);
  const title = fill(words.panel.title, { role: entry.name, camera: cameraText(camera) });
  return (
    <CellPanel title={title} about={panesText(states)} onClose={onClose}>
      <div class="panel-switches">
        <Panes states={states ?? noPanes} large />
        <p>{why}</p>
      </div>
      <footer class="dialog-buttons">{links}</footer>
    </CellPanel>
  );
}
