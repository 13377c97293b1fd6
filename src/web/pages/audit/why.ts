import { questionsOf, type Question } from './record-questions.ts';
import { ApiFailure, bodyOf, explainApi, type AuditRecord, type Explanation } from '../../api-client.ts';

/** The gate's explanation of a refusal; undefined: there was no decision, or too little is known to ask again. */
export interface Why {
  readonly explanation: Explanation | undefined;
  /** True: what the gate would decide now; false: the original decision. */
  readonly isDecidedNow: boolean;
}

/** @throws ApiFailure */
export async function readWhy(record: AuditRecord): Promise<Why> {
  const { decision } = record;
  if (decision === null) return { explanation: undefined, isDecidedNow: false };
  const kept = await unlessGone(explain({ decision }));
  // A decision read from the audit log has fewer details than one made now.
  if (kept !== undefined && kept.recorded !== true) return { explanation: kept, isDecidedNow: false };
  for (const question of questionsOf(record)) {
    const explanation = await unlessGone(explain(question));
    if (explanation !== undefined) return { explanation, isDecidedNow: true };
  }
  return { explanation: kept, isDecidedNow: kept === undefined };
}

function explain(json: Question | { readonly decision: string }): Promise<Explanation> {
  return bodyOf(explainApi.index.$post({ json }));
}

/** A deleted decision, user or role is not an error. */
async function unlessGone(asked: Promise<Explanation>): Promise<Explanation | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 422)) return undefined;
    throw error;
  });
}
