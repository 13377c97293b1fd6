import { useEffect, useState, useId, useRef } from 'preact/hooks';
import { NewestEvents } from '../../ui/events/newest-events.tsx';
import { hasPictures, hasRecorder } from '../../ui/page-marks.ts';
import { AccessEnd, Message, PageLoading } from '../../ui/notices.tsx';
import { OpenRecorder } from '../../ui/open-recorder.tsx';
import { gatePath, pageOf } from '../../path-prefix.ts';
import { useMay, useProfile } from '../../profile.ts';
import { text, fill } from '../../text.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { MoveButton } from './move-button.tsx';
import { CameraWall, RecorderAway } from '../../ui/wall/camera-wall.tsx';
import { accessRequestsApi, attentionApi, bodyOf, type Attention } from '../../api-client.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { attentionText } from '../../ui/attention-text.ts';
import { listText } from '../../ui/words.ts';
import { useFocusNear } from '../../ui/lists/focus-near.ts';
import { lastPicture } from '../../ui/cameras/pictures.ts';
import { StopMenu } from '../../ui/sessions/stop-menu.tsx';
import { sinceText, userText, deviceOf, watchersOf, type Watcher } from '../../ui/sessions/stream-text.ts';
import { useStreams } from '../../ui/sessions/use-streams.ts';

/** The cameras, and what happened last. */
export function HomePage() {
  usePageTitle(text.home.title);
  return useProfile().role === 'admin' ? <AdminHome /> : <Home watching={nothing} />;
}

/** Admins also see who else watches. */
function AdminHome() {
  const [state, refresh] = useStreams(false);
  return <Home watching={state && { watchers: watchersOf(state.open), refresh }} />;
}

interface Watching {
  readonly watchers: readonly Watcher[];
  readonly refresh: () => void;
}

const nothing: Watching = { watchers: [], refresh: () => undefined };

/** @param props.watching undefined while it is unknown: the events wait for it, so that they do not move */
function Home({ watching }: { readonly watching: Watching | undefined }) {
  const { allowed_cameras: cameras } = useProfile();
  const [live, history] = [useMay('live'), useMay('history')];
  const attention = useAttention();
  const below = useRef<HTMLDivElement>(null);
  return (
    <div class="home">
      <h1 class="hidden-text">{text.home.title}</h1>
      {attention === undefined ? (
        <PageLoading />
      ) : (
        <>
          <AttentionList found={attention} />
          <AccessEnd />
          <Cameras awaySince={awaySince(attention)} />
          {watching !== undefined && history && (live || cameras.length > 0) && (
            <div class="below" ref={below} tabIndex={-1}>
              <NewestEvents cameras={cameras} />
              <WatchingNow {...watching} around={below} />
            </div>
          )}
          {hasRecorder && (
            <footer class="last">
              <OpenRecorder />
            </footer>
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

/** @returns an empty list on failure: the rest of the page matters more than an error */
function ask(): Promise<readonly Attention[]> {
  return bodyOf(attentionApi.index.$get()).catch((): readonly Attention[] => []);
}

// A visit that begins at Home asks in parallel with the profile.
let early = pageOf(location.pathname.replace(/\/+$/, '')) === '/' ? ask() : undefined;

/** @returns the list, or `undefined` while loading, so that the content below does not jump */
function useAttention(): readonly Attention[] | undefined {
  const [found, setFound] = useState<readonly Attention[]>();
  useEffect(() => {
    (early ?? ask()).then(setFound, () => setFound([]));
    early = undefined;
  }, []);
  return found;
}

/** Sample events carry their own note, and the wall shows why it has no pictures. */
const shownElsewhere: ReadonlySet<Attention['kind']> = new Set(['sample_data', 'recorder_away']);

/** Lists what the user should know or act on. A hint can be dismissed until the browser is closed. */
function AttentionList(props: { readonly found: readonly Attention[] }) {
  const [found, setFound] = useState(props.found);
  const [away, setAway] = useState(dismissed);
  const decline = (user: string, camera: string) =>
    void bodyOf(accessRequestsApi[':user'][':camera'].$delete({ param: { user, camera } }))
      .then(ask)
      .then(setFound)
      .catch(() => undefined);
  // A recorder that is away causes other notices: one is enough.
  const isAway = found.some(({ kind }) => kind === 'recorder_away');
  const shown = found.filter(
    ({ kind }) => !shownElsewhere.has(kind) && !away.has(kind) && !(isAway && kind === 'role_unverified'),
  );
  if (shown.length === 0) return null;
  return (
    <section aria-label={text.attention.title}>
      <ul class="attention">
        {shown.map(({ kind, level, page, detail }) => {
          const { action } = text.attention[kind];
          const says = attentionText(kind, named(detail));
          return (
            <li key={kind} class={level === 'problem' ? 'notice failure' : 'notice'}>
              <span>{says}</span>
              {page !== null && (
                <a
                  class={kind === 'access_asked' ? 'button' : undefined}
                  href={gatePath(pathOf(kind, page, detail))}
                >
                  {action}
                </a>
              )}
              {kind === 'camera_lost' && (
                <MoveButton
                  key={String(detail['camera'])}
                  camera={String(detail['camera'])}
                  label={action}
                  onMoved={() => void ask().then(setFound)}
                />
              )}
              {kind === 'access_asked' ? (
                <button
                  type="button"
                  class="secondary outline"
                  onClick={() => decline(String(detail['user']), String(detail['camera']))}
                >
                  {text.attention.access_asked.decline}
                </button>
              ) : (
                level === 'hint' && (
                  <button
                    type="button"
                    class="close"
                    aria-label={fill(text.home.dismiss, { what: says })}
                    onClick={() => setAway(dismiss(kind))}
                  >
                    ✕
                  </button>
                )
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** @returns the detail with a camera as pages call it */
function named(detail: Attention['detail']): Attention['detail'] {
  const { camera } = detail;
  return typeof camera === 'string' ? { ...detail, camera: cameraText(camera) } : detail;
}

/** A request leads to the dialog of the role, with the camera chosen. */
function pathOf(kind: Attention['kind'], page: string, { role, camera }: Attention['detail']): string {
  if (kind !== 'access_asked') return page;
  return `${page}/${encodeURIComponent(String(role))}?add=${encodeURIComponent(String(camera))}`;
}

const key = 'postern.dismissed';

/** @returns names of what was dismissed since the browser was opened */
function dismissed(): ReadonlySet<string> {
  return new Set((sessionStorage.getItem(key) ?? '').split(' '));
}

/** Dismisses a hint. @returns all dismissed ones */
function dismiss(name: string): ReadonlySet<string> {
  const names = new Set([...dismissed(), name]);
  sessionStorage.setItem(key, [...names].join(' '));
  return names;
}

interface WatchingNowProps extends Watching {
  /** Takes the focus when the last watcher is stopped. */
  readonly around: { readonly current: HTMLElement | null };
}

/** Who else watches at this moment, each with a menu that stops it; nothing where no one does. */
function WatchingNow({ watchers, refresh, around }: WatchingNowProps) {
  const id = useId();
  const goes = useFocusNear(
    watchers.map(({ key }) => key),
    around,
  );
  if (watchers.length === 0) return null;
  return (
    <section class="watching" aria-labelledby={id} id="watching">
      <h2 id={id}>
        {text.watching.title} <small>{watchers.length}</small>
      </h2>
      <ul>
        {watchers.map((watcher) => (
          <WatcherRow
            key={watcher.key}
            watcher={watcher}
            onStopped={() => {
              goes(watcher.key);
              refresh();
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface WatcherProps {
  readonly watcher: Watcher;
  readonly onStopped: () => void;
}

function WatcherRow({ watcher, onStopped }: WatcherProps) {
  const { streams, since } = watcher;
  const [first] = streams;
  const { allowed_cameras: all } = useProfile();
  const picture = watcher.cameras.map((camera) => lastPicture(camera)).find(Boolean);
  const pages = new Set(streams.map(({ page }) => page));
  const where = pages.size === 1 && first.page === 'home' ? text.watching.home : deviceText(first.agent);
  const what =
    watcher.cameras.length > 2 && watcher.cameras.length === all.length
      ? fill(text.watching.all, { count: all.length })
      : listText(watcher.cameras.map(cameraText)) || text.streams.livePictures;
  return (
    <li data-row={watcher.key}>
      {picture === undefined ? <span class="still none" /> : <img class="still" src={picture.url} alt="" />}
      <div>
        <p>
          <strong dir="auto">{userText(first)}</strong>
        </p>
        <p dir="auto">{what}</p>
        <p>
          {first.source === 'share' || first.source === 'display' ? '' : `${where} · `}
          {sinceText({ since })}
        </p>
      </div>
      <StopMenu streams={streams} onStopped={onStopped} />
    </li>
  );
}

function deviceText(agent: string | null): string {
  return text.watching.devices[deviceOf(agent)];
}
