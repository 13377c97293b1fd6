import { useState } from 'preact/hooks';
import { bodyOf, ownEmailApi } from '../../api-client.ts';
import { Field } from '../../ui/forms/field.tsx';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { Form } from '../../ui/forms/form.tsx';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { TitledSection } from '../../ui/section.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { fill, text } from '../../text.ts';

const texts = text.notifications;

const words = texts.own;

/** How the user is alerted: nothing is shown where the gate sends nothing. */
export function OwnAlerts() {
  const [state, reload] = useLoaded(() => bodyOf(ownEmailApi.email.$get()));
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const { mails, email, of_provider: isOfProvider } = state.value;
  if (!mails) return null;
  return (
    <TitledSection id="alerts" title={words.title}>
      {isOfProvider ? (
        email !== null && <p>{fill(words.ofProvider, { email })}</p>
      ) : (
        <EmailForm email={email ?? ''} />
      )}
    </TitledSection>
  );
}

function EmailForm({ email }: { readonly email: string }) {
  const action = useAction();
  const [saved, setSaved] = useState<string | null>();
  const save = async (form: FormData) => {
    setSaved(undefined);
    const wanted = fieldOf(form, 'email').trim() || null;
    await bodyOf(ownEmailApi.email.$put({ json: { email: wanted } }));
    setSaved(wanted);
  };
  return (
    <Form
      action={action}
      onSubmit={save}
      submit={words.save}
      submitClass="secondary outline"
      notice={
        saved !== undefined && (
          <p class="notice success" role="status">
            {saved === null ? words.cleared : words.saved}
          </p>
        )
      }
    >
      <Field
        label={words.email}
        hint={words.emailHint}
        type="email"
        name="email"
        autocomplete="email"
        defaultValue={email}
        maxLength={254}
      />
    </Form>
  );
}
