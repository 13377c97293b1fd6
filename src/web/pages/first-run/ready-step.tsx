import { useEffect, useState } from 'preact/hooks';
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
import { selfCheck } from './first-run.ts';
import type { StepProps } from './steps.tsx';
import { Icon, Mark } from '../../ui/drawings.tsx';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { isOn } from '../../ui/page-marks.ts';
import { Face } from '../../ui/people/face.tsx';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { isAnonymous, useProfile } from '../../profile.ts';
import { dateText } from '../../ui/time-text.ts';
import { ServerLink } from '../../ui/parts.tsx';
import { fill, plural, text } from '../../text.ts';
import openGate from '../../gate/open.svg';
import { useLoaded } from '../../ui/loading.ts';

const firstRun = text.firstRun;

type CheckResult = Findings['checks'][number];

const loadPhone = async () => (await import('./phone-dialog.tsx')).PhoneDialog;
const loadPerson = async () => (await import('../../ui/people/add-person.tsx')).AddPerson;

/** Who else should see the cameras, and where; below it, what needs attention. */
export function ReadyStep({ found, onChange }: StepProps) {
  // The page's own was read before the recorder was connected.
  const [state] = useLoaded(() => bodyOf(profileApi.index.$get()));
  const profile = useProfile();
  const { allowed_cameras: cameras } = state.kind === 'loaded' ? state.value : profile;
  const left = found.steps.filter(({ name, done }) => name !== 'check' && !done).length;
  return (
    <>
      <Picture />
      <p class="lead">
        {left === 0 ? plural(firstRun.ready, cameras.length) : plural(firstRun.readyBut, left)}
      </p>
      <Choices onChange={onChange} />
      <div class="step-actions">
        <ServerLink class="button outline" path="/postern/">
          {firstRun.home}
        </ServerLink>
      </div>
      <Checks onSeen={onChange} />
    </>
  );
}

function Choices({ onChange }: { readonly onChange: () => void }) {
  const [dialog, open, close] = useDialog<'person' | 'phone'>('first-run');
  const [invited, setInvited] = useState<string>();
  const isInternal = isAnonymous(useProfile());
  const AddPerson = useLater(loadPerson, dialog === 'person', close);
  const PhoneDialog = useLater(loadPhone, dialog === 'phone', close);
  return (
    <div class="next-steps">
      <button
        type="button"
        class={invited === undefined ? 'next-step' : 'next-step done'}
        onClick={() => open('person')}
      >
        <span class="next-picture" aria-hidden="true">
          {invited === undefined ? (
            <>
              <Face name="Mia" />
              <Face name="Ben" />
            </>
          ) : (
            <Face name={invited} state="invited" />
          )}
          <span class="person-face invited">
            <Icon name="plus" />
          </span>
        </span>
        <strong>
          {invited === undefined ? firstRun.invite : firstRun.inviteMore}
          {invited !== undefined && <span class="tag success">{firstRun.invited}</span>}
        </strong>
        <span>{firstRun.inviteHint}</span>
      </button>
      {isOn('displays') && (
        <a class="next-step" href={gatePath('/pair')}>
          <span class="next-picture" aria-hidden="true">
            <span class="drawn-screen">
              <i />
              <i />
              <i />
            </span>
          </span>
          <strong>{firstRun.onScreen}</strong>
          <span>{firstRun.onScreenHint}</span>
        </a>
      )}
      {/* The address of the internal entry point would make everyone with that phone an admin. */}
      {!isInternal && (
        <button type="button" class="next-step" onClick={() => open('phone')}>
          <span class="next-picture" aria-hidden="true">
            <span class="drawn-phone">
              <Mark />
            </span>
          </span>
          <strong>{firstRun.phone.title}</strong>
          <span>{firstRun.phone.hint}</span>
        </button>
      )}
      {dialog === 'phone' && PhoneDialog !== undefined && <PhoneDialog onClose={close} />}
      {dialog === 'person' && AddPerson !== undefined && (
        <AddPerson
          onClose={close}
          onAdded={(name) => {
            setInvited(name ?? '');
            onChange();
          }}
        />
      )}
    </div>
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
  if (worse === 0) {
    return (
      <p class="all-well">
        <Icon name="check" />
        {firstRun.allWell}
      </p>
    );
  }
  return (
    <details class="more" open={problems.length > 0 || checks.some(({ result }) => result === 'fault')}>
      <summary>{plural(firstRun.checked, worse)}</summary>
      <ul class="rows">
        {problems.map((problem) => (
          <ProblemRow key={problem.kind} problem={problem} />
        ))}
        {checks
          .filter(({ result }) => result === 'fault' || result === 'hint')
          .map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        {!request.secure && (
          <li>
            <div class="row-name">
              {firstRun.requestTitle}
              <div>
                <small>{fill(firstRun.youAre, { address: request.address })}</small>
              </div>
            </div>
            <span class="badge failure">{firstRun.insecure}</span>
          </li>
        )}
      </ul>
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

/** The page with details of a check. */
const pages: Readonly<Partial<Record<CheckResult['name'], string>>> = {
  roles: '/settings/access',
};

function CheckRow({ check }: { readonly check: CheckResult }) {
  const { name, result } = check;
  const seen = seenText(check);
  const page = pages[name];
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
      <span class={result === 'fault' ? 'badge failure' : 'badge'}>
        {result === 'fault' ? firstRun.results.fault : firstRun.results.hint}
      </span>
    </li>
  );
}

function seenText({ name, seen }: CheckResult): readonly string[] {
  const [first = ''] = seen;
  if (name === 'certificate') return [fill(firstRun.until, { date: dateText(Date.parse(first) / 1_000) })];
  if (name !== 'recorder') return seen;
  const faults: Readonly<Record<string, { readonly says: string }>> = {
    ...firstRun.faults,
    everybody_is_admin: firstRun.everybody,
  };
  return seen.map((word) => faults[word]?.says ?? word);
}
