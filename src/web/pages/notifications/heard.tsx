import { useRef, useState } from 'preact/hooks';
import type { AlertEvent } from '../../../config/notifications-section.ts';
import { text } from '../../text.ts';
import { readSetting, SettingFailure, writeSetting } from '../../ui/settings/setting.tsx';
import { everyEvent, groups } from './heard-events.ts';
import type { AlertSettings } from './targets.ts';

/** Which events people hear about. Each switch is saved at once. */
export function Heard({ settings }: { readonly settings: AlertSettings }) {
  const words = text.notifications.heard;
  const saved = useRef<ReadonlySet<AlertEvent>>(new Set(settings.events ?? everyEvent));
  const [on, setOn] = useState(saved.current);
  const [failure, setFailure] = useState<unknown>();
  const saving = useRef<Promise<void>>(Promise.resolve());
  const saveAfter = async (earlier: Promise<void>, next: ReadonlySet<AlertEvent>) => {
    await earlier;
    try {
      await save(next);
      saved.current = next;
    } catch (error) {
      setOn(saved.current);
      setFailure(error);
    }
  };
  const change = (events: readonly AlertEvent[], isOn: boolean) => {
    const next = new Set(on);
    for (const event of events) {
      if (isOn) next.add(event);
      else next.delete(event);
    }
    setOn(next);
    setFailure(undefined);
    saving.current = saveAfter(saving.current, next);
  };
  return (
    <section aria-labelledby="heard">
      <h2 id="heard">{words.title}</h2>
      <div class="card heard">
        {Object.entries(groups).map(([group, switches]) => (
          <div key={group} role="group" aria-labelledby={`heard-${group}`}>
            <h3 id={`heard-${group}`}>{words.groups[group as keyof typeof groups]}</h3>
            {Object.entries(switches).map(([name, events]: [string, readonly AlertEvent[]]) => {
              const { says, hint } = words.switches[name as keyof typeof words.switches];
              const count = events.filter((event) => on.has(event)).length;
              return (
                <label key={name} class="sw">
                  <span>
                    {says}
                    {hint !== '' && <small>{hint}</small>}
                    {count > 0 && count < events.length && <small>{words.inPart}</small>}
                  </span>
                  <input
                    type="checkbox"
                    role="switch"
                    checked={count === events.length}
                    onChange={({ currentTarget }) => change(events, currentTarget.checked)}
                  />
                </label>
              );
            })}
          </div>
        ))}
      </div>
      <SettingFailure error={failure} />
    </section>
  );
}

/** With all of them on, none is written: so later ones are on too. */
async function save(on: ReadonlySet<AlertEvent>): Promise<void> {
  const { value } = await readSetting<AlertSettings>('notifications');
  const { events: _, ...others } = value ?? {};
  const events = everyEvent.filter((event) => on.has(event));
  const isAll = events.length === everyEvent.length;
  await writeSetting('notifications', isAll ? others : { ...others, events });
}
