import { useLocation } from 'preact-iso';
import {
  apiTokensApi,
  bodyOf,
  displaysApi,
  ended,
  invitationsApi,
  rolesApi,
  sessionsApi,
  type MadeInvitation,
  type Person,
  type User,
} from '../../api-client.ts';
import { gatePath } from '../../path-prefix.ts';
import { fill, text } from '../../text.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { linkLife } from '../../ui/people/invite-when.ts';
import {
  BlockUser,
  ChangeRole,
  ChangeUserPassword,
  DeleteUser,
  ResetFactors,
  UnblockUser,
} from '../../ui/people/user-dialogs.tsx';
import { EndAllSessions } from '../../ui/sessions/sessions.tsx';
import { endShare } from '../../ui/shares/shares-api.ts';
import { showToast } from '../../ui/toasts.tsx';
import { ChangeAccess } from './change-access.tsx';

/** An action on a person, or the end of something that they have. */
export type PersonDialogKind =
  | 'access'
  | 'block'
  | 'delete'
  | 'link'
  | 'password'
  | 'reset'
  | 'revoke'
  | 'role'
  | 'stop'
  | 'unblock'
  | { readonly session: string }
  | { readonly display: string }
  | { readonly share: string }
  | { readonly token: string };

interface PersonDialogProps {
  readonly kind: PersonDialogKind;
  readonly person: Person;
  /** Absent while they are only invited. */
  readonly user: User | undefined;
  readonly isSelf: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
  /** An invitation has a new link. */
  readonly onMade: (made: MadeInvitation) => void;
}

export function PersonDialog({ kind, person, user, isSelf, onClose, onDone, onMade }: PersonDialogProps) {
  const { route } = useLocation();
  const name = person.name ?? '';
  const told = (template: string) => () => {
    showToast(fill(template, { user: name }));
    onDone();
  };
  if (typeof kind === 'object') return <EndOne kind={kind} onClose={onClose} onDone={onDone} />;
  if (kind === 'access') return <ChangeAccess person={person} onClose={onClose} onDone={onDone} />;
  if (kind === 'revoke') return <Revoke person={person} onClose={onClose} />;
  if (kind === 'link') return <LinkAgain person={person} onClose={onClose} onDone={onMade} onEnd={onDone} />;
  if (user === undefined) return null;
  const dialog = { user, onClose };
  if (kind === 'role') return <GiveRole {...dialog} onDone={onDone} />;
  if (kind === 'password') {
    return (
      <ChangeUserPassword
        {...dialog}
        isOwn={isSelf}
        onDone={(message) => {
          showToast(message);
          onDone();
        }}
      />
    );
  }
  if (kind === 'block') return <BlockUser {...dialog} onDone={told(text.users.blocked)} />;
  if (kind === 'unblock') return <UnblockUser {...dialog} onDone={told(text.users.unblocked)} />;
  if (kind === 'reset') return <ResetFactors {...dialog} onDone={told(text.users.factorsReset)} />;
  if (kind === 'stop')
    return <EndAllSessions user={name} onClose={onClose} onDone={told(text.sessions.allEnded)} />;
  const gone = () => {
    showToast(fill(text.users.deleted, { user: name }));
    route(gatePath('/people'));
  };
  return <DeleteUser {...dialog} onDone={gone} />;
}

interface GiveRoleProps {
  readonly user: User;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function GiveRole({ user, onClose, onDone }: GiveRoleProps) {
  const [state] = useLoaded(() => bodyOf(rolesApi.index.$get()));
  if (state.kind === 'loading') return null;
  const custom = state.kind === 'loaded' ? state.value.map(({ name }) => name) : [];
  return (
    <ChangeRole
      user={user}
      roles={['admin', 'viewer', ...custom]}
      onClose={onClose}
      onDone={(role) => {
        showToast(fill(text.users.roleChanged, { user: user.username, role }));
        onDone();
      }}
    />
  );
}

interface EndOneProps {
  readonly kind: Exclude<PersonDialogKind, string>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Ends one device, screen, link or token. */
function EndOne({ kind, onClose, onDone }: EndOneProps) {
  const words = text.people;
  const end = async () => {
    if ('session' in kind) await ended(sessionsApi[':id'].$delete({ param: { id: kind.session } }));
    else if ('display' in kind) await ended(displaysApi[':id'].$delete({ param: { id: kind.display } }));
    else if ('share' in kind) await endShare(kind.share);
    else await ended(apiTokensApi[':id'].$delete({ param: { id: kind.token } }));
  };
  const means =
    'session' in kind
      ? words.endMeans.session
      : 'display' in kind
        ? words.endMeans.display
        : 'share' in kind
          ? words.endMeans.share
          : words.endMeans.token;
  return (
    <FormDialog
      title={words.endQuestion}
      submit={words.endIt}
      danger
      onSubmit={end}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{means}</p>
    </FormDialog>
  );
}

function Revoke({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const { route } = useLocation();
  const words = text.invitations;
  return (
    <FormDialog
      title={words.revokeQuestion}
      submit={words.revoke}
      danger
      onSubmit={() => endInvitation(person)}
      onClose={onClose}
      onDone={() => {
        showToast(words.revoked);
        route(gatePath('/people'));
      }}
    >
      <p>{words.revokeMeans}</p>
    </FormDialog>
  );
}

async function endInvitation({ invited }: Person): Promise<void> {
  if (invited) await ended(invitationsApi[':id'].$delete({ param: { id: invited.id } }));
}

interface LinkAgainProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onDone: (made: MadeInvitation) => void;
  readonly onEnd: () => void;
}

/** A link is shown once. Another one ends the first. */
function LinkAgain({ person, onClose, onDone, onEnd }: LinkAgainProps) {
  const words = text.people;
  const { name, role, own_role: isOwn, grant, schedule, zone } = person;
  const make = async () => {
    const who = {
      ...(name === null ? {} : { name }),
      expires_in: linkLife(schedule ?? undefined, Date.now(), zone),
    };
    const access = {
      cameras: grant.allowed_cameras,
      may: grant.may,
      ...(schedule === null ? {} : { schedule }),
    };
    const json = isOwn ? { ...who, ...access } : { ...who, role };
    const made = await bodyOf(invitationsApi.index.$post({ json }));
    await endInvitation(person);
    return made;
  };
  return (
    <FormDialog<MadeInvitation>
      title={words.linkAgain}
      submit={words.makeLink}
      onSubmit={make}
      onClose={onClose}
      onDone={(made) => {
        onEnd();
        onDone(made);
      }}
    >
      <p>{words.linkAgainMeans}</p>
    </FormDialog>
  );
}
