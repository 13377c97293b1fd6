import { notifications as texts } from '#language/notifications';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { accessRequestsApi, bodyOf } from '../../api-client.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { useAction } from '../../ui/forms/use-action.ts';
import { FailureNotice, Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { text } from '../../text.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';

/** Asks the admins for a camera. */
export function AskPage() {
  const words = texts.ask;
  const camera = useLocation().query['camera'] ?? '';
  const [isAsked, setAsked] = useState(false);
  const action = useAction();
  const title = camera === '' ? words.noCamera : words.title(cameraText(camera));
  usePageTitle(title);
  const ask = () =>
    action.run(async () => {
      await bodyOf(accessRequestsApi.index.$post({ json: { camera } }));
      setAsked(true);
    });
  return (
    <Message page title={isAsked ? words.asked : title}>
      <p role="status">{isAsked ? words.askedHint : words.hint}</p>
      <FailureNotice error={action.failure} />
      {!isAsked && camera !== '' && (
        <button type="button" disabled={action.busy} aria-busy={action.busy} onClick={ask}>
          {words.ask}
        </button>
      )}
      <a href={gatePath('/')}>{text.actions.toStart}</a>
    </Message>
  );
}
