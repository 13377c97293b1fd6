import { reasons } from '../policy/reasons.ts';
import type { Judgement } from '../policy/judge.ts';
import type { AccessRequest, Subject } from '../policy/verdict.ts';

/** What of a request is told when it is explained. */
export type ExplainedRequest = Pick<AccessRequest, 'edge' | 'front' | 'fault' | 'method' | 'uri'>;

/** One step on the way to a verdict. */
export interface Step {
  readonly step: 'trust' | 'identity' | 'role' | 'uri' | 'row' | 'cameras' | 'verdict';
  readonly says: string;
}

/** Tells, in the order in which it was decided, what led to a verdict. */
export function explain(
  { edge, front, fault, method, uri }: ExplainedRequest,
  { verdict, path, row, target }: Judgement,
): Step[] {
  const { subject, reason } = verdict;
  const steps: Step[] = [
    { step: 'trust', says: trust(edge, reason) },
    {
      step: 'identity',
      says: subject === undefined ? 'nobody was identified' : whoIs(subject),
    },
  ];
  if (subject !== undefined) {
    const groups = subject.groups === '' ? '' : `, from the groups ${JSON.stringify(subject.groups)}`;
    steps.push({ step: 'role', says: `${subject.role}${groups}` });
  }
  if (fault !== undefined)
    steps.push({ step: 'uri', says: `the question of ${front} is not understood: ${fault.header}` });
  else if (uri === undefined) steps.push({ step: 'uri', says: 'the front did not say it' });
  else
    steps.push({
      step: 'uri',
      says:
        path === undefined
          ? `${uri.split('?', 1)[0]} cannot be read safely`
          : `${method ?? 'no method'} ${path}`,
    });
  if (row !== undefined) {
    const methods = row.methods === undefined ? '' : `${row.methods.join(', ')} `;
    const changes = row.changes === true ? ', and may be changed by whoever may read it' : '';
    const byLogin = row.byLogin === true ? ', and closed to API tokens' : '';
    steps.push({ step: 'row', says: `${methods}${row.path} is ${row.requirement}${changes}${byLogin}` });
  }
  if (target?.kind === 'cameras') {
    steps.push({ step: 'cameras', says: target.cameras.join(', ') || 'none' });
  } else if (target?.kind === 'recorded') {
    steps.push({
      step: 'cameras',
      says: `the recorder was not asked about ${target.ids.join(', ')}: the role sees all`,
    });
  }
  if (verdict.kind === 'allow' && verdict.grant !== 'all' && subject !== undefined) {
    const who = subject.token?.cameras === undefined ? 'the role' : 'the API token';
    steps.push({ step: 'cameras', says: `${who} is granted ${[...verdict.grant].join(', ') || 'none'}` });
  }
  steps.push({ step: 'verdict', says: `${verdict.kind}: ${reason}, ${reasons[reason]}` });
  return steps;
}

function whoIs({ user, source, token }: Subject): string {
  return token === undefined ? `${user}, by ${source}` : `${user}, by the API token ${token.id}`;
}

function trust(edge: AccessRequest['edge'], reason: keyof typeof reasons): string {
  if (reason === 'host_unknown') return reasons[reason];
  if (edge === 'internal')
    return 'the internal edge: anonymous and admin, and no identity header is looked at';
  return reason.startsWith('proxy_secret_') ? reasons[reason] : 'the authenticated edge';
}
