import { why as words } from '#language/why';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/list-text.ts';
import { countedUsers } from '../../ui/roles/counted-users.ts';
import { capabilities } from '../../ui/roles/role-access.ts';
import { turnText } from '../../ui/roles/turn-text.ts';
import { withCode } from '../../ui/words.tsx';
import type { Answered } from './ask.ts';
import { because, sentence } from './because.ts';
import { chainOf, heldBy, type Check } from './chain.ts';

/** The checks that led to an answer, in order. */
export function Chain({ answered }: { readonly answered: Answered }) {
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

function textOf(check: Check, answered: Answered): Text {
  const { question, explanation, row } = answered;
  const { camera, to } = question;
  const { role, granted, may } = row;
  const { step } = words;
  switch (check) {
    case 'identity':
      return identityText(answered);
    case 'schedule':
      return scheduleText(answered);
    case 'camera': {
      const title = (granted.includes(camera) ? step.has : step.hasNot)(role, cameraText(camera));
      if (role === 'admin' || role === 'viewer') return [title, step.everyCamera];
      const held = heldBy(inOrder(granted), row);
      if (held.cameras.length === 0) return [title, words.hasNothing];
      const names = [...held.cameras.map(cameraText), ...(held.more === 0 ? [] : [words.more(held.more)])];
      return [title, step.cameras(listText(names))];
    }
    case 'may': {
      const others = capabilities.filter((word) => !may.includes(word));
      const title = (may.includes(to) ? step.may : step.mayNot)(role, words.verbs[to]);
      if (others.length === 0) return [title, step.mayAll];
      const isListed = may.includes(to);
      const listed = listText((isListed ? others : may).map((word) => words.words[word]));
      return [title, listed === '' ? undefined : (isListed ? step.others : step.granted)(listed)];
    }
    case 'rest':
      return [sentence(explanation.meaning).slice(0, -1), explanation.advice];
  }
}

function identityText({ question: { who }, explanation, row }: Answered): Text {
  const { step } = words;
  if ('role' in who)
    return [step.someone(row.role), row.users === 0 ? step.noMember : step.members(countedUsers(row.users))];
  const { user } = who;
  const isRefused = ['user_blocked', 'provider_removed', 'second_factor_missing'].includes(
    explanation.reason,
  );
  return isRefused
    ? [because(explanation, { role: row.role, user }).slice(0, -1), explanation.advice]
    : [step.signsIn(user), step.signsInMeans];
}

function scheduleText({ row: { role, schedule }, access: { at, zone } }: Answered): Text {
  const { step } = words;
  if (schedule === null) return [step.always(role)];
  const turn = schedule.turns === null ? undefined : turnText(schedule.turns, at, zone);
  if (schedule.is_open) return [step.open(role), turn && words.until(turn)];
  return [step.closed(role), turn === undefined ? words.over : words.opens(turn)];
}
