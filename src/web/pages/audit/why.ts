import { questionsOf, type Question } from './asked-anew.ts';
import { ApiFailure, bodyOf, explainApi, type AuditRecord, type Explanation } from '../../api-client.ts';

/** What the gate says of a refusal; undefined: there was no decision, or too little of it is known to ask again. */
export interface Why {
  readonly explanation: Explanation | undefined;
  /** It is not the decision of that time, but what would be decided now. */
  readonly isAnew: boolean;
}

/** @throws ApiFailure */
export async function readWhy(record: AuditRecord): Promise<Why> {
  const { decision } = record;
  if (decision === null) return { explanation: undefined, isAnew: false };
  const kept = await unlessGone(explain({ decision }));
  // A record tells less than the gate of now.
  if (kept !== undefined && kept.recorded !== true) return { explanation: kept, isAnew: false };
  for (const question of questionsOf(record)) {
    const explanation = await unlessGone(explain(question));
    if (explanation !== undefined) return { explanation, isAnew: true };
  }
  return { explanation: kept, isAnew: kept === undefined };
}

function explain(json: Question | { readonly decision: string }): Promise<Explanation> {
  return bodyOf(explainApi.index.$post({ json }));
}

/** A decision, a user or a role that is gone is no failure. */
async function unlessGone(asked: Promise<Explanation>): Promise<Explanation | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 422)) return undefined;
    throw error;
  });
}
