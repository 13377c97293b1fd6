import type { AccessOfRole } from '../../api-client.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/words.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { turnText } from '../../ui/roles/schedule.ts';
import { viewAsPath } from '../../ui/roles/role-paths.ts';
import { useLoaded } from '../../ui/loading.ts';
import { ask, type Answered } from './ask.ts';
import { AnswerCard } from './answer-card.tsx';
import { because } from './because.ts';
import { heldBy } from './chain.ts';
import { Chain } from './chain-list.tsx';
import { placesOf } from './give-access.ts';
import { Places } from './places.tsx';
import type { Question } from './question.ts';
import { fill, plural, text } from '../../text.ts';

const words = text.why;

/** The answer first, the reason second, the checks last. */
export function Answer({ question }: { readonly question: Question }) {
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
      const only = member === undefined ? '' : ` ${fill(words.onlyMember, { user: member })}`;
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
