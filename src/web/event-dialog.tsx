import type { EventRecord } from '../events/event-record.ts';
import { Thumbnail } from './event-card.tsx';
import { durationText, nameText, titleOf } from './event-text.ts';
import { Facts, type Fact } from './facts.tsx';
import { Modal } from './modal.tsx';
import { timeText } from './time-text.ts';

export function EventDialog({
  event,
  onClose,
}: {
  readonly event: EventRecord;
  readonly onClose: () => void;
}) {
  const score = event.data['top_score'] ?? event.data['score'];
  const facts: readonly Fact[] = [
    ['Camera', nameText(event.camera)],
    ['Started', timeText(event.start_time)],
    ['Ended', event.end_time === null ? 'Still running' : timeText(event.end_time)],
    ['Duration', event.end_time === null ? null : durationText(event)],
    ['Zones', event.zones.map(nameText).join(', ') || 'None'],
    ['Score', typeof score === 'number' ? `${Math.round(score * 100)} %` : null],
    ['Clip', event.has_clip ? 'Yes' : 'No'],
    ['Snapshot', event.has_snapshot ? 'Yes' : 'No'],
    ['Kept indefinitely', event.retain_indefinitely ? 'Yes' : 'No'],
    ['False positive', event.false_positive === true ? 'Yes' : null],
    ['Detector', [event.detector_type, event.model_type].filter(Boolean).join(', ') || null],
    ['Model', event.model_hash],
    ['Plus id', event.plus_id],
    ['Id', event.id],
  ];
  return (
    <Modal title={titleOf(event)} wide onClose={onClose}>
      <div class="event-details">
        <Thumbnail event={event} />
        <Facts facts={facts} />
      </div>
      <details>
        <summary>Data of the detector</summary>
        <pre tabIndex={0}>{JSON.stringify(event.data, undefined, 2)}</pre>
      </details>
    </Modal>
  );
}
