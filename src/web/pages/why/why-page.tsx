import { useLocation } from 'preact-iso';
import { SettingsFrame } from '../../ui/section.tsx';
import { Refusal } from './refusal.tsx';
import { TestAccess } from './test-access.tsx';
import { text } from '../../text.ts';

const words = text.why;

/** Whether someone may do something with a camera, or why a request was refused. */
export function WhyPage() {
  const { decision } = useLocation().query;
  const title = decision === undefined ? words.title : words.refused;
  return (
    <SettingsFrame page="access" title={title}>
      <div class="why">
        <h1>{title}</h1>
        {decision === undefined ? <TestAccess /> : <Refusal key={decision} decision={decision} />}
      </div>
    </SettingsFrame>
  );
}
