import { cameraText } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/words.ts';
import { capabilities, type PaneStates } from '../../ui/roles/role-access.ts';
import { turnText } from '../../ui/roles/schedule.ts';
import { fill, text } from '../../text.ts';
import type { MatrixEntry } from './access-rows.ts';

const words = text.access;

type ScheduleNow = NonNullable<MatrixEntry['schedule']>;

/** @returns what the schedule of a row means now, or `undefined` if it is always open */
export function whenText(
  schedule: ScheduleNow | null,
  { at, zone }: { readonly at: number; readonly zone: string },
): string | undefined {
  if (schedule === null) return undefined;
  const { is_open: isOpen, turns } = schedule;
  if (turns === null) return isOpen ? undefined : words.over;
  return isOpen
    ? fill(words.until, { moment: turnText(turns, at, zone) })
    : fill(words.opens, { moment: turnText(turns, at, zone) });
}

/** @returns such as "live, recordings closed" */
export function panesText(states: PaneStates | undefined): string {
  if (states === undefined) return words.none;
  const named = (state: string) =>
    capabilities.filter((word) => states[word] === state).map((word) => words.words[word]);
  const [may, closed] = [named('may'), named('closed')];
  return [
    may.length > 0 && listText(may),
    closed.length > 0 && fill(words.closedWords, { words: listText(closed) }),
  ]
    .filter(Boolean)
    .join('; ');
}

/** @returns the text that a screen reader reads for a cell */
export function cellText(row: MatrixEntry, camera: string, when: string | undefined): string {
  const states = row.panes.get(camera);
  const isClosed = states !== undefined && capabilities.some((word) => states[word] === 'closed');
  const state = isClosed && when !== undefined ? `${panesText(states)}, ${when}` : panesText(states);
  return fill(words.cell, { row: row.name, camera: cameraText(camera), state });
}
