import { roleView as words } from '#language/role-view';
import type { AuditRecord } from '../../api-client.ts';
import { reasonText, whoText } from './audit-text.ts';
import { Explained, reasonOf, Verdict } from '../../ui/roles/explained.tsx';
import { placesOf, type AccessPlace } from './give-access.ts';
import { Modal } from '../../ui/forms/modal.tsx';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { rolePath } from '../../ui/roles/role-path.ts';
import { TimeAgo } from '../../ui/time.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { readWhy, type Why } from './why.ts';
import { withCode } from '../../ui/words.tsx';

/** Why a request was refused, and where to give access. */
export function WhyDialog(props: { readonly record: AuditRecord; readonly onClose: () => void }) {
  const { record, onClose } = props;
  const [state, reload] = useLoaded(() => readWhy(record));
  const { method } = record.detail;
  return (
    <Modal title={words.why} wide onClose={onClose}>
      <p class="hint">
        <span dir="auto">
          {record.user !== null && record.role !== null
            ? words.by(record.user, record.role)
            : whoText(record)}
        </span>{' '}
        · <TimeAgo seconds={Date.parse(record.time) / 1000} />
        <br />
        <code>
          {typeof method === 'string' && `${method} `}
          {record.object}
        </code>
      </p>
      {state.kind === 'loading' && <Loading what={words.explanation} />}
      {state.kind === 'failed' && (
        <LoadFailure what={words.explanation} error={state.error} onRetry={reload} />
      )}
      {state.kind === 'loaded' && <Answer record={record} why={state.value} />}
    </Modal>
  );
}

function Answer({
  record,
  why: { explanation, isDecidedNow },
}: {
  readonly record: AuditRecord;
  readonly why: Why;
}) {
  const isSame = explanation?.reason === record.reason;
  const places =
    explanation === undefined || explanation.verdict === 'allow' ? [] : placesOf(explanation, record.source);
  return (
    <>
      <Verdict
        isAllowed={false}
        why={isSame && explanation !== undefined ? reasonOf(explanation) : (reasonText(record) ?? '')}
      />
      {isDecidedNow && explanation !== undefined && (
        <>
          <p>{words.anew}</p>
          <Verdict isAllowed={explanation.verdict === 'allow'} why={reasonOf(explanation)} />
        </>
      )}
      {explanation === undefined && <p>{words.noDecision}</p>}
      {explanation !== undefined && <Explained explanation={explanation} />}
      {places.length > 0 && (
        <section class="give-access" aria-labelledby="give-access">
          <h3 id="give-access">{words.giveAccess}</h3>
          <ul>
            {places.map((place) => (
              <li key={place.kind}>
                <PlaceLink place={place} />
              </li>
            ))}
          </ul>
          <small>{words.giveAccessHint}</small>
        </section>
      )}
    </>
  );
}

function PlaceLink({ place }: { readonly place: AccessPlace }) {
  const settings = (page: string, query: Readonly<Record<string, string>> = {}) => {
    const search = new URLSearchParams(query).toString();
    return gatePath(`/settings/${page}`) + (search === '' ? '' : `?${search}`);
  };
  switch (place.kind) {
    case 'role':
      return <a href={rolePath(place.role, place.cameras)}>{words.place.role(place.role)}</a>;
    case 'recorder':
      return <a href={rolePath(place.role)}>{words.place.recorder(place.role)}</a>;
    case 'user':
      return <a href={settings('users', { search: place.user })}>{words.place.user(place.user)}</a>;
    case 'tokens':
      return place.user === undefined ? (
        <a href={settings('tokens')}>{words.place.allTokens}</a>
      ) : (
        <a href={settings('tokens', { search: place.user })}>{words.place.tokens(place.user)}</a>
      );
    case 'add-user':
      return <a href={settings('users')}>{words.place.addUser}</a>;
    case 'proxy':
      return <>{withCode(words.place.proxy)}</>;
  }
}
