import * as v from 'valibot';
import { unheardReasons, type RecorderAnswer, refusalOf } from './recorder-client.ts';
import { readJson } from '../policy/json.ts';

/** Why a role is not verified at the recorder. Operators search for these words. */
export const unverifiedReasons = {
  upstream_unset:
    'Postern does not know where fronts pass requests on to: set upstream to it (the embedded front is not concerned)',
  not_asked: 'the recorder has not answered yet',
  ...unheardReasons,
  no_profile: 'the answer at upstream does not come from a recorder that knows cameras of roles',
  everybody_is_admin:
    'the recorder treats everyone as an admin on the port that upstream names: name the port where it believes the identity headers (8971, not 5000)',
  more_cameras:
    'the recorder gives the role more cameras than Postern: it does not know the role and treats it as a viewer, or it has another list of cameras for it',
  change_refused:
    'the recorder refuses the role as it is in Postern: the detail is its answer; its configuration has to be writable',
  role_name_refused:
    'not a valid name in Frigate: use letters, digits and underscores, with at least one letter; Postern does not write the role to the recorder',
  role_without_cameras:
    'the role has no cameras, which a recorder would treat as all of them; Postern does not write the role to the recorder',
  expired: 'the last answer of the recorder is too old',
} as const;

export type UnverifiedReason = keyof typeof unverifiedReasons;

/** Whether the recorder is known to show a custom role only its cameras. */
export type RecorderRole =
  | { readonly state: 'verified' }
  | { readonly state: 'unverified'; readonly reason: UnverifiedReason };

/** The outcome of a request: the cameras that the recorder gives a role, or why they are not known. */
export type Told =
  | { readonly cameras: ReadonlySet<string> }
  | { readonly fault: UnverifiedReason; readonly detail?: string };

const profile = v.object({
  username: v.optional(v.string()),
  role: v.optional(v.string()),
  allowed_cameras: v.array(v.string()),
});

/** Reads the answer of a recorder to `GET /api/profile`, asked as someone of a custom role. */
export function readProfileAnswer(answer: RecorderAnswer): Told {
  const refusal = refusalOf(answer);
  if (refusal !== undefined) return { fault: refusal, detail: String(answer.status) };
  const read = v.safeParse(profile, readJson(answer.body));
  if (!read.success) return { fault: 'no_profile' };
  const { username, role, allowed_cameras: cameras } = read.output;
  if (username === 'anonymous' || role === 'admin') return { fault: 'everybody_is_admin' };
  return { cameras: new Set(cameras) };
}

/**
 * Whether a recorder treats everyone as an admin, judged by its response to `GET /api/profile`.
 * @param asked the role of the request
 */
export function isEveryoneAdmin({ status, body }: RecorderAnswer, asked: 'admin' | 'viewer'): boolean {
  const read = v.safeParse(profile, readJson(body));
  if (status !== 200 || !read.success) return false;
  const { username, role } = read.output;
  return username === 'anonymous' || (asked === 'viewer' && role === 'admin');
}

/** @returns the role in a response to `GET /api/profile`; `undefined` when it has none */
export function roleIn({ status, body }: RecorderAnswer): string | undefined {
  const read = v.safeParse(profile, readJson(body));
  return status === 200 && read.success ? read.output.role : undefined;
}

const setAnswer = v.object({ success: v.optional(v.boolean()), message: v.optional(v.string()) });

/** Reads the response to `PUT /api/config/set`. @returns why nothing was written, or `undefined` if it was */
export function refusalIn({ status, body }: RecorderAnswer): string | undefined {
  const read = v.safeParse(setAnswer, readJson(body));
  const { success, message } = read.success ? read.output : {};
  if (status === 200 && success === true) return undefined;
  return message === undefined ? String(status) : `${status}: ${message.slice(0, longestMessage)}`;
}

// It has to fit into one line of a log or a page.
const longestMessage = 200;
