import { useState } from 'preact/hooks';
import { bodyOf, liveApi, type LiveCamera } from '../../api-client.ts';
import { nameText } from '../../ui/event-text.ts';
import { liveAddress } from '../../ui/cameras/live-address.ts';
import { LiveView } from './live-view.tsx';
import { NewestEvents } from '../../ui/events/newest-events.tsx';
import { LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { ShareButton } from '../../ui/shares/share-button.tsx';
import { hasRecorder } from '../../ui/has-recorder.ts';
import { text } from '../../text.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';

/** One camera, live. */
export function LivePage({ camera = '' }: { readonly camera?: string }) {
  usePageTitle(nameText(camera));
  const [state, reload] = useLoaded<readonly LiveCamera[]>(() => bodyOf(liveApi.index.$get()));
  if (state.kind === 'loading') return <Loading what={text.live.camera} />;
  if (state.kind === 'failed')
    return <LoadFailure what={text.live.camera} error={state.error} onRetry={reload} />;
  const at = state.value.findIndex((known) => known.camera === camera);
  const found = state.value[at];
  if (found === undefined) {
    return (
      <Message title={text.live.noCamera} page>
        <a href={gatePath('/')}>{text.live.back}</a>
      </Message>
    );
  }
  return (
    <>
      <div class="title-row">
        <h1 dir="auto">{nameText(camera)}</h1>
        <nav class="beside" aria-label={text.home.cameras}>
          <Beside camera={state.value[at - 1]?.camera} sign="‹" labelFor={text.live.previous} />
          <a href={gatePath('/')}>{text.live.back}</a>
          <Beside camera={state.value[at + 1]?.camera} sign="›" labelFor={text.live.next} />
        </nav>
      </div>
      {hasRecorder ? (
        <Watch key={camera} {...found} />
      ) : (
        <Message title={text.home.noPicture}>
          <p>{text.home.noRecorder}</p>
        </Message>
      )}
      <NewestEvents key={`events-${camera}`} cameras={[camera]} of={camera} />
    </>
  );
}

function Watch({ camera, streams }: LiveCamera) {
  const [stream, setStream] = useState(streams[0] ?? '');
  return (
    <LiveView key={stream} camera={camera} stream={stream}>
      {streams.length > 1 && (
        <label>
          <span class="hidden-text">{text.live.stream}</span>
          <select value={stream} onChange={(event) => setStream(event.currentTarget.value)}>
            {streams.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <ShareButton target={{ kind: 'camera', camera }}>{text.live.share}</ShareButton>
    </LiveView>
  );
}

interface BesideProps {
  readonly camera: string | undefined;
  readonly sign: string;
  readonly labelFor: (camera: string) => string;
}

/** The link to the previous or next camera; nothing at the end. */
function Beside({ camera, sign, labelFor }: BesideProps) {
  if (camera === undefined) return null;
  return (
    <a href={liveAddress(camera)} aria-label={labelFor(nameText(camera))}>
      {sign}
    </a>
  );
}
