import {
  auditApi,
  bodyOf,
  ApiFailure,
  explainApi,
  type AuditRecord,
  type Explanation,
} from '../../api-client.ts';
import { Facts } from '../../ui/section.tsx';
import { LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { Explained, AnswerCard, because, Places } from './explained.tsx';
import { timeText } from '../../ui/time-text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { isNamelessRole } from '../../../policy/names.ts';
import { placesOf } from './give-access.ts';
import { fill, text } from '../../text.ts';
import { questionsOf, type RequestQuestion } from './question.ts';

const words = text.why;

interface Found {
  readonly record: AuditRecord | undefined;
  /** The decision itself. `undefined` if Postern no longer has it. */
  readonly explanation: Explanation | undefined;
  /** The decision that Postern would make now. `undefined` if too little is known to test it again. */
  readonly now: Explanation | undefined;
}

/** @throws ApiFailure */
async function find(decision: string): Promise<Found> {
  const [{ records }, kept] = await Promise.all([
    bodyOf(auditApi.index.$get({ query: { search: decision, event: 'refused', limit: '10' } })),
    explainUnlessGone({ decision }),
  ]);
  const record = records.find((found) => found.decision === decision);
  const now = record === undefined ? undefined : await explainAgain(record);
  return { record, explanation: kept ?? now, now };
}

/** Why a request was refused, by the code that its page showed. */
export function Refusal({ decision }: { readonly decision: string }) {
  const [state, reload] = useLoaded(() => find(decision));
  if (state.kind === 'loading') return <Loading what={words.explanation} />;
  if (state.kind === 'failed')
    return <LoadFailure what={words.explanation} error={state.error} onRetry={reload} />;
  const { record, explanation, now } = state.value;
  if (explanation === undefined) {
    return (
      <Message title={words.unknown}>
        <p>{words.unknownMeans}</p>
      </Message>
    );
  }
  const isAllowed = explanation.verdict === 'allow';
  const user = explanation.user ?? record?.user ?? undefined;
  const role = explanation.role ?? record?.role ?? null;
  // A decision that is only in the audit names no cameras.
  const known = explanation.recorded === true && now?.reason === explanation.reason ? now : explanation;
  const [camera] = known.not_granted.length > 0 ? known.not_granted : known.cameras;
  const places = isAllowed ? [] : placesOf({ ...known, user: user ?? null, role }, record?.source ?? null);
  return (
    <>
      <AnswerCard
        camera={camera}
        isAllowed={isAllowed}
        title={isAllowed ? words.allowed : because(known, { role, user })}
        detail={record && whenText(record)}
      >
        <Places places={places} />
      </AnswerCard>
      <div class="card">
        <Facts
          facts={[
            [words.facts.code, <code>{decision}</code>],
            [
              words.facts.page,
              record === undefined || record.object === null ? null : (
                <code>
                  {typeof record.detail['method'] === 'string' && `${record.detail['method']} `}
                  {record.object}
                </code>
              ),
            ],
            [
              words.facts.who,
              user === undefined || role === null || isNamelessRole(role)
                ? (user ?? null)
                : fill(words.roleOf, { user, role }),
            ],
            [words.facts.from, record?.address ?? null],
            [words.facts.still, isAllowed ? null : stillText(explanation, now, role, user)],
          ]}
        />
      </div>
      <Explained explanation={known} />
    </>
  );
}

function whenText({ time, user }: AuditRecord): string {
  const moment = timeText(Date.parse(time) / 1000);
  return user === null ? moment : `${fill(words.by, { who: user })} ${moment}`;
}

function stillText(
  before: Explanation,
  now: Explanation | undefined,
  role: string | null,
  user: string | undefined,
): string {
  if (now === undefined) return words.cannotTell;
  if (now.verdict === 'allow') return words.nowAllowed;
  return now.reason === before.reason
    ? words.stillRefused
    : fill(words.nowOther, { why: because(now, { role, user }) });
}

/**
 * Asks what Postern would decide now on the request of a refusal.
 * @returns the decision, or `undefined` if too little of the request is known
 * @throws ApiFailure
 */
async function explainAgain(record: AuditRecord): Promise<Explanation | undefined> {
  for (const question of questionsOf(record)) {
    const explanation = await explainUnlessGone(question);
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}

/** @returns the explanation, or `undefined` if the decision, user or role is deleted. @throws ApiFailure */
async function explainUnlessGone(
  json: RequestQuestion | { readonly decision: string },
): Promise<Explanation | undefined> {
  return bodyOf(explainApi.index.$post({ json })).catch((error: unknown) => {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 422)) return undefined;
    throw error;
  });
}
