import type { ComponentChildren } from 'preact';
import { ApiFailure, bodyOf, codeIn, settingsApi } from '../../api-client.ts';
import { text } from '../../text.ts';
import { useAction } from '../forms/form-action.ts';
import { Form } from '../forms/form.tsx';
import { FailureNotice } from '../notices.tsx';
import { withCode } from '../parts.tsx';
import { CopiedText } from '../shown-once.tsx';
import { showToast } from '../toasts.tsx';

type Section = Parameters<(typeof settingsApi)[':section']['$get']>[0]['param']['section'];

/** A section of config.yml, as it is written there. */
export interface Setting<Value> {
  /** Null: it is not there, and the default applies. */
  readonly value: Value | null;
  readonly writable: boolean;
}

/** @throws ApiFailure */
export async function readSetting<Value>(section: Section): Promise<Setting<Value>> {
  return (await bodyOf(settingsApi[':section'].$get({ param: { section } }))) as Setting<Value>;
}

/** @param value null deletes it @throws ApiFailure; where the file can't be written, it has the lines to paste */
export async function writeSetting(section: Section, value: unknown): Promise<void> {
  await bodyOf(settingsApi[':section'].$put({ param: { section }, json: { value } }));
}

/** Says before anything is typed that the file can't be written. */
export function ReadOnlyNote({ setting }: { readonly setting: Setting<unknown> }) {
  return setting.writable ? null : <p class="notice">{withCode(text.keptSettings.readOnly)}</p>;
}

/** *Save*, and other buttons beside it. */
export function SaveButtons(props: { readonly isBusy: boolean; readonly children?: ComponentChildren }) {
  return (
    <div class="kept-actions">
      <button type="submit" disabled={props.isBusy} aria-busy={props.isBusy}>
        {text.keptSettings.save}
      </button>
      {props.children}
    </div>
  );
}

/** A form for one setting, with *Save* and other buttons beside it. */
export function SettingForm(props: {
  /** @throws FormProblem when what was typed is no value, and what `writeSetting` throws */
  readonly save: () => Promise<void>;
  readonly onSaved: () => void;
  readonly beside: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { save, onSaved, beside, children } = props;
  const action = useAction();
  const submit = async () => {
    await save();
    showToast(text.keptSettings.saved);
    onSaved();
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      submit={undefined}
      notice={<SettingFailure error={action.failure} />}
      below={<SaveButtons isBusy={action.busy}>{beside}</SaveButtons>}
    >
      {children}
    </Form>
  );
}

/** Why a setting was not written, or the lines to paste into the file. */
export function SettingFailure({ error }: { readonly error: unknown }) {
  const words = text.keptSettings;
  const lines = linesIn(error);
  if (lines === undefined) return <FailureNotice error={error} />;
  return (
    <div class="notice pasted" role="alert">
      <p>{withCode(words.paste)}</p>
      <CopiedText label="config.yml" value={lines} />
      {lines.includes('***') && <p>{withCode(words.secrets)}</p>}
      <p>{words.readSoon}</p>
    </div>
  );
}

function linesIn(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure) || codeIn(error.body) !== 'configuration_read_only') return undefined;
  const { lines } = error.body as { readonly lines?: unknown };
  return typeof lines === 'string' ? lines : undefined;
}
