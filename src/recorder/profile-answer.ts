import * as v from 'valibot';
import { readJson } from '../policy/json.ts';
import type { RecorderAnswer } from './recorder-client.ts';
import type { UnverifiedReason } from './recorder-role.ts';
import { refusalOf } from './unheard.ts';

/** What came of a request: the cameras that the recorder gives a role, or why that is not known. */
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
 * Whether a recorder takes everyone for an admin, judged by its response to `GET /api/profile`.
 * @param asked the role of the request
 */
export function isEveryoneAdmin({ status, body }: RecorderAnswer, asked: 'admin' | 'viewer'): boolean {
  const read = v.safeParse(profile, readJson(body));
  if (status !== 200 || !read.success) return false;
  const { username, role } = read.output;
  return username === 'anonymous' || (asked === 'viewer' && role === 'admin');
}
