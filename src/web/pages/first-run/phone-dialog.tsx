import { gatePath } from '../../path-prefix.ts';
import { fill, text } from '../../text.ts';
import { Modal } from '../../ui/forms/modal.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { Loading } from '../../ui/notices.tsx';
import { houseName } from '../../ui/page-marks.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { readSetting } from '../../ui/settings/setting.tsx';
import { isOfThisComputer, siteAddress } from '../../ui/site-address.ts';

const words = text.firstRun.phone;

/** Without a session, as behind a proxy that signs people in, no settings can be read. */
const readAddress = async () => {
  const setting = await readSetting<string>('public_url').catch(() => undefined);
  return siteAddress(setting?.value ?? null, location.origin);
};

/** How Home gets on a phone's Home Screen. A phone that shows this needs no code to scan. */
export function PhoneDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal title={words.title} onClose={onClose}>
      <div class="by-mouse phone-code">
        <PhoneCode />
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

function PhoneCode() {
  const [state] = useLoaded(readAddress);
  if (state.kind !== 'loaded') return <Loading what={words.what} />;
  const address = state.value;
  if (isOfThisComputer(address))
    return (
      <p class="notice">
        {fill(words.notHere, { address: address.host })}{' '}
        <a href={gatePath('/settings/general')}>{words.setAddress}</a>
      </p>
    );
  return (
    <>
      <p>{words.scan}</p>
      <QrCode value={new URL(gatePath('/'), address).href} label={words.qr} />
    </>
  );
}
