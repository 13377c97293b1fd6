import * as v from 'valibot';
import { readJson } from '../policy/json.ts';
import type { RecorderAnswer } from './recorder-client.ts';

const setAnswer = v.object({ success: v.optional(v.boolean()), message: v.optional(v.string()) });

/** Reads the response to `PUT /api/config/set`. @returns why nothing was written; undefined: it was */
export function refusalIn({ status, body }: RecorderAnswer): string | undefined {
  const read = v.safeParse(setAnswer, readJson(body));
  const { success, message } = read.success ? read.output : {};
  if (status === 200 && success === true) return undefined;
  return message === undefined ? String(status) : `${status}: ${message.slice(0, longestMessage)}`;
}

// It has to fit into one line of a log or a page.
const longestMessage = 200;
