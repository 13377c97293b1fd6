import { Fragment } from 'preact';
import type { RecorderRoles, Role } from '../../api-client.ts';
import { numberText } from '../../ui/words.ts';
import { mayOf } from '../../ui/roles/role-access.ts';
import { rolePath } from '../../ui/roles/role-paths.ts';
import { fill, text } from '../../text.ts';

const words = text.access;

// More names would push the matrix off the screen.
const mostNamed = 6;

interface BlockedListsProps {
  readonly roles: readonly Role[];
  readonly recorder: RecorderRoles;
}

/** Names the roles whose lists are blocked, each with a link to the reason, and why the recorder gets no roles. */
export function BlockedLists({ roles, recorder }: BlockedListsProps) {
  const blocked = roles.filter((role) => role.recorder !== 'verified' && mayOf(role).includes('history'));
  return (
    <>
      {recorder.unread_reason !== null && (
        <p class="notice">
          {text.roles.notWritten} {text.roles.unread[recorder.unread_reason]}
        </p>
      )}
      {blocked.length > 0 && (
        <p class="notice">
          {words.listsBlocked}{' '}
          {blocked.slice(0, mostNamed).map(({ name }, index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <a href={rolePath(name)}>{name}</a>
            </Fragment>
          ))}
          {blocked.length > mostNamed &&
            fill(words.andMore, { count: numberText(blocked.length - mostNamed) })}
        </p>
      )}
    </>
  );
}
