import { AttentionList, useAttention } from './attention-list.tsx';
import { NewestEvents } from '../../ui/events/newest-events.tsx';
import { hasPictures } from '../../ui/page-marks.ts';
import { Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useMay, useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { WatchingNow } from '../../ui/sessions/watching-now.tsx';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { CameraWall, RecorderAway } from '../../ui/wall/camera-wall.tsx';

/** The cameras, and what happened last. */
export function HomePage() {
  usePageTitle(text.home.title);
  const { role, allowed_cameras: cameras } = useProfile();
  const [live, history] = [useMay('live'), useMay('history')];
  const attention = useAttention();
  return (
    <div class="home">
      <h1 class="hidden-text">{text.home.title}</h1>
      {attention !== undefined && (
        <>
          <AttentionList found={attention} />
          <Cameras awaySince={awaySince(attention)} />
          {history && (live || cameras.length > 0) && (
            <div class="below">
              <NewestEvents cameras={cameras} />
              {role === 'admin' && <WatchingNow />}
            </div>
          )}
        </>
      )}
    </div>
  );
}

function awaySince(attention: NonNullable<ReturnType<typeof useAttention>>): number | null | undefined {
  const away = attention.find(({ kind }) => kind === 'recorder_away');
  if (away === undefined) return undefined;
  const { since } = away.detail;
  return typeof since === 'number' ? since : null;
}

function Cameras({ awaySince: since }: { readonly awaySince: number | null | undefined }) {
  const { role, allowed_cameras: cameras } = useProfile();
  const [live, history] = [useMay('live'), useMay('history')];
  if (cameras.length > 0 && live) {
    return (
      <>
        {!hasPictures && <p class="no-recorder">{text.home.noRecorder}</p>}
        <CameraWall cameras={cameras} awaySince={since} />
      </>
    );
  }
  if (cameras.length > 0)
    return history ? <p class="no-recorder">{text.may.notLive}</p> : <Message title={text.may.neither} />;
  if (since !== undefined) return <RecorderAway since={since ?? 0} onCheck={() => location.reload()} />;
  return (
    <Message title={role === 'admin' ? text.home.noCameras : text.home.noCamerasForYou}>
      <p>{role === 'admin' ? text.home.noCamerasAdmin : text.home.noCamerasGranted}</p>
      {role === 'admin' && (
        <a class="button" href={gatePath('/first-run?step=recorder')}>
          {text.home.connect}
        </a>
      )}
    </Message>
  );
}
