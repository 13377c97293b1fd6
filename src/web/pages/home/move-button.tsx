import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';

/** What is lost is read with each first press, since it changes. */
const load = async () => {
  const { MoveCamera, readLost } = await import('./move-camera.tsx');
  return { MoveCamera, found: await readLost() };
};

interface MoveButtonProps {
  readonly camera: string;
  readonly label: string;
  readonly onMoved: () => void;
}

/** Opens the dialog that moves everything to the new name of a camera. */
export function MoveButton({ camera, label, onMoved }: MoveButtonProps) {
  const [isOpen, open, close] = useDialog<true>('move-camera');
  const loaded = useLater(load, isOpen === true, close);
  const lost = loaded?.found.lost.find((found) => found.camera === camera);
  return (
    <>
      <button type="button" onClick={() => open(true)}>
        {label}
      </button>
      {isOpen && loaded !== undefined && lost !== undefined && (
        <loaded.MoveCamera lost={lost} cameras={loaded.found.cameras} onClose={close} onDone={onMoved} />
      )}
    </>
  );
}
