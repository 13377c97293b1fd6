import { useLocation } from 'preact-iso';
import { accessApi, bodyOf, type Access } from '../../api-client.ts';
import { inOrder } from '../../ui/cameras/camera-names.ts';
import { Icon } from '../../ui/drawings.tsx';
import { LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { ProfileContext, useProfile } from '../../profile.ts';
import { turnText } from '../../ui/roles/schedule.ts';
import type { Who } from '../../ui/roles/role-paths.ts';
import { SiteHeader } from '../../ui/site-header.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { MayTable } from './may-table.tsx';
import { SeenCameras } from './seen-cameras.tsx';
import { fill, text } from '../../text.ts';

const words = text.viewAs;

/** What a user, or anyone with a role, sees. The admin stays who they are: nothing can be done here as someone else. */
export function ViewAsPage() {
  const { user, role } = useLocation().query;
  const who = user !== undefined ? { user } : role !== undefined ? { role } : undefined;
  if (who === undefined) {
    return (
      <Message page title={words.noOne}>
        <a href={gatePath('/settings/users')}>{words.close}</a>
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
        <a class="button" href={gatePath('user' in who ? '/settings/users' : '/settings/access')}>
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
