import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/words.ts';
import { withCode } from '../../ui/parts.tsx';
import { countedUsers } from '../../ui/roles/roles-api.ts';
import { capabilities } from '../../ui/roles/role-access.ts';
import { turnText } from '../../ui/roles/schedule.ts';
import type { Answered } from './ask.ts';
import { because, sentence } from './because.ts';
import { chainOf, heldBy, type Check } from './chain.ts';
import { fill, plural, text } from '../../text.ts';

const words = text.why;

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

function scheduleText({ row: { role, schedule }, access: { at, zone } }: Answered): Text {
  const { step } = words;
  if (schedule === null) return [fill(step.always, { role })];
  const turn = schedule.turns === null ? undefined : turnText(schedule.turns, at, zone);
  if (schedule.is_open) return [fill(step.open, { role }), turn && fill(words.until, { moment: turn })];
  return [fill(step.closed, { role }), turn === undefined ? words.over : fill(words.opens, { moment: turn })];
}
