import { useEffect } from 'preact/hooks';
import {
  attentionApi,
  bodyOf,
  doctorApi,
  firstRunApi,
  profileApi,
  type Attention,
  type Findings,
} from '../../api-client.ts';
import { attentionText } from '../../ui/attention-text.ts';
import { CopiedText } from '../../ui/shown-once.tsx';
import { selfCheck } from './first-run.ts';
import type { StepProps } from './steps.tsx';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath, pathTo } from '../../path-prefix.ts';
import { isAnonymous, useProfile } from '../../profile.ts';
import { dateText } from '../../ui/time-text.ts';
import { ServerLink } from '../../ui/parts.tsx';
import { fill, plural, text } from '../../text.ts';
import openGate from '../../gate/open.svg';
import { useLoaded } from '../../ui/loading.ts';

const firstRun = text.firstRun;

type Check = Findings['checks'][number];

/** Next steps, and Postern's findings about itself. */
export function ReadyStep({ found, onChange }: StepProps) {
  // The page's own was read before the recorder was connected.
  const [state] = useLoaded(() => bodyOf(profileApi.index.$get()));
  const profile = useProfile();
  const { allowed_cameras: cameras } = state.kind === 'loaded' ? state.value : profile;
  const isAlone = found.steps.some(({ name, done }) => name === 'person' && !done);
  const left = found.steps.filter(({ name, done }) => name !== 'check' && !done).length;
  return (
    <>
      <Picture />
      <p class="lead">
        {left === 0 ? plural(firstRun.ready, cameras.length) : plural(firstRun.readyBut, left)}
      </p>
      <p class="step-actions">
        <ServerLink class="button" path="/postern/">
          {firstRun.home}
        </ServerLink>
        <a class="button outline" href={gatePath(isAlone ? '/first-run?step=person' : '/settings/users')}>
          {text.users.add}
        </a>
      </p>
      <Checks onSeen={onChange} />
    </>
  );
}

/** The drawn gate, or the house's own picture, as decoration. */
function Picture() {
  return (
    <div class="gate-arch" aria-hidden="true">
      <img src={document.body.dataset['picture'] === 'yes' ? gatePath('/picture') : openGate} alt="" />
    </div>
  );
}

function Checks({ onSeen }: { readonly onSeen: () => void }) {
  const profile = useProfile();
  const [state, reload] = useLoaded(() =>
    Promise.all([bodyOf(doctorApi.index.$get()), bodyOf(attentionApi.index.$get())]),
  );
  const isSeen = state.kind === 'loaded';
  useEffect(() => {
    if (!isSeen) return;
    bodyOf(firstRunApi.index.$post({ json: { fact: 'checked' } })).then(onSeen, () => undefined);
  }, [isSeen]);
  if (state.kind === 'loading') return <Loading what={firstRun.checksWhat} />;
  if (state.kind === 'failed')
    return <LoadFailure what={firstRun.checksWhat} error={state.error} onRetry={reload} />;
  const [findings, attention] = state.value;
  const { checks, request } = findings;
  const { problems, worse } = selfCheck(findings, attention);
  const user = isAnonymous(profile) ? '' : ` --user '${profile.username}' --password-stdin`;
  return (
    <details class="more" open={problems.length > 0 || checks.some(({ result }) => result === 'fault')}>
      <summary>{worse === 0 ? firstRun.allWell : plural(firstRun.checked, worse)}</summary>
      <ul class="rows">
        {problems.map((problem) => (
          <ProblemRow key={problem.kind} problem={problem} />
        ))}
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
        <li>
          <div class="row-name">
            {firstRun.requestTitle}
            <div>
              <small>{fill(firstRun.youAre, { address: request.address })}</small>
            </div>
          </div>
          <span class={`badge ${request.secure ? 'success' : 'failure'}`}>
            {request.secure ? firstRun.secure : firstRun.insecure}
          </span>
        </li>
      </ul>
      <p>{firstRun.outside}</p>
      <CopiedText
        label="postern doctor"
        value={`script/postern doctor --url ${location.origin}${pathTo('/')}${user}`}
      />
    </details>
  );
}

/** A problem, in the same words as on Home. */
function ProblemRow({ problem: { kind, page, detail } }: { readonly problem: Attention }) {
  const { action } = text.attention[kind];
  return (
    <li>
      <div class="row-name">
        {attentionText(kind, detail)}
        {page !== null && (
          <>
            {' '}
            <a href={gatePath(page)}>{action}</a>
          </>
        )}
      </div>
      <span class="badge failure">{firstRun.results.fault}</span>
    </li>
  );
}

const looks: Readonly<Record<Check['result'], string>> = {
  ok: 'success',
  hint: '',
  fault: 'failure',
  none: '',
};

/** The page with details of a check. */
const pages: Readonly<Partial<Record<Check['name'], string>>> = {
  roles: '/settings/access',
};

function CheckRow({ check }: { readonly check: Check }) {
  const { name, result } = check;
  const seen = seenText(check);
  const page = result === 'none' ? undefined : pages[name];
  return (
    <li>
      <div class="row-name">
        {page === undefined ? firstRun.checks[name] : <a href={gatePath(page)}>{firstRun.checks[name]}</a>}
        {seen.map((line) => (
          <div key={line}>
            <small dir="auto">{line}</small>
          </div>
        ))}
      </div>
      <span class={`badge ${looks[result]}`}>{firstRun.results[result]}</span>
    </li>
  );
}

function seenText({ name, result, seen }: Check): readonly string[] {
  const [first = ''] = seen;
  if (name === 'certificate' && result !== 'none')
    return [fill(firstRun.until, { date: dateText(Date.parse(first) / 1_000) })];
  if (name !== 'recorder') return seen;
  if (result === 'ok') return [plural(firstRun.cameras, seen.length)];
  const faults: Readonly<Record<string, { readonly says: string }>> = {
    ...firstRun.faults,
    everybody_is_admin: firstRun.everybody,
  };
  return seen.map((word) => faults[word]?.says ?? word);
}
