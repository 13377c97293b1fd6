import { useLocation } from 'preact-iso';
import { bodyOf, camerasApi, rolesApi, userDetailsApi } from '../../api-client.ts';
import { inOrder } from '../../ui/cameras/camera-names.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useLoaded } from '../../ui/loading.ts';
import { Answer } from './answer.tsx';
import { queryOf, questionIn, type Question } from './question.ts';
import { QuestionForm, type Choices } from './question-form.tsx';
import { TestRequest } from './test-request.tsx';
import { text } from '../../text.ts';

const words = text.why;

async function readChoices(): Promise<Choices> {
  const [users, roles, cameras] = await Promise.all([
    bodyOf(userDetailsApi.index.$get({ query: {} })),
    bodyOf(rolesApi.index.$get()),
    bodyOf(camerasApi.index.$get()),
  ]);
  return {
    users: users.map(({ username }) => username),
    roles: ['admin', 'viewer', ...roles.map(({ name }) => name)],
    cameras: inOrder(cameras),
  };
}

/** The question stands in the address, so that other pages can ask it. */
export function TestAccess() {
  const { query, route } = useLocation();
  const [state, reload] = useLoaded(readChoices);
  if (state.kind === 'loading') return <Loading what={words.choices} />;
  if (state.kind === 'failed')
    return <LoadFailure what={words.choices} error={state.error} onRetry={reload} />;
  const asked = questionIn(query);
  const { who, camera } = asked;
  const question: Question | undefined =
    who === undefined || camera === undefined ? undefined : { ...asked, who, camera, to: asked.to ?? 'live' };
  const address = question && queryOf(question);
  return (
    <>
      {state.value.cameras.length === 0 ? (
        <p class="placeholder">{words.noCameras}</p>
      ) : (
        <QuestionForm
          // Another address is another question.
          key={address ?? ''}
          choices={state.value}
          asked={asked}
          onAsk={(next) => route(`${gatePath('/settings/why')}?${queryOf(next)}`)}
        />
      )}
      {question === undefined ? (
        <p class="hint">{words.start}</p>
      ) : (
        <Answer key={address} question={question} />
      )}
      <details class="more">
        <summary>{words.raw}</summary>
        <TestRequest who={who ?? { role: 'viewer' }} />
      </details>
    </>
  );
}
