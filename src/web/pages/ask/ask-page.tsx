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
  const { allowed_cameras: allowed, invited_by: who } = useProfile();
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
  const told = who === undefined ? toAdmins(name, when) : toWhoInvited(who, name, when);
  return (
    <Message page title={isAsked ? told.asked : fill(words.title, { camera: name })}>
      <p role="status">{!isAsked ? told.hint : mayAsk ? told.notYet : told.askedHint}</p>
      <FailureNotice error={action.failure} />
      {mayAsk && (
        <button type="button" disabled={action.busy} aria-busy={action.busy} onClick={ask}>
          {isAsked ? words.askAgain : told.ask}
        </button>
      )}
      <Home />
    </Message>
  );
}

function toAdmins(camera: string, when: string) {
  return {
    hint: words.hint,
    ask: words.ask,
    asked: fill(words.asked, { camera }),
    askedHint: fill(words.askedHint, { when }),
    notYet: fill(words.notYet, { when }),
  };
}

/** Every admin sees the request; the user knows the one who invited them. */
function toWhoInvited(who: string, camera: string, when: string) {
  const { named } = words;
  return {
    hint: fill(named.hint, { who }),
    ask: fill(named.ask, { who }),
    asked: fill(named.asked, { who }),
    askedHint: fill(named.askedHint, { camera, when }),
    notYet: fill(named.notYet, { camera, when }),
  };
}

function Home() {
  return <a href={gatePath('/')}>{text.actions.toStart}</a>;
}
