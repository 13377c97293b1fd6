import { useEffect, useState } from 'preact/hooks';
import { useFocusNear } from '../lists/focus-near.ts';
import { Rows } from '../lists/row.tsx';
import { TitledSection } from '../titled-section.tsx';
import { clockText } from '../time-text.ts';
import { showToast } from '../toasts.tsx';
import { useAction } from '../forms/use-action.ts';
import { FailureNotice } from '../notices.tsx';
import { fill, text } from '../../text.ts';
import { allowAgain, readStops, type Stop } from './streams-api.ts';

interface StoppedProps {
  /** It is read again whenever this changes. */
  readonly state: unknown;
  /** Takes the focus when the focused element is removed. */
  readonly heading: { readonly current: HTMLElement | null };
}

/** What admins have stopped for an hour, to allow it again. */
export function StoppedList({ state, heading }: StoppedProps) {
  const [stops, setStops] = useState<readonly Stop[]>([]);
  const { failure, run } = useAction();
  const read = async () => setStops((await readStops()).filter(({ cameras }) => cameras === null));
  useEffect(() => {
    // What is open shows already that the gate does not answer.
    void read().catch(() => undefined);
  }, [state]);
  const goes = useFocusNear(
    stops.map(({ id }) => id),
    heading,
  );
  if (stops.length === 0) return null;
  const rows = stops.map(({ id, name, until, by }) => ({
    key: id,
    title: name,
    isTyped: true,
    facts: [fill(text.watching.until, { clock: clockText(until) }), fill(text.watching.by, { admin: by })],
    actions: [
      {
        label: fill(text.watching.allowOf, { user: name }),
        name: text.watching.allow,
        onClick: () =>
          run(async () => {
            await allowAgain(id);
            goes(id);
            await read();
            showToast(fill(text.watching.allowed, { user: name }));
          }),
      },
    ],
  }));
  return (
    <TitledSection id="stopped" title={text.watching.stoppedTitle}>
      <FailureNotice error={failure} />
      <Rows rows={rows} caption={text.watching.stoppedTitle} />
    </TitledSection>
  );
}
