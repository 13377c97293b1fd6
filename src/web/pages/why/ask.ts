import {
  accessApi,
  bodyOf,
  explainApi,
  userDetailsApi,
  type Access,
  type AccessOfRole,
  type Explanation,
} from '../../api-client.ts';
import type { Question } from './question.ts';

/** An answer, with what the role has. */
export interface Answered {
  readonly question: Question;
  readonly explanation: Explanation;
  readonly row: AccessOfRole;
  readonly access: Access;
  /** If only one user has the role. */
  readonly member: string | undefined;
}

/** @throws ApiFailure */
export async function ask(question: Question): Promise<Answered> {
  const { who, camera, to, at } = question;
  const [explanation, access] = await Promise.all([
    bodyOf(explainApi.index.$post({ json: { ...who, camera, to, ...(at === undefined ? {} : { at }) } })),
    bodyOf(accessApi.index.$get({ query: { ...who, ...(at === undefined ? {} : { at: String(at) }) } })),
  ]);
  const [row] = access.rows;
  if (row === undefined) throw new Error('no row for a user or a role');
  const members =
    row.users === 1 ? await bodyOf(userDetailsApi.index.$get({ query: { role: row.role } })) : [];
  return { question, explanation, row, access, member: members[0]?.username };
}
