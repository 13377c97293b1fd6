import { fill, text } from '../../text.ts';
import { Modal } from '../../ui/forms/modal.tsx';
import { houseName } from '../../ui/page-marks.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { gatePath } from '../../path-prefix.ts';

const words = text.firstRun.phone;

/** How Home gets on a phone's Home Screen. A phone that shows this needs no code to scan. */
export function PhoneDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal title={words.title} onClose={onClose}>
      <div class="by-mouse phone-code">
        <p>{words.scan}</p>
        <QrCode value={new URL(gatePath('/'), location.href).href} label={words.qr} />
      </div>
      <p class="by-touch">{fill(words.here, { house: houseName })}</p>
      <dl class="facts">
        <dt>{words.iPhone}</dt>
        <dd>{words.iPhoneHow}</dd>
        <dt>{words.android}</dt>
        <dd>{words.androidHow}</dd>
      </dl>
    </Modal>
  );
}
