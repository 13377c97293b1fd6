import { useState } from 'preact/hooks';
import { FormProblem } from '../../api-client.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { SettingForm, writeSetting } from '../../ui/settings/setting.tsx';
import { fill, text } from '../../text.ts';
import { typedOrigin } from './typed-origin.ts';

const words = text.general.address;

/** The address at which people open the site. */
export function AddressForm(props: { readonly current: string | null; readonly onSaved: () => void }) {
  const { current, onSaved } = props;
  const [address, setAddress] = useState(current ?? '');
  const save = async () => {
    const origin = typedOrigin(address);
    if (origin === undefined) throw new FormProblem(words.noAddress);
    await writeSetting('public_url', origin);
  };
  return (
    <SettingForm
      save={save}
      onSaved={onSaved}
      beside={
        address.trim() !== location.origin && (
          <button type="button" class="secondary" onClick={() => setAddress(location.origin)}>
            {fill(words.useThis, { address: location.host })}
          </button>
        )
      }
    >
      <Field
        {...asTyped}
        label={words.label}
        hint={words.hint}
        class="secret"
        inputMode="url"
        maxLength={256}
        placeholder="https://cameras.example.org"
        value={address}
        onInput={({ currentTarget }) => setAddress(currentTarget.value)}
      />
    </SettingForm>
  );
}
