import { useRef, useState } from 'preact/hooks';
import { bodyOf, loginApi, rolesApi, type MadeInvitation } from '../../api-client.ts';
import { isAnonymous, useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { AddUser } from '../accounts/user-dialogs.tsx';
import { Modal } from '../forms/modal.tsx';
import { useLoaded } from '../loading.ts';
import { LoadFailure } from '../notices.tsx';
import { isOn } from '../page-marks.ts';
import { showToast } from '../toasts.tsx';
import { InvitationLink, InviteSomeone } from './invite.tsx';

async function readRoles() {
  const [login, custom] = await Promise.all([bodyOf(loginApi.index.$get()), bodyOf(rolesApi.index.$get())]);
  return { usesAccounts: login.enabled, roles: ['admin', 'viewer', ...custom.map(({ name }) => name)] };
}

interface AddPersonProps {
  readonly onClose: () => void;
  /** Someone was invited or added. @param name null for an invitation to anyone */
  readonly onAdded?: (name: string | null) => void;
}

/** Invites someone, and shows the link. Where no one can be invited, adds a user with a password. */
export function AddPerson({ onClose, onAdded }: AddPersonProps) {
  const profile = useProfile();
  const [state, reload] = useLoaded(readRoles);
  const made = useRef<MadeInvitation | undefined>(undefined);
  const [shown, show] = useState<MadeInvitation>();
  if (state.kind === 'loading') return null;
  if (state.kind === 'failed') {
    return (
      <Modal title={text.add.person} onClose={onClose}>
        <LoadFailure what={text.users.what} error={state.error} onRetry={reload} />
      </Modal>
    );
  }
  if (shown !== undefined) {
    const close = () => {
      onAdded?.(shown.name);
      onClose();
    };
    return <InvitationLink made={shown} onClose={close} />;
  }
  const { usesAccounts, roles } = state.value;
  // An invitation has a maker, which the internal entry point does not know.
  if (usesAccounts && !isAnonymous(profile) && isOn('invitations')) {
    return (
      <InviteSomeone
        roles={roles}
        onClose={() => (made.current === undefined ? onClose() : show(made.current))}
        onDone={(done) => (made.current = done)}
      />
    );
  }
  return (
    <AddUser
      roles={roles}
      onClose={onClose}
      onDone={({ username }) => {
        showToast(fill(text.users.added, { user: username }));
        onAdded?.(username);
      }}
    />
  );
}
