import { useState } from 'preact/hooks';
import { FormProblem } from '../../api-client.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { SaveButtons, SettingFailure, writeSetting } from '../../ui/settings/setting.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { fill, text } from '../../text.ts';
import { typedOrigin } from './typed-origin.ts';

const words = text.general.address;

/** The address at which people open the site. */
export function AddressForm(props: { readonly current: string | null; readonly onSaved: () => void }) {
  const { current, onSaved } = props;
  const action = useAction();
  const [address, setAddress] = useState(current ?? '');
  const save = async () => {
    const origin = typedOrigin(address);
    if (origin === undefined) throw new FormProblem(words.noAddress);
    await writeSetting('public_url', origin);
    showToast(text.keptSettings.saved);
    onSaved();
  };
  return (
    <Form
      action={action}
      onSubmit={save}
      submit={undefined}
      notice={<SettingFailure error={action.failure} />}
      below={
        <SaveButtons isBusy={action.busy}>
          {address.trim() !== location.origin && (
            <button type="button" class="secondary" onClick={() => setAddress(location.origin)}>
              {fill(words.useThis, { address: location.host })}
            </button>
          )}
        </SaveButtons>
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
    </Form>
  );
}
