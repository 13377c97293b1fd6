import { DatabaseSync } from 'node:sqlite';
import { recorderFile, type RecorderFile } from '../unit/events/recorder-file.ts';

/** Noon in London and one o'clock in Berlin, on the first of November 2026. */
const newest = Date.UTC(2026, 10, 1, 12) / 1000;

const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'] as const;

/** How many events Explore asks for at once. */
export const pageSize = 24;

/** Titles of all events, newest first but for those of one moment, which have no order. */
export const allTitles: readonly string[] = [
  'Car',
  'Person: Olaf',
  'Dog',
  ...Array.from({ length: 40 }, (_, index) => `Person: crowd ${index}`),
  ...Array.from({ length: 30 }, (_, index) => `Cat: old ${index}`),
];

/** The events that the browser tests look at: some with every field, a crowd of one moment, and older ones. */
export function recordedEvents(): RecorderFile {
  const file = recorderFile();
  file.recorder.exec('BEGIN');
  file.addEvent({
    id: 'running-car',
    label: 'car',
    camera: 'driveway',
    start_time: newest,
    end_time: null,
    zones: '["street","front_lawn"]',
  });
  file.addEvent({
    id: 'person-olaf',
    label: 'person',
    sub_label: 'Olaf',
    camera: 'front_door',
    start_time: newest - 60,
    end_time: newest + 15,
    zones: '["front_steps"]',
    thumbnail: sampleThumbnail(),
    has_snapshot: 1,
    data: '{"top_score":0.874}',
  });
  file.addEvent({
    id: 'dog',
    label: 'dog',
    camera: 'garage',
    start_time: newest - 120,
    end_time: newest - 112,
  });
  // The page ends in the middle of them: their common time does not show which ones are still to come.
  for (let index = 0; index < 40; index += 1) {
    const start = newest - 600.25;
    file.addEvent({
      id: `crowd-${index}`,
      label: 'person',
      sub_label: `crowd ${index}`,
      camera: index % 2 === 0 ? 'front_door' : 'driveway',
      start_time: start,
      end_time: start + 5,
    });
  }
  for (let index = 0; index < 30; index += 1) {
    const start = newest - 3_600 - index * 60;
    file.addEvent({
      id: `old-${index}`,
      label: 'cat',
      sub_label: `old ${index}`,
      camera: cameras[index % cameras.length] ?? '',
      start_time: start,
      end_time: start + 3_700,
    });
  }
  file.recorder.exec('COMMIT');
  return file;
}

function sampleThumbnail(): string {
  const sample = new DatabaseSync(new URL('./recorder.db', import.meta.url), { readOnly: true });
  const row = sample.prepare("SELECT thumbnail FROM event WHERE thumbnail <> '' LIMIT 1").get();
  sample.close();
  return String(row?.['thumbnail']);
}
