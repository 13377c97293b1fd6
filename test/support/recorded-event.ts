import type { EventRecord } from '../../src/events/event-record.ts';

/** @returns an event of a recorder from 0.16 on, which keeps the thumbnail as a file */
export function recordedEvent(event: Partial<EventRecord> & Pick<EventRecord, 'id'>): EventRecord {
  return {
    label: 'person',
    sub_label: null,
    camera: 'front_door',
    start_time: 1_793_000_000,
    end_time: 1_793_000_010,
    false_positive: null,
    zones: [],
    thumbnail: '',
    has_clip: true,
    has_snapshot: true,
    retain_indefinitely: false,
    plus_id: null,
    model_hash: null,
    detector_type: null,
    model_type: null,
    data: {},
    ...event,
  };
}
