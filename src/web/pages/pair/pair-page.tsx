import { useLocation } from 'preact-iso';
import { useLayoutEffect, useState } from 'preact/hooks';
import { bodyOf, displaysApi } from '../../api-client.ts';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { Gatehouse } from '../../ui/drawings.tsx';
import { Chips } from '../../ui/forms/field.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { Form } from '../../ui/forms/form.tsx';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { chosenIn, DisplayFields } from '../../ui/displays/display-dialogs.tsx';
import { listText } from '../../ui/words.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { agentText } from '../../ui/sessions/agent-text.ts';
import { dateText } from '../../ui/time-text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { EnterCode, isUnknownCode } from './enter-code.tsx';

/** Where a user approves a screen that shows a code. */
export function PairPage() {
  const { query } = useLocation();
  usePageTitle(text.displays.pair);
  const code = query['code'] ?? '';
  return code === '' ? <EnterCode /> : <Screen key={code} code={code} />;
}

type Outcome = { readonly kind: 'paired'; readonly name: string } | { readonly kind: 'refused' };

function Screen({ code }: { readonly code: string }) {
  const [screen, reload] = useLoaded(() => bodyOf(displaysApi.code[':code'].$get({ param: { code } })));
  const [outcome, setOutcome] = useState<Outcome>();
  const words = text.displays;
  // The form is longer than what takes its place.
  useLayoutEffect(() => {
    if (outcome !== undefined) scrollTo(0, 0);
  }, [outcome]);
  if (outcome !== undefined) {
    const isPaired = outcome.kind === 'paired';
    return (
      <Gatehouse isShut={!isPaired}>
        <div role="status">
          <h1>{isPaired ? fill(words.on, { name: outcome.name }) : words.refused}</h1>
          <p>{isPaired ? words.stays : words.refusedHint}</p>
        </div>
        <a class="button" href={gatePath('/')}>
          {words.home}
        </a>
      </Gatehouse>
    );
  }
  if (screen.kind === 'loading') return <Loading what={words.thisScreen} />;
  if (screen.kind === 'failed') {
    return isUnknownCode(screen.error) ? (
      <EnterCode tried={code} failed={screen.error} />
    ) : (
      <LoadFailure what={words.thisScreen} error={screen.error} onRetry={reload} />
    );
  }
  return <Approval screen={screen.value} onDone={setOutcome} />;
}

interface WaitingScreen {
  readonly user_code: string;
  readonly address: string;
  readonly agent: string | null;
}

const day = 86_400;

function Approval(props: { readonly screen: WaitingScreen; readonly onDone: (outcome: Outcome) => void }) {
  const { screen, onDone } = props;
  const { user_code: code } = screen;
  const { allowed_cameras: cameras } = useProfile();
  const action = useAction();
  const refusal = useAction();
  const [sum, setSum] = useState('');
  const words = text.displays;
  const wantedIn = (form: FormData) => {
    const life = Number(form.get('life'));
    return {
      ...chosenIn(form, cameras),
      ...(life > 0 && { until: Math.floor(Date.now() / 1000) + life }),
    };
  };
  /** Explains the effect before it happens. */
  const sumUp = (form: HTMLFormElement | null) => {
    if (form === null) return;
    try {
      const { name, cameras: only, may, until } = wantedIn(new FormData(form));
      const shown = only === null ? text.people.everyCamera : listText(inOrder(only).map(cameraText));
      const isLive = may.length === 1 && may[0] === 'live';
      const till = until === undefined ? words.untilEnded : fill(words.until, { time: dateText(until) });
      setSum(
        fill(isLive ? words.sumLive : words.sum, {
          name: name || words.thisScreen,
          cameras: shown,
          until: till,
        }),
      );
    } catch {
      setSum(words.chooseCamera);
    }
  };
  const refuse = () =>
    refusal.run(async () => {
      await bodyOf(displaysApi.code[':code'].$delete({ param: { code } }));
      onDone({ kind: 'refused' });
    });
  return (
    <div class="pair-page" onInput={({ currentTarget }) => sumUp(currentTarget.querySelector('form'))}>
      <h1>{words.wantsIn}</h1>
      <p class="lead">{words.checkLetters}</p>
      <section class="sum">
        <p class="letters">{code}</p>
        <p>
          <small>
            {agentText(screen.agent)} · {screen.address}
          </small>
        </p>
      </section>
      <Form
        action={action.failure === undefined ? { ...action, failure: refusal.failure } : action}
        submit={words.approve}
        cancel={
          <button type="button" class="secondary outline" disabled={refusal.busy} onClick={refuse}>
            {words.notMine}
          </button>
        }
        onSubmit={async (form) => {
          const { cameras: only, ...wanted } = wantedIn(form);
          const json = { user_code: code, ...wanted, ...(only !== null && { cameras: only }) };
          const { name } = await bodyOf(displaysApi.index.$post({ json }));
          onDone({ kind: 'paired', name });
        }}
      >
        <DisplayFields name="" cameras={cameras} chosen={cameras} may={['live']} />
        <Chips
          legend={words.howLong}
          type="radio"
          name="life"
          options={[
            [0, words.untilI],
            [day, words.aDay],
            [7 * day, words.aWeek],
            [30 * day, words.aMonth],
          ]}
          chosen={[0]}
        />
        <p class="sum" role="status">
          {sum ||
            fill(words.sumLive, {
              name: words.thisScreen,
              cameras: cameras.length === 0 ? '' : text.people.everyCamera,
              until: words.untilEnded,
            })}
        </p>
      </Form>
    </div>
  );
}
