import { useLocation } from 'preact-iso';
import type { Person, User } from '../../api-client.ts';
import { fill, text } from '../../text.ts';
import { Icon } from '../../ui/drawings.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { RowMenu, type RowAction } from '../../ui/lists/row-menu.tsx';
import { FailureNotice } from '../../ui/notices.tsx';
import { TimeAgo } from '../../ui/parts.tsx';
import { faceStateOf, watchingText } from '../../ui/people/access-text.ts';
import { Face } from '../../ui/people/face.tsx';
import { viewAsPath, whyPath } from '../../ui/roles/role-paths.ts';
import { allowAgain, stopStream } from '../../ui/sessions/streams-api.ts';
import { momentText } from '../../ui/time-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { PersonDialogKind } from './person-dialogs.tsx';

const words = text.people;

interface PersonHeaderProps {
  readonly person: Person;
  /** Absent while they are only invited. */
  readonly user: User | undefined;
  readonly isSelf: boolean;
  readonly open: (dialog: PersonDialogKind) => void;
  readonly onChange: () => void;
}

export function PersonHeader({ person, user, isSelf, open, onChange }: PersonHeaderProps) {
  const name = person.name ?? '';
  const { route } = useLocation();
  const action = useAction();
  const isInvited = user === undefined;
  const again = () =>
    action.run(async () => {
      for (const { id } of person.stops) await allowAgain(id);
      showToast(fill(text.watching.allowed, { user: name }));
      onChange();
    });
  const stop = () =>
    action.run(async () => {
      for (const { stream } of person.watched.now) await stopStream(stream, 'now').catch(() => undefined);
      showToast(fill(text.watching.stopped, { user: name }));
      onChange();
    });
  return (
    <header class="person-head">
      <Face name={name} state={faceStateOf(person)} size="large" />
      <div>
        <h1 dir="auto">{name}</h1>
        <p class="person-state">
          {isSelf && <span class="tag">{text.users.you}</span>}
          <State person={person} />
          {person.watched.now.length > 0 && !isSelf && (
            <button type="button" class="quiet" disabled={action.busy} onClick={stop}>
              <Icon name="stop" />
              {text.watching.stop}
              <span class="hidden-text"> {name}</span>
            </button>
          )}
          {person.stops.length > 0 && (
            <button type="button" class="quiet" disabled={action.busy} onClick={again}>
              {words.allowAgain}
            </button>
          )}
        </p>
      </div>
      <div class="person-actions">
        {person.state === 'blocked' && user?.blocked === 'admin' ? (
          <button type="button" onClick={() => open('unblock')}>
            {fill(words.letBackIn, { who: name })}
          </button>
        ) : (
          <button type="button" onClick={() => open('access')}>
            {words.changeAccess}
          </button>
        )}
        {isInvited ? (
          <>
            <button type="button" class="outline" onClick={() => open('link')}>
              {words.linkAgain}
            </button>
            <button type="button" class="danger outline" onClick={() => open('revoke')}>
              {text.invitations.revoke}
            </button>
          </>
        ) : (
          <div class="with-button">
            <a class="button outline" href={viewAsPath({ user: name })}>
              <Icon name="eye" />
              {fill(words.seeAs, { who: name })}
            </a>
            <RowMenu
              label={fill(words.moreFor, { who: name })}
              actions={actionsOf(user, isSelf, open, () => route(whyPath({ user: name })))}
            />
          </div>
        )}
      </div>
      <FailureNotice error={action.failure} />
    </header>
  );
}

function State({ person }: { readonly person: Person }) {
  const { account, invited, state, watched, stops } = person;
  if (state === 'invited') {
    return (
      <>
        <span class="tag">{words.invited}</span>
        <span>
          {words.notYet}
          {invited &&
            ` ${fill(words.invitedBy, { by: invited.made_by, until: momentText(invited.expires_at, true) })}`}
        </span>
      </>
    );
  }
  if (state === 'blocked') return <span class="tag danger">{text.users.isBlocked}</span>;
  if (state === 'stopped') {
    const until = Math.max(...stops.map((stop) => stop.until));
    return <span class="tag danger">{fill(words.stoppedUntil, { time: momentText(until, true) })}</span>;
  }
  const [now] = watched.now;
  if (now !== undefined) return <span dir="auto">{watchingText(now.cameras)}</span>;
  const last = account?.last_login;
  return (
    <span>
      {typeof last === 'number' ? (
        <>
          {words.seen} <TimeAgo seconds={last} />
        </>
      ) : (
        words.notYet
      )}
    </span>
  );
}

function actionsOf(
  user: User,
  isSelf: boolean,
  open: (dialog: PersonDialogKind) => void,
  why: () => void,
): readonly RowAction[] {
  const { username: who, provider, blocked, second_factors: factors } = user;
  const action = (kind: PersonDialogKind, label: string, name: string, danger = false) => ({
    label,
    name,
    danger,
    onClick: () => open(kind),
  });
  const of = (template: string) => fill(template, { user: who });
  return [
    { label: fill(words.why, { who }), name: fill(words.why, { who }), onClick: why },
    ...(provider === null
      ? [
          action('role', of(text.users.changeRoleOf), text.users.changeRole),
          action('password', of(text.users.changePasswordOf), text.users.changePassword),
        ]
      : []),
    ...(factors.length > 0 ? [action('reset', of(text.users.resetFactorsOf), text.users.resetFactors)] : []),
    ...(isSelf
      ? []
      : [
          action('stop', fill(words.stopAllOf, { who }), words.stopAll, true),
          blocked === 'admin'
            ? action('unblock', of(text.users.unblockOf), text.users.unblock)
            : action('block', of(text.users.blockOf), text.users.block, true),
        ]),
    action('delete', of(text.users.deleteOf), text.users.delete, true),
  ];
}
