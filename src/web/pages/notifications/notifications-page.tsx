import { useEffect, useState } from 'preact/hooks';
import { bodyOf, notificationsApi } from '../../api-client.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { SettingsFrame } from '../../ui/section.tsx';
import { readSetting, ReadOnlyNote, writeSetting } from '../../ui/settings/setting.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { isOn } from '../../ui/page-marks.ts';
import { gatePath } from '../../path-prefix.ts';
import { plural, text } from '../../text.ts';
import { useLater } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';
import { Heard } from './heard.tsx';
import { editId, EmptyCard, TargetCard } from './target-card.tsx';
import { TargetForm } from './target-form.tsx';
import { kinds, withTarget, type AlertSettings, type Kind, type Target } from './targets.ts';

const words = text.notifications;

/** Where alerts go, a test of each place, and what they are about. */
export function NotificationsPage() {
  return (
    <SettingsFrame page="notifications">
      <Alerts />
    </SettingsFrame>
  );
}

async function loadAlerts() {
  const [setting, { lost }] = await Promise.all([
    readSetting<AlertSettings>('notifications'),
    bodyOf(notificationsApi.index.$get()),
  ]);
  return { setting, lost };
}

const loadForEach = async () => (await import('./for-each-person.tsx')).ForEachPerson;

interface Opened {
  readonly kind: Kind;
  readonly before?: Target;
}

function Alerts() {
  const [state, reload] = useLoaded(loadAlerts);
  const [opened, setOpened] = useState<Opened>();
  const [focused, setFocused] = useState<string>();
  const ForEachPerson = useLater(loadForEach, true, () => undefined);
  useEffect(() => {
    if (opened === undefined && focused !== undefined)
      (document.getElementById(focused) ?? document.getElementById('notifications'))?.focus();
  }, [opened, state]);
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const { setting, lost } = state.value;
  const settings = setting.value ?? {};
  const targets = settings.targets ?? [];
  const isSet = targets.length > 0;
  const mails = targets.some(({ type }) => type === 'mail');
  const close = () => {
    setFocused(opened?.before === undefined ? `set-up-${opened?.kind}` : editId(opened.before));
    setOpened(undefined);
  };
  const save = async (before: Target | undefined, after: Target | undefined) => {
    const { value } = await readSetting<AlertSettings>('notifications');
    await writeSetting('notifications', withTarget(value ?? {}, before, after));
    showToast(after === undefined ? words.removed : words.saved);
    setFocused('notifications');
    setOpened(undefined);
    reload();
  };
  return (
    <section class="kept" aria-labelledby="notifications">
      <div>
        <h1 id="notifications" tabIndex={-1}>
          {text.settings.notifications}
        </h1>
        <p class="muted lead">{isSet ? words.hint : words.noneHint}</p>
      </div>
      <ReadOnlyNote setting={setting} />
      {lost > 0 && <p class="notice failure">{plural(words.lost, lost)}</p>}
      {opened === undefined ? (
        <Places targets={targets} onOpen={setOpened} />
      ) : (
        <TargetForm
          key={opened}
          kind={opened.kind}
          before={opened.before}
          onSave={(after) => save(opened.before, after)}
          onClose={close}
        />
      )}
      {isSet ? (
        <>
          <Heard settings={settings} />
          {ForEachPerson !== undefined && (mails || isOn('push')) && <ForEachPerson mails={mails} />}
        </>
      ) : (
        <p class="muted">
          {words.next} {isOn('push') && <a href={gatePath('/account')}>{words.ownPhone}</a>}
        </p>
      )}
    </section>
  );
}

/** The targets, and the kinds that there are none of. */
function Places(props: { readonly targets: readonly Target[]; readonly onOpen: (opened: Opened) => void }) {
  const { targets, onOpen } = props;
  const missing = kinds.filter((kind) => !targets.some(({ type }) => type === kind));
  const others = kinds.filter((kind) => !missing.includes(kind));
  return (
    <section aria-labelledby="places">
      <h2 id="places" class={targets.length === 0 ? 'hidden-text' : undefined}>
        {words.where}
      </h2>
      <ul class="targets">
        {targets.map((target) => (
          <TargetCard
            key={JSON.stringify(target)}
            target={target}
            onEdit={() => onOpen({ kind: target.type, before: target })}
          />
        ))}
        {missing.map((kind) => (
          <EmptyCard
            key={kind}
            kind={kind}
            isFirst={targets.length === 0 && kind === 'ntfy'}
            onSetUp={() => onOpen({ kind })}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <p class="more-targets">
          <span class="muted">{words.another}</span>
          {others.map((kind) => (
            <button
              key={kind}
              type="button"
              class="quiet"
              id={`set-up-${kind}`}
              onClick={() => onOpen({ kind })}
            >
              {words.kinds[kind].name}
            </button>
          ))}
        </p>
      )}
    </section>
  );
}
