import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf } from '../../api-client.ts';
import { nameText } from '../../ui/event-text.ts';
import { Facts } from '../../ui/facts.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { Message } from '../../ui/notices.tsx';
import type { OpenedShare } from './opened-share.ts';
import { pageOf } from '../../path-prefix.ts';
import { SharedMedia } from './shared-media.tsx';
import { text } from '../../text.ts';
import { Time } from '../../ui/time.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { useShare } from './use-share.ts';
import { isTooEarly, useLimitedAction } from '../../ui/forms/use-limited-action.ts';

/** The page behind a share link. It asks the gate only for the share. */
export function SharePage() {
  const id = pageOf(useLocation().path).split('/').at(-1) ?? '';
  const { state, open, retry, onLost } = useShare(id);
  const words = text.sharePage;
  usePageTitle(state.kind === 'open' ? titleOf(state.share) : words.title);
  return (
    <main class="container share">
      {state.kind === 'opening' && (
        <p class="placeholder" role="status" aria-busy="true">
          {words.opening}
        </p>
      )}
      {state.kind === 'incomplete' && (
        <Message page alert title={words.incomplete}>
          <p>{words.incompleteHint}</p>
        </Message>
      )}
      {state.kind === 'over' && (
        <Message page alert title={words.over}>
          <p>{words.overHint}</p>
        </Message>
      )}
      {state.kind === 'failed' && (
        <Message page alert title={words.failed}>
          <p>{messageOf(state.error)}</p>
          <button type="button" onClick={retry}>
            {text.actions.tryAgain}
          </button>
        </Message>
      )}
      {state.kind === 'locked' && <Locked onOpen={open} />}
      {state.kind === 'open' && <Shown share={state.share} onLost={onLost} />}
    </main>
  );
}

function titleOf({ label, kind, cameras }: OpenedShare): string {
  if (label !== null && label !== '') return label;
  const { event, export: recorded } = text.sharePage;
  return kind === 'camera' ? cameras.map(nameText).join(', ') : kind === 'event' ? event : recorded;
}

function Shown({ share, onLost }: { readonly share: OpenedShare; readonly onLost: () => void }) {
  const words = text.sharePage;
  const { cameras, from, until, kind, expires_at: end } = share;
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus starts here after the form, and for screen readers.
  useEffect(() => heading.current?.focus(), []);
  return (
    <article>
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {titleOf(share)}
      </h1>
      <SharedMedia share={share} title={titleOf(share)} onLost={onLost} />
      <Facts
        facts={[
          [
            cameras.length === 1 ? words.camera : words.cameras,
            cameras.length === 0 ? null : <bdi>{cameras.map(nameText).join(', ')}</bdi>,
          ],
          [
            kind === 'camera' ? words.shared : words.recorded,
            <>
              <Time seconds={from} />
              {kind === 'camera' && (
                <>
                  {' – '}
                  <Time seconds={until} />
                </>
              )}
            </>,
          ],
          [words.worksUntil, <Time seconds={end} />],
        ]}
      />
    </article>
  );
}

function Locked({ onOpen }: { readonly onOpen: (password: string) => Promise<void> }) {
  const words = text.sharePage;
  const action = useLimitedAction();
  const { busy, failure, wait } = action;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (busy) return;
    field.current?.focus();
    field.current?.select();
  }, [busy]);
  return (
    <section class="locked">
      <h1>{words.locked}</h1>
      <Form
        action={action}
        onSubmit={(form) => onOpen(fieldOf(form, 'password'))}
        submit={words.show}
        waits={wait > 0}
        notice={
          wait > 0 && isTooEarly(failure) ? (
            <p role="alert" class="notice failure">
              {text.errors.too_many_requests} ({words.wait(wait)})
            </p>
          ) : undefined
        }
      >
        <Field
          label={words.password}
          inputRef={field}
          name="password"
          type="password"
          autocomplete="off"
          maxLength={256}
          required
        />
      </Form>
    </section>
  );
}
