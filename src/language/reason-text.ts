import { reasons, type Reason } from '../policy/reasons.ts';
import type { Language } from './language.ts';
import { texts } from './texts.ts';

export interface ReasonText {
  readonly meaning: string;
  /** Advice for the operator. Code stands between backticks. */
  readonly advice: string;
}

/** @returns undefined for a text that is no reason of a decision */
export function reasonText(reason: Reason, language: Language): ReasonText;
export function reasonText(reason: string, language: Language): ReasonText | undefined;
export function reasonText(reason: string, language: Language): ReasonText | undefined {
  const known = reasons.find((name) => name === reason);
  if (known === undefined) return undefined;
  const { meanings, advices } = texts[language].reasons;
  return { meaning: meanings[known], advice: advices[known] };
}
