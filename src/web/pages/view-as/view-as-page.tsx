import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { accessApi, bodyOf, type Access, type AccessOfRole } from '../../api-client.ts';
import { inOrder, cameraText } from '../../ui/cameras/camera-names.ts';
import { Icon } from '../../ui/drawings.tsx';
import { LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { gatePath, pathTo } from '../../path-prefix.ts';
import { ProfileContext, useProfile } from '../../profile.ts';
import { turnText } from '../../ui/roles/schedule.ts';
import { personPath, whyPath, type Who } from '../../ui/roles/role-paths.ts';
import { SiteHeader } from '../../ui/site-header.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { fill, text } from '../../text.ts';
import { hasPictures } from '../../ui/page-marks.ts';
import { densityOf, wallClass } from '../../ui/wall/arrange.ts';
import { otherReason, entriesOf, grantedFirst, refusalText, refusedAltogether } from './cell-text.ts';
import { capabilities, type Capability } from '../../ui/roles/role-access.ts';

const words = text.viewAs;

/** Shows what a user, or anyone with a role, sees. The admin cannot do anything here as someone else. */
export function ViewAsPage() {
  const { user, role } = useLocation().query;
  const who = user !== undefined ? { user } : role !== undefined ? { role } : undefined;
  if (who === undefined) {
    return (
      <Message page title={words.noOne}>
        <a href={gatePath('/people')}>{words.close}</a>
      </Message>
    );
  }
  return <View key={Object.values(who).join()} who={who} />;
}

function View({ who }: { readonly who: Who }) {
  const name = 'user' in who ? who.user : who.role;
  usePageTitle(fill(words.title, { who: name }));
  const [state, reload] = useLoaded(() => bodyOf(accessApi.index.$get({ query: { ...who } })));
  return (
    <div class="view-as">
      <div class="view-bar">
        <Icon name="eye" />
        <p>
          <strong>
            {'user' in who ? fill(words.bar, { who: name }) : fill(words.barRole, { role: name })}
          </strong>{' '}
          {words.onlyLooking}
        </p>
        <a class="button" href={'user' in who ? personPath(who.user) : gatePath('/settings/access')}>
          {words.close}
        </a>
      </div>
      {state.kind === 'loading' && <Loading what={words.what} />}
      {state.kind === 'failed' && <LoadFailure what={words.what} error={state.error} onRetry={reload} />}
      {state.kind === 'loaded' && <Seen who={who} name={name} access={state.value} />}
    </div>
  );
}

function Seen({ who, name, access }: { readonly who: Who; readonly name: string; readonly access: Access }) {
  const profile = useProfile();
  const [row] = access.rows;
  if (row === undefined) return null;
  const { schedule, may, granted, role } = row;
  const turns = schedule?.turns ?? null;
  const turn = turns === null ? undefined : turnText(turns, access.at, access.zone);
  const theirs = { ...profile, username: name, role, may, allowed_cameras: granted };
  return (
    <>
      <div class="view-header" inert>
        <ProfileContext.Provider value={theirs}>
          <SiteHeader isRestricted={false} />
        </ProfileContext.Provider>
      </div>
      <h1 class="hidden-text">{fill(words.title, { who: name })}</h1>
      <SeenCameras name={name} row={row} turn={turn} />
      <MayTable who={who} name={name} row={row} cameras={inOrder(access.cameras)} turn={turn} />
    </>
  );
}

interface SeenCamerasProps {
  readonly name: string;
  readonly row: AccessOfRole;
  readonly turn: string | undefined;
}

/** The tiles of another user's Home. They aren't links, because the admin cannot act as that user. */
function SeenCameras({ name, row, turn }: SeenCamerasProps) {
  const { granted, access } = row;
  const seen = access.filter(({ live }) => live.state !== 'no');
  if (granted.length === 0) return <p class="notice">{fill(words.noCameras, { who: name })}</p>;
  if (seen.length === 0) {
    const reason = access.find(({ cameras }) => cameras.some((camera) => granted.includes(camera)))?.live
      .reason;
    const isMissing = reason === undefined || reason === 'role_may_not';
    return (
      <p class="notice">
        {isMissing ? fill(words.notLive, { who: name }) : blockedText(name, otherReason(reason))}
      </p>
    );
  }
  const closed = new Set(seen.flatMap(({ live, cameras }) => (live.state === 'closed' ? cameras : [])));
  const shown = inOrder(seen.flatMap(({ cameras }) => cameras));
  const until = turn === undefined ? words.over : fill(words.opens, { moment: turn });
  return (
    <>
      {closed.size > 0 && <p class="notice">{`${fill(words.closed, { who: name })}. ${until}.`}</p>}
      <ul
        class={wallClass(shown.length, densityOf(shown.length, undefined))}
        aria-label={fill(words.cameras, { who: name })}
      >
        {shown.map((camera) => (
          <SeenCamera key={camera} camera={camera} isClosed={closed.has(camera)} />
        ))}
      </ul>
    </>
  );
}

function blockedText(who: string, why: string | undefined): string {
  return why === undefined ? fill(words.blocked, { who }) : fill(words.blockedBecause, { who, why });
}

interface SeenCameraProps {
  readonly camera: string;
  readonly isClosed: boolean;
}

/** The opening time stands above all tiles, because a small tile has no room for it. */
function SeenCamera({ camera, isClosed }: SeenCameraProps) {
  const [isMissing, setMissing] = useState(!hasPictures);
  const isDark = isClosed || isMissing;
  return (
    <li class={isDark ? 'tile off' : 'tile'}>
      {!isDark && (
        <img
          src={pathTo(`/api/${encodeURIComponent(camera)}/latest.jpg?height=360`)}
          alt=""
          loading="lazy"
          onError={() => setMissing(true)}
        />
      )}
      <div class="foot">
        <span class="cap">
          <span dir="auto">{cameraText(camera)}</span>
        </span>
        <small class={isDark ? 'on off' : 'on'}>
          {isClosed ? words.closedTile : isMissing ? words.noPicture : words.live}
        </small>
      </div>
    </li>
  );
}

interface MayTableProps {
  readonly who: Who;
  readonly name: string;
  readonly row: AccessOfRole;
  readonly cameras: readonly string[];
  /** When access closes, or opens. Absent when it does neither. */
  readonly turn: string | undefined;
}

/** Cameras, and what someone may do with each: every cell leads to its reason. */
function MayTable({ who, name, row, cameras, turn }: MayTableProps) {
  const entries = entriesOf(row);
  return (
    <section aria-labelledby="may">
      <h2 id="may">{fill(words.may, { who: name })}</h2>
      <div class="may-frame">
        <table class="may-table">
          <thead>
            <tr>
              <th scope="col">{words.camera}</th>
              {capabilities.map((word) => (
                <th key={word} scope="col">
                  {words.words[word]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grantedFirst(cameras, row).map((camera) => {
              const entry = entries.get(camera);
              if (entry === undefined) return null;
              const altogether = refusedAltogether(entry);
              return (
                <tr key={camera}>
                  <th scope="row" dir="auto">
                    {cameraText(camera)}
                  </th>
                  {altogether === undefined ? (
                    capabilities.map((word) => (
                      <td key={word} data-title={words.words[word]}>
                        <Cell
                          who={who}
                          camera={camera}
                          word={word}
                          role={row.role}
                          turn={turn}
                          {...entry[word]}
                        />
                      </td>
                    ))
                  ) : (
                    <td colSpan={capabilities.length} class="whole">
                      <Cell
                        who={who}
                        camera={camera}
                        word="live"
                        role={row.role}
                        turn={turn}
                        {...entry.live}
                      />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {row.lists.reason === 'recorder_role_unverified' && <p class="hint">{words.listsBlocked}</p>}
    </section>
  );
}

interface CellProps {
  readonly who: Who;
  readonly camera: string;
  readonly word: Capability;
  readonly role: string;
  readonly turn: string | undefined;
  readonly state: 'may' | 'closed' | 'no';
  readonly reason: string;
}

function Cell({ who, camera, word, role, turn, state, reason }: CellProps) {
  const shown =
    state === 'no'
      ? refusalText(reason, role)
      : state === 'may'
        ? turn === undefined
          ? words.yes
          : fill(words.until, { moment: turn })
        : turn === undefined
          ? words.over
          : fill(words.opens, { moment: turn });
  return (
    <a
      class={state === 'may' ? 'tag lamp' : state === 'closed' ? 'tag' : undefined}
      href={whyPath(who, { camera, to: word })}
      title={fill(words.why, { camera: cameraText(camera), word: words.words[word] })}
    >
      {shown}
    </a>
  );
}
