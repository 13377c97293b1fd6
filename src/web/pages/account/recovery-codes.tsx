import { useState } from 'preact/hooks';
import { Modal } from '../../ui/forms/modal.tsx';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { dateText } from '../../ui/time-text.ts';

/** Recovery codes, shown once. Only an explicit action closes them. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const { username } = useProfile();
  const [status, setStatus] = useState('');
  const title = fill(text.factorDialogs.codesOf, {
    user: username,
    site: location.host,
    date: dateText(Date.now() / 1_000),
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      setStatus(text.copying.copied);
    } catch {
      // Browsers allow no copying on a page without TLS.
      setStatus(text.factorDialogs.notCopied);
    }
  };
  const download = () => {
    const address = URL.createObjectURL(
      new Blob([`${title}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }),
    );
    const link = Object.assign(document.createElement('a'), {
      href: address,
      download: `postern-recovery-codes-${username}.txt`,
    });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Modal
      title={text.methods.recoveryCodes}
      firm
      asks={() => {
        setStatus(text.factorDialogs.keepFirst);
        return true;
      }}
      onClose={onClose}
    >
      <p>
        {text.factorDialogs.codesMean} <strong>{text.factorDialogs.shownOnce}</strong>
      </p>
      <div class="recovery-codes">
        <p class="printed">{title}</p>
        <ol dir="ltr" aria-label={text.methods.recoveryCodes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div class="copy-actions">
        <button type="button" onClick={() => void copy()}>
          {text.copying.copy}
        </button>
        <button type="button" class="secondary outline" onClick={download}>
          {text.factorDialogs.download}
        </button>
        <button type="button" class="secondary outline" onClick={() => print()}>
          {text.factorDialogs.print}
        </button>
      </div>
      <p role="status" class={status === '' ? 'hidden-text' : 'notice'}>
        {status}
      </p>
      <footer class="dialog-buttons">
        <button type="button" class="quiet" autofocus onClick={onClose}>
          {text.factorDialogs.kept}
        </button>
      </footer>
    </Modal>
  );
}
