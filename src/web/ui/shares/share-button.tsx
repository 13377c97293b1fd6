import type { ComponentChildren } from 'preact';
import type { ShareTarget } from './sharing.tsx';
import { longestShare, hasPictures } from '../page-marks.ts';
import { useMay } from '../../profile.ts';
import { useDialog, useLater } from '../forms/use-dialog.ts';

const load = () => import('./sharing.tsx');

interface ShareButtonProps {
  readonly target: ShareTarget;
  /** Says more than the button shows. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Opens the dialog for a share link; absent when there is nothing to share, or sharing is not allowed. */
export function ShareButton({ target, label, children }: ShareButtonProps) {
  const [isOpen, open, close] = useDialog<true>('share');
  const sharing = useLater(load, isOpen === true, close);
  const maySee = useMay(target.kind === 'export' ? 'export' : 'history');
  const mayShare = useMay('share');
  if (longestShare === 0 || !hasPictures || !maySee || !mayShare) return null;
  return (
    <>
      <button type="button" class="secondary outline" aria-label={label} onClick={() => open(true)}>
        {children}
      </button>
      {isOpen && sharing !== undefined && <sharing.Sharing target={target} onClose={close} />}
    </>
  );
}
