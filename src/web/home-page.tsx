import { useLocation } from 'preact-iso';
import { AttentionList, useAttention } from './attention-list.tsx';
import { CameraTiles } from './camera-tiles.tsx';
import { LivePage } from './lazy-pages.tsx';
import { NewestEvents } from './newest-events.tsx';
import { Message } from './notices.tsx';
import { useProfile } from './profile.ts';
import { hasSharedPages } from './shared-pages.ts';
import { text } from './text.ts';
import { usePageTitle } from './use-page-title.ts';

/** What there is to see now: the cameras, and what happened last. */
export function HomePage() {
  const watched = useLocation().query['live'];
  // Behind a front of the first edition a camera has no address of its own.
  return watched === undefined ? <Home /> : <LivePage camera={watched} />;
}

function Home() {
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
              {hasSharedPages && <p class="no-recorder">{text.home.noRecorder}</p>}
              <CameraTiles cameras={cameras} />
            </>
          )}
          <NewestEvents cameras={cameras} />
        </>
      )}
    </>
  );
}
