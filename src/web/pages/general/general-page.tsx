import { bodyOf, versionApi } from '../../api-client.ts';
import { hasFactor, readSignInMethods, type SignInMethods } from '../../ui/sign-in/factors-api.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { SettingsFrame } from '../../ui/section.tsx';
import { SavedSwitch } from '../../ui/settings/saved-switch.tsx';
import { readSetting, ReadOnlyNote, writeSetting } from '../../ui/settings/setting.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { gatePath } from '../../path-prefix.ts';
import { text } from '../../text.ts';
import { AddressForm } from './address-form.tsx';
import { ZoneForm } from './zone-form.tsx';

const words = text.general;

/** Time zone, address, second factor of admins, and whether viewing is recorded. */
export function GeneralPage() {
  return (
    <SettingsFrame page="general">
      <General />
    </SettingsFrame>
  );
}

/** The section `auth.second_factor`. */
interface SecondFactor {
  readonly required_for?: readonly string[];
}

async function loadGeneral() {
  const [zone, address, factor, viewing, { timezone }, methods] = await Promise.all([
    readSetting<string>('timezone'),
    readSetting<string>('public_url'),
    readSetting<SecondFactor>('auth.second_factor'),
    readSetting<boolean | 'required'>('audit.viewing'),
    bodyOf(versionApi.index.$get()),
    // A proxy in front may sign users in.
    readSignInMethods().catch(() => undefined),
  ]);
  return { zone, address, factor, viewing, timezone, methods };
}

function General() {
  const [state, reload] = useLoaded(loadGeneral);
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const { zone, address, factor, viewing, timezone, methods } = state.value;
  return (
    <section class="kept" aria-labelledby="general">
      <h1 id="general">{text.settings.general}</h1>
      <ReadOnlyNote setting={zone} />
      <section aria-labelledby="zone">
        <h2 id="zone">{words.zone.title}</h2>
        <div class="card">
          <ZoneForm key={timezone} current={zone.value ?? timezone} onSaved={reload} />
        </div>
      </section>
      <section aria-labelledby="address">
        <h2 id="address">{words.address.title}</h2>
        <div class="card">
          <AddressForm key={address.value} current={address.value} onSaved={reload} />
        </div>
      </section>
      {methods !== undefined && (
        <section aria-labelledby="factor">
          <h2 id="factor">{words.factor.title}</h2>
          <div class="card">
            <FactorSwitch factor={factor.value ?? {}} methods={methods} />
          </div>
        </section>
      )}
      <section aria-labelledby="viewing">
        <h2 id="viewing">{words.viewing.title}</h2>
        <div class="card">
          <SavedSwitch
            label={words.viewing.label}
            hint={words.viewing.hint}
            isOn={viewing.value === true || viewing.value === 'required'}
            save={(isOn) => writeSetting('audit.viewing', isOn)}
          />
          <p>{words.viewing.law}</p>
          <p>
            <a href={gatePath('/watched')}>{words.viewing.see}</a>
          </p>
        </div>
      </section>
    </section>
  );
}

/** An admin without a second factor would be shut out of everything but the own account: that comes first. */
function FactorSwitch(props: { readonly factor: SecondFactor; readonly methods: SignInMethods }) {
  const { factor, methods } = props;
  const isRequired = factor.required_for?.includes('admin') === true;
  const mustAddFirst = !isRequired && methods.provider === null && !hasFactor(methods);
  const save = async (isOn: boolean) => {
    const { value } = await readSetting<SecondFactor>('auth.second_factor');
    const others = (value?.required_for ?? []).filter((role) => role !== 'admin');
    await writeSetting('auth.second_factor', { required_for: isOn ? [...others, 'admin'] : others });
  };
  return (
    <>
      <SavedSwitch
        label={words.factor.label}
        hint={words.factor.hint}
        isOn={isRequired}
        disabled={mustAddFirst}
        save={save}
      />
      {mustAddFirst && (
        <p>
          {words.factor.first} <a href={gatePath('/account')}>{words.factor.add}</a>
        </p>
      )}
    </>
  );
}
