import { useRef, useState } from 'preact/hooks';
import { cameraText } from '../cameras/camera-names.ts';
import { LoadFailure, Loading } from '../notices.tsx';
import { Modal } from '../forms/modal.tsx';
import { MakeShare, type MadeShare, type ShareTarget } from './share-form.tsx';
import { ShareLink } from './share-link.tsx';
import { hasRecorder } from '../has-recorder.ts';
import { readExports } from './shares-api.ts';
import { text } from '../../text.ts';
import { momentText } from '../time-text.ts';
import { showToast } from '../toasts.tsx';
import { useLoaded } from '../use-loaded.ts';

interface SharingProps<Target> {
  readonly target: Target;
  readonly onClose: () => void;
  /** The link was shown. */
  readonly onMade?: (id: string) => void;
}

/** Creates a share, and shows its link. */
export function Sharing({ target, onClose, onMade }: SharingProps<ShareTarget>) {
  const made = useRef<MadeShare | undefined>(undefined);
  const [shown, show] = useState<MadeShare>();
  if (shown !== undefined) {
    const close = () => {
      onClose();
      showToast(text.shares.isMade);
      onMade?.(shown.id);
    };
    return <ShareLink made={shown} onClose={close} />;
  }
  return (
    <MakeShare
      target={target}
      onClose={() => (made.current === undefined ? onClose() : show(made.current))}
      onDone={(done) => (made.current = done)}
    />
  );
}

/** Shares one of the recorder's exports. */
export function SharingExport(props: Omit<SharingProps<never>, 'target'>) {
  const words = text.shares;
  const [state, reload] = useLoaded(async () => (hasRecorder ? readExports() : []));
  if (state.kind === 'loaded' && state.value.length > 0) {
    const choice = state.value.map(
      ({ id, name, camera, date }) =>
        [id, `${name} · ${cameraText(camera)} · ${momentText(date, true)}`] as const,
    );
    return <Sharing target={{ kind: 'export', choice }} {...props} />;
  }
  return (
    <Modal title={words.shareExport} onClose={props.onClose}>
      {state.kind === 'loading' && <Loading what={words.exports} />}
      {state.kind === 'failed' && <LoadFailure what={words.exports} error={state.error} onRetry={reload} />}
      {state.kind === 'loaded' && <p>{hasRecorder ? words.noExports : words.noRecorder}</p>}
    </Modal>
  );
}
