import type { ComponentChildren } from 'preact';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { Panes } from '../../ui/roles/capabilities.tsx';
import { noPanes } from '../../ui/roles/role-access.ts';
import { CellPanel } from './cell-panel.tsx';
import type { MatrixEntry } from './access-rows.ts';
import { panesText } from './access-text.ts';
import { fill, text } from '../../text.ts';

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

/** What someone may do with a camera, where the panel itself changes nothing. */
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
