import { RecorderPlace } from '../../ui/recorder/recorder-place.tsx';
import { SettingsFrame } from '../../ui/section.tsx';
import { text } from '../../text.ts';

/** The recorder behind Postern, and its address. */
export function RecorderPage() {
  return (
    <SettingsFrame page="recorder">
      <section class="first-step" aria-labelledby="recorder">
        <h1 id="recorder" tabIndex={-1}>
          {text.settings.recorder}
        </h1>
        <RecorderPlace id="recorder" />
      </section>
    </SettingsFrame>
  );
}
