import { gatePath } from '../../path-prefix.ts';
import { useMay } from '../../profile.ts';
import { text } from '../../text.ts';
import { Icon } from '../drawings.tsx';
import { useLater } from '../forms/use-dialog.ts';
import { hasPictures, isOn, longestShare } from '../page-marks.ts';

const loadPerson = async () => (await import('./add-person.tsx')).AddPerson;
const loadSharing = async () => (await import('../shares/sharing.tsx')).Sharing;

/** A person, a screen, a link. */
export function AddMenu({ choose }: { readonly choose: (next: 'person' | 'link') => void }) {
  const words = text.add;
  const maySee = useMay('history');
  const mayShare = useMay('share') && maySee && longestShare > 0 && hasPictures;
  return (
    <div class="menu">
      <button type="button" onClick={() => choose('person')}>
        <Icon name="person" />
        <span>
          {words.person}
          <small>{words.personHint}</small>
        </span>
      </button>
      {isOn('displays') && (
        <a href={gatePath('/pair')}>
          <Icon name="screen" />
          <span>
            {words.screen}
            <small>{words.screenHint}</small>
          </span>
        </a>
      )}
      {mayShare && (
        <button type="button" onClick={() => choose('link')}>
          <Icon name="link" />
          <span>
            {words.link}
            <small>{words.linkHint}</small>
          </span>
        </button>
      )}
    </div>
  );
}

interface AddDialogProps {
  readonly kind: 'person' | 'link' | undefined;
  readonly close: () => void;
}

/** Stands beside the menu: a closed menu hides what is in it. */
export function AddDialog({ kind, close }: AddDialogProps) {
  const AddPerson = useLater(loadPerson, kind === 'person', close);
  const Sharing = useLater(loadSharing, kind === 'link', close);
  if (kind === 'person') return AddPerson === undefined ? null : <AddPerson onClose={close} />;
  if (kind === undefined || Sharing === undefined) return null;
  return <Sharing target={{ kind: 'camera', camera: undefined }} onClose={close} />;
}
