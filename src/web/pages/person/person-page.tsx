import { useState } from 'preact/hooks';
import { ApiFailure, bodyOf, peopleApi, userDetailsApi, type MadeInvitation } from '../../api-client.ts';
import { fill, text } from '../../text.ts';
import { Icon } from '../../ui/drawings.tsx';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';
import { FailureNotice, LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { useOnReturn } from '../../ui/page-hooks.ts';
import { AdminsOnly } from '../../ui/section.tsx';
import { gatePath } from '../../path-prefix.ts';
import { accessSentence, turnsText } from '../../ui/people/access-text.ts';
import { useProfile } from '../../profile.ts';
import type { PersonDialogKind } from './person-dialogs.tsx';
import { PersonHeader } from './person-header.tsx';
import { OwnCameras, PersonParts } from './person-parts.tsx';

/** Everything about one person: what they may see, what they have, and every action on them. */
export function PersonPage({ name = '' }: { readonly name?: string }) {
  return (
    <AdminsOnly title={name}>
      <a class="back" href={gatePath('/people')}>
        <Icon name="left" />
        {text.people.title}
      </a>
      <PersonOf key={name} name={name} />
    </AdminsOnly>
  );
}

async function readPerson(username: string) {
  const [person, users] = await Promise.all([
    bodyOf(peopleApi[':username'].$get({ param: { username } })),
    bodyOf(userDetailsApi.index.$get({ query: { search: username } })),
  ]);
  return { person, user: users.find((user) => user.username === username) };
}

const loadDialogs = async () => (await import('./person-dialogs.tsx')).PersonDialog;
const loadLink = async () => (await import('../../ui/people/invite.tsx')).InvitationLink;

function PersonOf({ name }: { readonly name: string }) {
  const words = text.people;
  const { username: self } = useProfile();
  const [state, reload] = useLoaded(() => readPerson(name));
  useOnReturn(reload);
  const [dialog, open, close] = useDialog<PersonDialogKind>('person');
  const [made, setMade] = useState<MadeInvitation>();
  const PersonDialog = useLater(loadDialogs, dialog !== undefined, close);
  const InvitationLink = useLater(loadLink, made !== undefined, () => setMade(undefined));
  if (state.kind === 'loading') return <Loading what={words.person} />;
  if (state.kind === 'failed') {
    return state.error instanceof ApiFailure && state.error.status === 404 ? (
      <Message page title={fill(words.noSuchPerson, { who: name })}>
        <a href={gatePath('/people')}>{words.toPeople}</a>
      </Message>
    ) : (
      <LoadFailure what={words.person} error={state.error} onRetry={reload} />
    );
  }
  const { person, user } = state.value;
  const isShut = person.state === 'blocked' || person.state === 'stopped';
  const sentence = accessSentence(person, name);
  const turns = turnsText(person);
  return (
    <div class="person">
      <FailureNotice error={state.error} />
      <PersonHeader person={person} user={user} isSelf={name === self} open={open} onChange={reload} />
      <p class={isShut || person.state === 'invited' ? 'says' : 'says lit'}>
        {isShut
          ? fill(person.state === 'blocked' ? words.blockedMeans : words.stoppedMeans, { who: name })
          : sentence}{' '}
        {!isShut && turns !== undefined && <small>{turns}</small>}
      </p>
      <div class="person-columns">
        <OwnCameras person={person} name={name} />
        <PersonParts person={person} name={name} open={open} onChange={reload} />
      </div>
      {dialog !== undefined && PersonDialog !== undefined && (
        <PersonDialog
          kind={dialog}
          person={person}
          user={user}
          isSelf={name === self}
          onClose={close}
          onDone={reload}
          onMade={setMade}
        />
      )}
      {made !== undefined && InvitationLink !== undefined && (
        <InvitationLink made={made} onClose={() => setMade(undefined)} />
      )}
    </div>
  );
}
