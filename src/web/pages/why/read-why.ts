import { questionsOf, type Question } from './record-questions.ts';
import { ApiFailure, bodyOf, explainApi, type AuditRecord, type Explanation } from '../../api-client.ts';

/**
 * What the gate would decide now on the request of a refusal.
 * @returns undefined if too little of it is known
 * @throws ApiFailure
 */
export async function explainAgain(record: AuditRecord): Promise<Explanation | undefined> {
  for (const question of questionsOf(record)) {
    const explanation = await explainUnlessGone(question);
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}

/** @returns undefined for a deleted decision, user or role. @throws ApiFailure */
export async function explainUnlessGone(
  json: Question | { readonly decision: string },
): Promise<Explanation | undefined> {
  return bodyOf(explainApi.index.$post({ json })).catch((error: unknown) => {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 422)) return undefined;
    throw error;
  });
}
