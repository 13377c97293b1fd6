import { appearanceApi, bodyOf, firstRunApi } from '../../api-client.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import type { StepProps } from './step-props.ts';
import { text } from '../../text.ts';
import { useAction } from '../../ui/forms/form-action.ts';
import { useLoaded } from '../../ui/loading.ts';

const firstRun = text.firstRun;

async function load() {
  const [face, { FaceForm }] = await Promise.all([
    bodyOf(appearanceApi.index.$get()),
    import('../../ui/face-form.tsx'),
  ]);
  return { face, FaceForm };
}

/** Name and colour of the house. Who keeps those of Postern is not asked again. */
export function FaceStep({ onDone }: StepProps) {
  const words = text.appearance;
  const [state, reload] = useLoaded(load);
  const { busy, run } = useAction();
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const { face, FaceForm } = state.value;
  const keep = async () => {
    await bodyOf(firstRunApi.index.$post({ json: { fact: 'face' } }));
    onDone();
  };
  return (
    <>
      <p class="lead">{words.hint}</p>
      <FaceForm
        face={face}
        submit={firstRun.saveFace}
        onSaved={() => {
          onDone();
          // The colour stands in the page's own HTML.
          location.reload();
        }}
        beside={
          <button type="button" class="quiet" aria-busy={busy} onClick={() => run(keep)}>
            {firstRun.keepFace}
          </button>
        }
      />
    </>
  );
}
