import { bodyOf, displaysApi, type Display } from '../../api-client.ts';
import { fill, text } from '../../text.ts';
import { badgesOf } from '../lists/row.tsx';
import { cameraText, inOrder } from '../cameras/camera-names.ts';
import { useDialog, useLater } from '../forms/use-dialog.ts';
import { listText } from '../words.ts';
import type { Columns } from '../lists/column-table.tsx';
import { Table, useRows } from '../lists/table.tsx';
import { gatePath } from '../../path-prefix.ts';
import { readStreams } from '../sessions/streams-api.ts';
import { Day, TimeAgo } from '../parts.tsx';
import { TitledSection } from '../section.tsx';
import { showToast } from '../toasts.tsx';
import { listOf, useLoaded } from '../loading.ts';

type Dialog = { readonly kind: 'change' | 'end'; readonly display: Display };

const loadDialogs = () => import('./display-dialogs.tsx');

/** The address that pairs a screen, as people type it. */
const pairAddress = location.host + gatePath('/pair');

interface DisplayListProps {
  readonly isOfAll: boolean;
  /** Shown only where there is a screen. */
  readonly onlySome?: boolean;
}

/** The screens of the user, or those of everyone for an admin in Settings. */
export function DisplayList({ isOfAll, onlySome = false }: DisplayListProps) {
  const [state, reload] = useLoaded(async () => {
    const [displays, streams] = await Promise.all([
      bodyOf(displaysApi.index.$get({ query: isOfAll ? {} : { own: '' } })),
      // The list appears even when no one knows what its screens show now.
      isOfAll ? readStreams(false).catch(() => []) : [],
    ]);
    const watched = (id: string) =>
      streams.filter(({ user }) => user === `display:${id}`).flatMap(({ resource }) => resource.cameras);
    return displays.map((display) => Object.assign(display, { now: [...new Set(watched(display.id))] }));
  });
  const [dialog, open, close] = useDialog<Dialog>('displays');
  const dialogs = useLater(loadDialogs, dialog !== undefined, close);
  const list = listOf(state, (displays) => displays);
  const { heading, marked, mark, goes } = useRows(list.items.map(({ id }) => id));
  const words = text.displays;
  if (onlySome && list.items.length === 0) return null;
  return (
    <TitledSection
      page={isOfAll}
      id="displays"
      title={words.title}
      heading={heading}
      actions={
        <a class="button secondary outline" href={`${gatePath('/pair')}?code=`}>
          {words.pair}
        </a>
      }
    >
      <p class="lead">{words.intro}</p>
      <Table
        what={words.what}
        whatLoads={isOfAll ? words.what : text.account.displays}
        list={list}
        onRetry={reload}
        empty={`${words.none} ${pairAddress}`}
        caption={words.title}
        marked={marked}
        shown={columns(isOfAll, (kind, display) => open({ kind, display }))}
      />
      {dialogs !== undefined && dialog?.kind === 'end' && (
        <dialogs.EndDisplay
          display={dialog.display}
          onClose={close}
          onDone={() => {
            goes(dialog.display.id);
            showToast(fill(words.ended, { name: dialog.display.name }));
            reload();
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'change' && (
        <dialogs.ChangeDisplay
          display={dialog.display}
          onClose={close}
          onDone={(name) => {
            mark(dialog.display.id);
            showToast(fill(words.changed, { name }));
            reload();
          }}
        />
      )}
    </TitledSection>
  );
}

type ShownDisplay = Display & { readonly now: readonly string[] };

function columns(
  isOfAll: boolean,
  open: (kind: Dialog['kind'], display: Display) => void,
): Columns<ShownDisplay> {
  const words = text.displays;
  return {
    class: 'displays',
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    columns: [
      {
        title: words.columns.name,
        isName: true,
        cell: ({ name, state, now }) => (
          <span class="named">
            <strong dir="auto">{name}</strong>
            {state !== 'good' && <span class="tag">{words.states[state]}</span>}
            {now.length > 0 && (
              <small>{fill(words.showsNow, { cameras: listText(inOrder(now).map(cameraText)) })}</small>
            )}
          </span>
        ),
      },
      ...(isOfAll ? [{ title: words.columns.user, cell: ({ username }: ShownDisplay) => username }] : []),
      {
        title: words.columns.cameras,
        cell: ({ cameras, may }) => (
          <span class="badges">
            {badgesOf(cameras === null ? [words.allCameras] : inOrder(cameras).map(cameraText))}
            {badgesOf(may.map((capability) => text.capabilities.names[capability]))}
          </span>
        ),
      },
      {
        title: words.columns.until,
        cell: ({ until }) => (until === null ? <>{words.untilEnded}</> : <Day seconds={until} />),
      },
      {
        title: words.columns.seen,
        cell: ({ last_seen_at: at, last_seen_from: from }) =>
          at === null ? (
            <>{words.neverSeen}</>
          ) : (
            <>
              <span class="folded">{words.seen} </span>
              <TimeAgo seconds={at} />
              {from !== null && ` ${fill(words.from, { address: from })}`}
            </>
          ),
      },
    ],
    actions: (display) => [
      {
        label: fill(words.changeOf, { name: display.name }),
        name: words.change,
        onClick: () => open('change', display),
      },
      {
        label: fill(words.endOf, { name: display.name }),
        name: words.end,
        danger: true,
        onClick: () => open('end', display),
      },
    ],
  };
}
