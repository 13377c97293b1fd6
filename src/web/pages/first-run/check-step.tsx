import { firstRun } from '#language/first-run';
import { useEffect } from 'preact/hooks';
import { bodyOf, doctorApi, firstRunApi, type Findings } from '../../api-client.ts';
import { CopiedText } from '../../ui/copied-text.tsx';
import type { StepProps } from './step-props.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath, pathTo } from '../../path-prefix.ts';
import { isAnonymous, useProfile } from '../../profile.ts';
import { dateText } from '../../ui/time-text.ts';
import { useLoaded } from '../../ui/use-loaded.ts';

type Check = Findings['checks'][number];

export function CheckStep({ onChange }: StepProps) {
  const profile = useProfile();
  const [state, reload] = useLoaded(() => bodyOf(doctorApi.index.$get()));
  const isSeen = state.kind === 'loaded';
  useEffect(() => {
    if (!isSeen) return;
    bodyOf(firstRunApi.index.$post({ json: { fact: 'checked' } })).then(onChange, () => undefined);
  }, [isSeen]);
  if (state.kind === 'loading') return <Loading what={firstRun.check} />;
  if (state.kind === 'failed')
    return <LoadFailure what={firstRun.check} error={state.error} onRetry={reload} />;
  const { checks, request } = state.value;
  const user = isAnonymous(profile) ? '' : ` --user '${profile.username}' --password-stdin`;
  return (
    <>
      <p>{firstRun.checkWhy}</p>
      <ul class="rows">
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
        <li>
          <div class="row-name">
            {firstRun.requestTitle}
            <div>
              <small>{firstRun.youAre(request.address)}</small>
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
    </>
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
  configuration: '/settings/configuration',
  roles: '/settings/roles',
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
    return [firstRun.until(dateText(Date.parse(first) / 1_000))];
  if (name !== 'recorder') return seen;
  if (result === 'ok') return [firstRun.cameras(seen.length)];
  const faults: Readonly<Record<string, string>> = firstRun.faults;
  return seen.map((word) => faults[word] ?? word);
}
