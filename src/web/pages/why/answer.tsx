import {
  accessApi,
  bodyOf,
  explainApi,
  userDetailsApi,
  type AccessOfRole,
  type Access,
  type Explanation,
} from '../../api-client.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/words.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { turnText } from '../../ui/roles/schedule.ts';
import { viewAsPath } from '../../ui/roles/role-paths.ts';
import { useLoaded } from '../../ui/loading.ts';
import { AnswerCard, because, sentence, Places } from './explained.tsx';
import { heldBy, chainOf, type CheckName } from './chain.ts';
import { placesOf } from './give-access.ts';
import type { Question } from './question.ts';
import { fill, plural, text } from '../../text.ts';
import { withCode } from '../../ui/parts.tsx';
import { countedUsers } from '../../ui/roles/roles-api.ts';
import { isNamelessRole } from '../../../policy/names.ts';
import { capabilities } from '../../ui/roles/role-access.ts';

const words = text.why;

/** The answer first, the reason second, the checks last. */
export function WhyAnswer({ question }: { readonly question: Question }) {
  const [state, reload] = useLoaded(() => ask(question));
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const { explanation, row } = state.value;
  const { who, camera, to } = question;
  const isAllowed = explanation.verdict === 'allow';
  const whoName = 'user' in who ? who.user : fill(words.anyone, { role: who.role });
  const reason = because(explanation, {
    role: row.role,
    user: 'user' in who ? who.user : undefined,
    camera,
  });
  return (
    <div role="status">
      <AnswerCard
        camera={camera}
        isAllowed={isAllowed}
        title={
          isAllowed
            ? fill(words.yes, { who: whoName, can: fill(words.can[to], { camera: cameraText(camera) }) })
            : fill(words.no, { why: reason })
        }
        detail={detailOf(state.value)}
      >
        {isAllowed ? (
          <a class="button outline" href={viewAsPath(who)}>
            {fill(words.viewAs, { who: 'user' in who ? who.user : who.role })}
          </a>
        ) : (
          <Places
            places={placesOf({ ...explanation, user: 'user' in who ? who.user : null, role: row.role }, null)}
          />
        )}
      </AnswerCard>
      <Chain answered={state.value} />
    </div>
  );
}

/** The second sentence: until when, or what the role has instead. */
function detailOf({ explanation, row, access, member }: Answered): string | undefined {
  const { schedule, role } = row;
  const turns = schedule?.turns ?? null;
  const turn = turns === null ? undefined : turnText(turns, access.at, access.zone);
  if (explanation.verdict === 'allow')
    return turn === undefined ? undefined : fill(words.until, { moment: turn });
  switch (explanation.reason) {
    case 'role_outside_schedule':
      return turn === undefined ? words.over : fill(words.opens, { moment: turn });
    case 'camera_not_granted':
    case 'role_may_not': {
      const only =
        member === undefined || isNamelessRole(role) ? '' : ` ${fill(words.onlyMember, { user: member })}`;
      return role === 'viewer' || role === 'admin' ? undefined : heldText(row) + only;
    }
    default:
      return explanation.verdict === 'forbidden' ? explanation.meaning : undefined;
  }
}

/** @returns such as "It has Front door and Driveway: live." */
function heldText(row: AccessOfRole): string {
  const { cameras, more, may } = heldBy(inOrder(row.granted), row);
  if (cameras.length === 0) return words.hasNothing;
  const names = [...cameras.map(cameraText), ...(more === 0 ? [] : [plural(words.more, more)])];
  return fill(words.has, { cameras: listText(names), words: listText(may.map((word) => words.words[word])) });
}

/** The checks that led to an answer, in order. */
function Chain({ answered }: { readonly answered: Answered }) {
  return (
    <section aria-labelledby="how">
      <h2 id="how">{words.how}</h2>
      <ol class="chain">
        {chainOf(answered.explanation).map(({ check, state }) => {
          const [title, detail] = textOf(check, answered);
          return (
            <li key={check} class={state === 'skip' ? 'unchecked' : state}>
              <span class="state">
                <Sign state={state} />
                <span class="hidden-text">{words.states[state]}: </span>
              </span>
              <div>
                <strong>{title}</strong>
                {state === 'skip' ? (
                  <p>{words.step.notChecked}</p>
                ) : (
                  detail !== undefined && <p>{withCode(detail)}</p>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const signs = { yes: 'm4.5 10.5 3.5 3.5 7.5-8', no: 'm5 5 10 10M15 5 5 15', skip: 'm8 5 5 5-5 5' } as const;

function Sign({ state }: { readonly state: keyof typeof signs }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={signs[state]} />
    </svg>
  );
}

type Text = readonly [title: string, detail?: string | undefined];

function textOf(check: CheckName, answered: Answered): Text {
  const { question, explanation, row } = answered;
  const { camera, to } = question;
  const { granted, may } = row;
  const role = roleOf(answered);
  const { step } = words;
  switch (check) {
    case 'identity':
      return identityText(answered);
    case 'schedule':
      return scheduleText(answered);
    case 'camera': {
      const title = fill(granted.includes(camera) ? step.has : step.hasNot, {
        role,
        camera: cameraText(camera),
      });
      if (role === 'admin' || role === 'viewer') return [title, step.everyCamera];
      const held = heldBy(inOrder(granted), row);
      if (held.cameras.length === 0) return [title, words.hasNothing];
      const names = [
        ...held.cameras.map(cameraText),
        ...(held.more === 0 ? [] : [plural(words.more, held.more)]),
      ];
      return [title, fill(step.cameras, { cameras: listText(names) })];
    }
    case 'may': {
      const others = capabilities.filter((word) => !may.includes(word));
      const title = fill(may.includes(to) ? step.may : step.mayNot, { role, can: words.verbs[to] });
      if (others.length === 0) return [title, step.mayAll];
      const isListed = may.includes(to);
      const listed = listText((isListed ? others : may).map((word) => words.words[word]));
      return [
        title,
        listed === '' ? undefined : fill(isListed ? step.others : step.granted, { words: listed }),
      ];
    }
    case 'rest':
      return [sentence(explanation.meaning).slice(0, -1), explanation.advice];
  }
}

function identityText({ question: { who }, explanation, row }: Answered): Text {
  const { step } = words;
  if ('role' in who)
    return [
      fill(step.someone, { role: row.role }),
      row.users === 0 ? step.noMember : fill(step.members, { users: countedUsers(row.users) }),
    ];
  const { user } = who;
  const isRefused = ['user_blocked', 'provider_removed', 'second_factor_missing'].includes(
    explanation.reason,
  );
  return isRefused
    ? [because(explanation, { role: row.role, user }).slice(0, -1), explanation.advice]
    : [fill(step.signsIn, { user }), step.signsInMeans];
}

/** A role that is someone's own goes by their name. */
function roleOf({ question: { who }, row: { role } }: Answered): string {
  return 'user' in who && isNamelessRole(role) ? fill(words.accessOf, { user: who.user }) : role;
}

function scheduleText(answered: Answered): Text {
  const { row, access } = answered;
  const { at, zone } = access;
  const { schedule } = row;
  const { step } = words;
  const role = roleOf(answered);
  if (schedule === null) return [fill(step.always, { role })];
  const turn = schedule.turns === null ? undefined : turnText(schedule.turns, at, zone);
  if (schedule.is_open) return [fill(step.open, { role }), turn && fill(words.until, { moment: turn })];
  return [fill(step.closed, { role }), turn === undefined ? words.over : fill(words.opens, { moment: turn })];
}

/** An answer, with what the role has. */
interface Answered {
  readonly question: Question;
  readonly explanation: Explanation;
  readonly row: AccessOfRole;
  readonly access: Access;
  /** The only user who has the role. Absent when there are others, or none. */
  readonly member: string | undefined;
}

/** @throws ApiFailure */
async function ask(question: Question): Promise<Answered> {
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
