import * as v from 'valibot';
import type { Wanted } from './shared-things.ts';
import { invalid, strictBody, textOf } from '../../http/validation.ts';

const text = v.string('Input should be text');
const whole = v.pipe(v.number('Input should be a number'), v.integer('Input should be a whole number'));
const moment = v.pipe(
  whole,
  v.minValue(1, 'Input should be at least 1'),
  // Ten digits, as recorders write times.
  v.maxValue(9_999_999_999, 'Input should be in seconds'),
  v.description('Seconds since the epoch.'),
);
const labelForm = /^(?! )[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}(?<! )$/u;

const labelWords = 'A label has 1 to 64 printable characters, and no space at its ends';

/** Anyone with the link has 20 guesses an hour, for weeks: `auth.failed_login_rate_limit` would not protect four digits. */
const shortestPassword = 8;

/** The body limits the bytes. */
export const longestPassword = 256;

export const newShare = strictBody({
  kind: v.picklist(['event', 'export', 'camera'], 'Input should be event, export or camera'),
  id: v.optional(v.pipe(textOf(1, 64), v.description('Id of the event or the export.'))),
  camera: v.optional(textOf(1, 128)),
  from: v.optional(moment),
  until: v.optional(moment),
  expires_in: v.pipe(
    whole,
    v.minValue(60, 'Input should be at least 60'),
    v.description('Seconds; at most `shares.longest`.'),
  ),
  password: v.optional(textOf(shortestPassword, longestPassword)),
  label: v.optional(
    v.pipe(
      text,
      v.check((label) => labelForm.test(label), labelWords),
      v.description(`${labelWords}.`),
    ),
  ),
});

/** Times are milliseconds since the epoch. @throws ValidationError */
export function wantedIn(
  { kind, id, camera, from, until }: v.InferOutput<typeof newShare>,
  now: number,
  expiresAt: number,
): Wanted {
  if (kind === 'camera') {
    if (id !== undefined) throw invalid(['body', 'id'], 'A camera has a name: camera');
    if (camera === undefined) throw invalid(['body', 'camera'], 'Field required');
    const begin = from === undefined ? now : from * 1000;
    const end = until === undefined ? expiresAt : until * 1000;
    if (begin >= end) throw invalid(['body', 'until'], 'Input should be later than from');
    return { kind, camera, from: begin, until: end };
  }
  for (const [field, value] of Object.entries({ camera, from, until }))
    if (value !== undefined) throw invalid(['body', field], `Only a camera has ${field}`);
  if (id === undefined) throw invalid(['body', 'id'], 'Field required');
  return { kind, object: id };
}
