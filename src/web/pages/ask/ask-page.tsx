import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { accessRequestsApi, bodyOf, codeIn, ApiFailure, type OwnAccessRequest } from '../../api-client.ts';
import { cameraText, cameraAddress } from '../../ui/cameras/camera-names.ts';
import { useAction } from '../../ui/forms/form-action.ts';
import { FailureNotice, LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { agoText } from '../../ui/time-text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { askingFor } from './asked.ts';

const texts = text.notifications;

const words = texts.ask;

const readOwn = () => bodyOf(accessRequestsApi.own.$get());

/** Asks the admins for a camera. */
export function AskPage() {
  const camera = useLocation().query['camera'] ?? '';
  const [state, reload] = useLoaded(readOwn);
  usePageTitle(camera === '' ? words.noCamera : fill(words.title, { camera: cameraText(camera) }));
  if (camera === '')
    return (
      <Message page title={words.noCamera}>
        <Home />
      </Message>
    );
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  return <Ask key={camera} camera={camera} first={state.value} />;
}

interface AskProps {
  readonly camera: string;
  /** The user's earlier requests. */
  readonly first: readonly OwnAccessRequest[];
}

function Ask({ camera, first }: AskProps) {
  const [own, setOwn] = useState(first);
  const { allowed_cameras: allowed, invited_by: inviter } = useProfile();
  const action = useAction();
  const now = Date.now() / 1000;
  const asking = askingFor(camera, allowed, own, now);
  const name = cameraText(camera);
  if (asking.kind === 'yours')
    return (
      <Message page title={fill(words.yours, { camera: name })}>
        <a href={cameraAddress(camera)}>{words.watch}</a>
      </Message>
    );
  const ask = () =>
    action.run(async () => {
      await bodyOf(accessRequestsApi.index.$post({ json: { camera } })).catch((error: unknown) => {
        // Another tab was faster.
        if (!(error instanceof ApiFailure) || codeIn(error.body) !== 'access_asked') throw error;
      });
      setOwn(await readOwn());
    });
  const isAsked = asking.kind === 'asked';
  const when = isAsked ? agoText(now - asking.at) : '';
  const mayAsk = !isAsked || asking.mayAgain;
  // Every admin sees it; the user knows the one who invited them.
  const who = inviter ?? words.anAdmin;
  return (
    <Message page title={isAsked ? fill(words.asked, { who }) : fill(words.title, { camera: name })}>
      <p role="status">
        {!isAsked
          ? fill(words.hint, { who })
          : fill(mayAsk ? words.notYet : words.askedHint, { camera: name, when })}
      </p>
      <FailureNotice error={action.failure} />
      {mayAsk && (
        <button type="button" disabled={action.busy} aria-busy={action.busy} onClick={ask}>
          {isAsked ? words.askAgain : inviter === undefined ? words.ask : fill(words.askWho, { who })}
        </button>
      )}
      <Home />
    </Message>
  );
}

function Home() {
  return <a href={gatePath('/')}>{text.actions.toStart}</a>;
}
