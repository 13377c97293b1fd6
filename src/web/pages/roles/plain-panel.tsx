import { access as words } from '#language/access';
import type { ComponentChildren } from 'preact';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { Panes } from '../../ui/roles/panes.tsx';
import { noPanes } from '../../ui/roles/role-access.ts';
import { CellPanel } from './cell-panel.tsx';
import type { MatrixEntry } from './access-rows.ts';
import { panesText } from './access-text.ts';

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
  const title = words.panel.title(entry.name, cameraText(camera));
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
