import { answerChange, type AnswerReader } from '../policy/recorder/changed-answers.ts';
import type { Allowed } from '../policy/decision.ts';
import type { Transformer } from './whole-answer.ts';

/** Removes secrets and other cameras from the recorder's responses. */
export const changedAnswers: Transformer = {
  isFor: (permitted) => changeOf(permitted) !== undefined,
  transform: (body, permitted) => {
    const change = changeOf(permitted)?.change;
    return change === undefined ? body : Buffer.from(change(body.toString(), readerOf(permitted)));
  },
};

function changeOf(permitted: Allowed) {
  return answerChange(permitted.path ?? '', readerOf(permitted));
}

function readerOf({ identity, grant }: Allowed): AnswerReader {
  return { role: identity?.role ?? '', grant };
}
