import { useState } from 'preact/hooks';
import { bodyOf, peopleApi, type Person } from '../../api-client.ts';
import { text } from '../../text.ts';
import { listOf, useLoaded } from '../../ui/loading.ts';
import type { Columns } from '../../ui/lists/column-table.tsx';
import { ListSearch } from '../../ui/lists/list-search.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { isOn } from '../../ui/page-marks.ts';
import { faceStateOf } from '../../ui/people/access-text.ts';
import { Face } from '../../ui/people/face.tsx';
import { personPath } from '../../ui/roles/role-paths.ts';
import { agentText } from '../../ui/sessions/agent-text.ts';
import { listText } from '../../ui/words.ts';

const words = text.notifications.forEach;

/** More are shown on request: below the table the page ends. */
const shownAtOnce = 25;

async function loadPeople() {
  const people = await bodyOf(peopleApi.index.$get());
  // Someone who has not come yet has no account to hear about.
  return people.filter(({ account }) => account !== null);
}

/**
 * Shows where each person is told something. They choose it themselves: a switch here could hide a stolen sign-in from them.
 * @param mails whether there is a mail server, without which no one hears about their own account
 */
export function ForEachPerson({ mails }: { readonly mails: boolean }) {
  const [state, reload] = useLoaded(loadPeople);
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(shownAtOnce);
  const people = listOf(state, (all) => all);
  const found = people.items.filter((person) => isFound(person, search));
  const isFiltered = search !== '';
  const list = {
    ...people,
    items: found.slice(0, most),
    next: found.length > most ? ('more' as const) : null,
  };
  return (
    <section aria-labelledby="for-each">
      <h2 id="for-each">{words.title}</h2>
      <p class="muted">
        {mails ? words.mail : words.noMail} {isOn('push') && words.push} {words.own}
      </p>
      <ListSearch
        hint={words.searchHint}
        search={search}
        onSearch={setSearch}
        isFiltered={isFiltered}
        found={state.kind === 'loaded' ? found.length : undefined}
        count={people.items.length}
      />
      <Table
        what={words.what}
        list={list}
        onRetry={reload}
        onMore={() => setMost(found.length)}
        empty={words.none}
        onShowAll={isFiltered ? () => setSearch('') : undefined}
        caption={words.title}
        shown={columns(mails)}
      />
    </section>
  );
}

function isFound({ name, account }: Person, search: string): boolean {
  return [name, account?.email].some((one) => one?.toLowerCase().includes(search.toLowerCase()) === true);
}

function columns(mails: boolean): Columns<Person> {
  return {
    class: 'table',
    keyOf: ({ name }) => name ?? '',
    columns: [
      {
        title: words.name,
        isName: true,
        cell: (person) => (
          <span class="named">
            <Face name={person.name ?? ''} state={faceStateOf(person)} size="small" />
            <a class="plain" href={personPath(person.name ?? '')}>
              <strong>{person.name}</strong>
            </a>
          </span>
        ),
      },
      ...(mails ? [{ title: words.account, cell: mailText }] : []),
      ...(isOn('push') ? [{ title: words.cameras, cell: devicesText }] : []),
    ],
  };
}

function mailText({ account, state }: Person) {
  const email = account?.email ?? null;
  if (state !== 'blocked' && email !== null) return <span dir="auto">{email}</span>;
  return <span class="muted">{state === 'blocked' ? words.blocked : words.noAddress}</span>;
}

function devicesText({ devices }: Person) {
  const told = devices?.filter(({ pushes }) => pushes === true) ?? [];
  if (told.length > 0) return listText([...new Set(told.map(({ agent }) => agentText(agent)))]);
  return <span class="muted">{devices === null ? words.notKnown : words.off}</span>;
}
