import { useEffect, useId, useState } from 'preact/hooks';
import { FormProblem } from '../../api-client.ts';
import { timeOf } from '../../../language/fill.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { SettingForm, writeSetting } from '../../ui/settings/setting.tsx';
import { browserZone } from '../../ui/time-text.ts';
import { fill, language, text } from '../../text.ts';

const words = text.general.zone;
const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];

/** The time zone of the house, which the browser searches as it is typed, and the time there. */
export function ZoneForm({ current, onSaved }: { readonly current: string; readonly onSaved: () => void }) {
  const [zone, setZone] = useState(current);
  const list = useId();
  const clock = useClock(zone.trim());
  const save = async () => {
    if (clock === undefined) throw new FormProblem(words.unknown);
    await writeSetting('timezone', zone.trim());
  };
  return (
    <SettingForm
      save={save}
      onSaved={onSaved}
      beside={
        zone.trim() !== browserZone() && (
          <button type="button" class="secondary" onClick={() => setZone(browserZone())}>
            {fill(words.ofBrowser, { zone: browserZone() })}
          </button>
        )
      }
    >
      <Field
        {...asTyped}
        label={words.label}
        hint={clock === undefined ? words.search : fill(words.now, { clock })}
        list={list}
        maxLength={64}
        value={zone}
        onInput={({ currentTarget }) => setZone(currentTarget.value)}
        required
      />
      <datalist id={list}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </SettingForm>
  );
}

// Milliseconds.
const moment = 5_000;

/** @returns the time in a zone, kept up to date; `undefined` if there is no such zone */
function useClock(zone: string): string | undefined {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), moment);
    return () => clearInterval(timer);
  }, []);
  // Offsets have no daylight saving time: Postern wants a name.
  if (!/^[a-z]/i.test(zone)) return undefined;
  try {
    return timeOf(Date.now(), zone, language);
  } catch {
    return undefined;
  }
}
