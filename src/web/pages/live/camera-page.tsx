import { useState } from 'preact/hooks';
import { cameraAddress, cameraText } from '../../ui/cameras/camera-names.ts';
import { ApiFailure, bodyOf, isRefused, liveApi, type LiveCamera } from '../../api-client.ts';
import { CameraDay } from './camera-day.tsx';
import { LiveView } from './live-view.tsx';
import { Icon } from '../../ui/drawings.tsx';
import { LoadFailure, Loading, Message, Refused } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useMay, useProfile } from '../../profile.ts';
import { ShareButton } from '../../ui/shares/share-button.tsx';
import { hasPictures } from '../../ui/page-marks.ts';
import { canSee } from '../../../language/fill.ts';
import { locale } from '../../locale.ts';
import { fill, text } from '../../text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';

/** One camera: live, and its day. */
export function CameraPage({ camera = '' }: { readonly camera?: string }) {
  usePageTitle(cameraText(camera));
  return <OneCamera key={camera} camera={camera} />;
}

function OneCamera({ camera }: { readonly camera: string }) {
  const [live, history] = [useMay('live'), useMay('history')];
  return !live && history ? <Shown camera={camera} live={undefined} /> : <AskedFor camera={camera} />;
}

/** The page asks even if it knows the answer: a refusal is a decision, which an admin can look up. */
function AskedFor({ camera }: { readonly camera: string }) {
  const live = useMay('live');
  const { allowed_cameras: cameras } = useProfile();
  const [state, reload] = useLoaded<LiveCamera>(() => bodyOf(liveApi[':camera'].$get({ param: { camera } })));
  if (state.kind === 'loading') return <Loading what={text.live.camera} />;
  if (state.kind === 'loaded') return <Shown camera={camera} live={state.value} />;
  const { error } = state;
  const seen = canSee(cameras.map(cameraText), text.refused, locale);
  if (isRefused(error) && !live) return <Refused error={error} title={text.may.notLive} />;
  if (isRefused(error))
    return (
      <Refused error={error} title={fill(text.refused.notYours, { camera: cameraText(camera) })}>
        {seen !== undefined && <p>{seen}</p>}
      </Refused>
    );
  if (error instanceof ApiFailure && error.status === 404)
    return (
      <Message title={text.live.noSuchCamera} page alert>
        <a href={gatePath('/')}>{text.live.back}</a>
      </Message>
    );
  return <LoadFailure what={text.live.camera} error={error} onRetry={reload} />;
}

interface ShownProps {
  readonly camera: string;
  /** Absent for a role without live pictures. */
  readonly live: LiveCamera | undefined;
}

function Shown({ camera, live }: ShownProps) {
  const { allowed_cameras: cameras } = useProfile();
  const at = cameras.indexOf(camera);
  return (
    <>
      <div class="title-row of-camera">
        <h1 dir="auto">{cameraText(camera)}</h1>
        <ShareButton target={{ kind: 'camera', camera }} label={text.live.share}>
          {text.events.share}
        </ShareButton>
        <nav class="beside" aria-label={text.home.cameras}>
          <Beside camera={cameras[at - 1]} sign="left" label={text.live.previous} />
          <Beside camera={at === -1 ? undefined : cameras[at + 1]} sign="right" label={text.live.next} />
        </nav>
      </div>
      <CameraDay camera={camera}>
        {!hasPictures ? (
          <Message title={text.home.noPicture}>
            <p>{text.home.noRecorder}</p>
          </Message>
        ) : live === undefined ? (
          <p class="blank">{text.day.notLive}</p>
        ) : (
          <Watch {...live} />
        )}
      </CameraDay>
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
    </LiveView>
  );
}

interface BesideProps {
  readonly camera: string | undefined;
  readonly sign: 'left' | 'right';
  /** With `{camera}`. */
  readonly label: string;
}

/** The link to the previous or next camera; nothing at the end. */
function Beside({ camera, sign, label }: BesideProps) {
  if (camera === undefined) return null;
  return (
    <a href={cameraAddress(camera)} aria-label={fill(label, { camera: cameraText(camera) })}>
      <Icon name={sign} />
    </a>
  );
}
