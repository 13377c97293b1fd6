import { useLocation } from 'preact-iso';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf } from '../../api-client.ts';
import { Facts } from '../../ui/section.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { fieldOf, isTooEarly, useLimitedAction } from '../../ui/forms/form-action.ts';
import { Gatehouse } from '../../ui/drawings.tsx';
import type { ComponentChildren } from 'preact';
import { useShare, type OpenedShare } from './use-share.ts';
import { pageOf } from '../../path-prefix.ts';
import { SharedMedia } from './shared-media.tsx';
import { plural, text } from '../../text.ts';
import { Time } from '../../ui/parts.tsx';
import { usePageTitle } from '../../ui/page-hooks.ts';

/** The page behind a share link. It asks Postern only for the share. */
export function SharePage() {
  const id = pageOf(useLocation().path).split('/').at(-1) ?? '';
  const { state, open, retry, onLost } = useShare(id);
  const words = text.sharePage;
  usePageTitle(state.kind === 'open' ? titleOf(state.share) : words.title);
  return (
    <main class="share">
      {state.kind === 'opening' && (
        <p class="placeholder" role="status" aria-busy="true">
          {words.opening}
        </p>
      )}
      {state.kind === 'incomplete' && (
        <Closed title={words.incomplete}>
          <p>{words.incompleteHint}</p>
        </Closed>
      )}
      {state.kind === 'over' && (
        <Closed title={words.over}>
          <p>{words.overHint}</p>
        </Closed>
      )}
      {state.kind === 'failed' && (
        <Closed title={words.failed}>
          <p>{messageOf(state.error)}</p>
          <button type="button" onClick={retry}>
            {text.actions.tryAgain}
          </button>
        </Closed>
      )}
      {state.kind === 'locked' && <Locked onOpen={open} />}
      {state.kind === 'open' && <Shown share={state.share} onLost={onLost} />}
    </main>
  );
}

function Closed({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <Gatehouse isShut>
      <section role="alert">
        <h1>{title}</h1>
        {children}
      </section>
    </Gatehouse>
  );
}

function titleOf({ label, kind, cameras }: OpenedShare): string {
  if (label !== null && label !== '') return label;
  const { event, export: recorded } = text.sharePage;
  return kind === 'camera' ? cameras.map(cameraText).join(', ') : kind === 'event' ? event : recorded;
}

function Shown({ share, onLost }: { readonly share: OpenedShare; readonly onLost: () => void }) {
  const words = text.sharePage;
  const { cameras, from, until, kind, expires_at: end } = share;
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus starts here after the form, and for screen readers.
  useEffect(() => heading.current?.focus(), []);
  return (
    <article>
      <div class="shared-by">
        <p>{words.shownToYou[kind]}</p>
        <p>
          {words.worksUntil} <Time seconds={end} />
        </p>
      </div>
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {titleOf(share)}
      </h1>
      <SharedMedia share={share} title={titleOf(share)} onLost={onLost} />
      <Facts
        facts={[
          [
            cameras.length === 1 ? words.camera : words.cameras,
            cameras.length === 0 ? null : <bdi>{cameras.map(cameraText).join(', ')}</bdi>,
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
    <Gatehouse>
      <header>
        <p class="by">{words.sharedWithYou}</p>
        <h1>{words.locked}</h1>
      </header>
      <Form
        action={action}
        onSubmit={(form) => onOpen(fieldOf(form, 'password'))}
        submit={words.show}
        waits={wait > 0}
        notice={
          wait > 0 && isTooEarly(failure) ? (
            <p role="alert" class="notice failure">
              {text.errors.too_many_requests} ({plural(words.wait, wait)})
            </p>
          ) : undefined
        }
      >
        <Field
          label={words.password}
          inputRef={field}
          name="password"
          type="password"
          hint={words.passwordHint}
          autocomplete="off"
          maxLength={256}
          required
        />
      </Form>
    </Gatehouse>
  );
}
