import { ShownOnce } from '../shown-once.tsx';
import type { MadeShare } from './share-form.tsx';
import { fill, text } from '../../text.ts';
import { timeText } from '../time-text.ts';

/** The new link. */
export function ShareLink({ made, onClose }: { readonly made: MadeShare; readonly onClose: () => void }) {
  const words = text.shares;
  // Opens the phone's share menu.
  const send = () => void navigator.share({ url: made.url }).catch(() => undefined);
  return (
    <ShownOnce
      title={words.made}
      label={words.link}
      value={made.url}
      rows={4}
      below={
        <>
          {fill(words.needsNoAccount, { until: timeText(made.expiresAt) })}{' '}
          {made.hasPassword && words.withPassword} {words.endIt}
        </>
      }
      actions={
        'share' in navigator && (
          <button type="button" class="outline" onClick={send}>
            {words.send}
          </button>
        )
      }
      done={words.done}
      onClose={onClose}
    >
      {words.copyNow} <strong>{words.notShownAgain}</strong>
    </ShownOnce>
  );
}
