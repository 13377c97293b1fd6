import type { EventRecord } from '../../../events/event-record.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { EventMedia } from './event-media.tsx';
import { durationText, isRunning } from '../event-text.ts';
import { nameText } from '../name-text.ts';
import { Facts, type Fact } from '../facts.tsx';
import { text } from '../../text.ts';
import { Time, TimeAgo } from '../time.tsx';

/** All details of an event. */
export function EventDetails({ event }: { readonly event: EventRecord }) {
  const words = text.events;
  const score = event.data['top_score'] ?? event.data['score'];
  const yesOrNo = (is: boolean) => (is ? words.yes : words.no);
  const facts: readonly Fact[] = [
    [words.camera, cameraText(event.camera)],
    [
      words.started,
      <>
        <Time seconds={event.start_time} /> · <TimeAgo seconds={event.start_time} />
      </>,
    ],
    [
      words.ended,
      event.end_time === null ? isRunning(event) ? words.notEnded : null : <Time seconds={event.end_time} />,
    ],
    [words.duration, event.end_time === null ? null : (durationText(event) ?? null)],
    [words.zones, event.zones.map(nameText).join(', ') || words.noZones],
    [words.score, typeof score === 'number' ? `${Math.round(score * 100)} %` : null],
  ];
  const more: readonly Fact[] = [
    [words.clip, yesOrNo(event.has_clip)],
    [words.snapshot, yesOrNo(event.has_snapshot)],
    [words.kept, yesOrNo(event.retain_indefinitely)],
    [words.falsePositive, event.false_positive === true ? words.yes : null],
    [words.detector, [event.detector_type, event.model_type].filter(Boolean).join(', ') || null],
    [words.model, event.model_hash],
    [words.plusId, event.plus_id],
    [words.id, event.id],
  ];
  return (
    <>
      <div class="event-details">
        <EventMedia key={event.id} event={event} />
        <Facts facts={facts} />
      </div>
      <details>
        <summary>{words.more}</summary>
        <Facts facts={more} />
        <h3>{words.detectorData}</h3>
        <pre tabIndex={0}>{JSON.stringify(event.data, undefined, 2)}</pre>
      </details>
    </>
  );
}
