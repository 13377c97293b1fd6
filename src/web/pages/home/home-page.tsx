import { AttentionList, useAttention } from './attention-list.tsx';
import { CameraTiles } from '../../ui/cameras/camera-tiles.tsx';
import { NewestEvents } from '../../ui/events/newest-events.tsx';
import { Message } from '../../ui/notices.tsx';
import { useProfile } from '../../profile.ts';
import { hasRecorder } from '../../ui/has-recorder.ts';
import { text } from '../../text.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';

/** The cameras, and the latest events. */
export function HomePage() {
  usePageTitle(text.home.title);
  const { role, allowed_cameras: cameras } = useProfile();
  const attention = useAttention();
  return (
    <>
      <h1>{text.home.title}</h1>
      {attention !== undefined && (
        <>
          <AttentionList found={attention} />
          {cameras.length === 0 ? (
            <Message title={text.home.noCameras}>
              <p>{role === 'admin' ? text.home.noCamerasAdmin : text.home.noCamerasGranted}</p>
            </Message>
          ) : (
            <>
              {!hasRecorder && <p class="no-recorder">{text.home.noRecorder}</p>}
              <CameraTiles cameras={cameras} />
            </>
          )}
          <NewestEvents cameras={cameras} />
        </>
      )}
    </>
  );
}
