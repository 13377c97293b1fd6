import { useState } from 'preact/hooks';
import { useAction } from '../forms/form-action.ts';
import { SettingFailure } from './setting.tsx';

/** A switch that is saved at once. If that fails, it goes back. */
export function SavedSwitch(props: {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  /** Saves it, and reports what others must know. */
  readonly save: (isOn: boolean) => Promise<void>;
}) {
  const { label, hint, save, disabled = false } = props;
  const [isOn, setOn] = useState(props.isOn);
  const { failure, busy, run } = useAction();
  const change = (next: boolean) =>
    run(async () => {
      setOn(next);
      try {
        await save(next);
      } catch (error) {
        setOn(!next);
        throw error;
      }
    });
  return (
    <>
      <label class="sw">
        <span>
          {label}
          <small>{hint}</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={disabled}
          aria-busy={busy}
          onChange={({ currentTarget }) => {
            // It shows what is saved.
            if (busy) currentTarget.checked = isOn;
            else change(currentTarget.checked);
          }}
        />
      </label>
      <SettingFailure error={failure} />
    </>
  );
}
