import { appearanceApi, bodyOf } from '../../api-client.ts';
import { FaceForm } from '../../ui/face-form.tsx';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { SettingsFrame } from '../../ui/section.tsx';
import { text } from '../../text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { withCode } from '../../ui/parts.tsx';

export function AppearancePage() {
  return (
    <SettingsFrame page="appearance">
      <Appearance />
    </SettingsFrame>
  );
}

function Appearance() {
  const words = text.appearance;
  const [state, reload] = useLoaded(() => bodyOf(appearanceApi.index.$get()));
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  return (
    <section aria-labelledby="appearance">
      <div class="title-row">
        <h1 id="appearance">{text.settings.appearance}</h1>
      </div>
      <p>{words.hint}</p>
      {/* The colour stands in the page's own HTML. */}
      <FaceForm face={state.value} submit={words.save} onSaved={() => location.reload()} />
      <p class="muted">{withCode(state.value.picture ? words.ownPicture : words.drawnPicture)}</p>
    </section>
  );
}
