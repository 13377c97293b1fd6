import { reasons, type Reason } from '../policy/reasons.ts';
import { advices as germanAdvices, meanings as germanMeanings } from './de/reasons.ts';
import { advices } from './en/reasons.ts';
import type { Language } from './language.ts';

export interface ReasonText {
  readonly meaning: string;
  /** What an operator does about it. Code stands between backticks. */
  readonly advice: string;
}

const catalogues = {
  en: { meanings: reasons, advices },
  de: { meanings: germanMeanings, advices: germanAdvices },
} as const;

/** @returns undefined for what is no reason of a decision */
export function reasonText(reason: Reason, language: Language): ReasonText;
export function reasonText(reason: string, language: Language): ReasonText | undefined;
export function reasonText(reason: string, language: Language): ReasonText | undefined {
  const { meanings, advices } = catalogues[language];
  if (!Object.hasOwn(meanings, reason)) return undefined;
  return { meaning: meanings[reason as Reason], advice: advices[reason as Reason] };
}
