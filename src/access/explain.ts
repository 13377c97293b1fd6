import type { RequestContext } from '../policy/request-context.ts';
import { dayAndTime, fill } from '../language/fill.ts';
import type { Identity } from '../policy/identity.ts';
import type { Language } from '../language/language.ts';
import { reasonText } from '../language/reason-text.ts';
import { texts, type Texts } from '../language/texts.ts';
import type { Decision } from '../policy/decision.ts';
import { neededFor, type AccessRule } from '../policy/access-rule.ts';
import type { Capability, May } from '../policy/capability.ts';
import type { Schedule } from '../policy/schedule.ts';

/** The parts of a request that its explanation shows. */
export type ExplainedRequest = Pick<RequestContext, 'entryPoint' | 'front' | 'fault' | 'method' | 'uri'>;

/** One step on the way to a decision. */
export interface Step {
  readonly step:
    | 'record'
    | 'trust'
    | 'identity'
    | 'role'
    | 'schedule'
    | 'uri'
    | 'row'
    | 'may'
    | 'cameras'
    | 'query'
    | 'verdict';
  readonly says: string;
}

type StepTexts = Texts['steps'];

/** The first step if the rest comes from an audit record. @param time of the record, ISO 8601 */
export function explainRecord(time: string, language: Language = 'en'): Step {
  return { step: 'record', says: fill(texts[language].steps.recorded, { time }) };
}

/** @returns what the role lacked, if that refused the request */
export function missingIn(decision: Decision): Capability | undefined {
  return decision.outcome !== 'allow' && decision.reason === 'role_may_not' ? decision.missing : undefined;
}

/** A schedule, and whether it is open at the moment of the explanation. */
interface ExplainedSchedule {
  readonly owner: 'role' | 'token';
  readonly schedule: Schedule;
  readonly zone: string;
  readonly isOpen: boolean;
}

/** The rights of the identity at the moment of the explanation. */
export interface ExplainedAccess {
  /** Those of the role and of its API token. */
  readonly schedules?: readonly ExplainedSchedule[];
  /** Absent when there is no identity. */
  readonly may?: May | undefined;
  /** Time zone of the gate, for what opens again. */
  readonly zone?: string | undefined;
}

/**
 * Explains a decision step by step, in the order in which it was made.
 */
export function explain(
  { entryPoint, front, fault, method, uri }: ExplainedRequest,
  decision: Decision,
  language: Language = 'en',
  { schedules = [], may, zone = 'UTC' }: ExplainedAccess = {},
): Step[] {
  const says = texts[language].steps;
  const { outcome, reason, identity, path, rule, resource } = decision;
  const missing = missingIn(decision);
  const meaning = reasonText(reason, language).meaning;
  const isAboutTrust = reason === 'host_unknown' || reason.startsWith('proxy_secret_');
  const steps: Step[] = [
    {
      step: 'trust',
      says: isAboutTrust ? meaning : entryPoint === 'internal' ? says.internal : says.authenticated,
    },
    { step: 'identity', says: identity === undefined ? says.unidentified : whoIs(identity, says) },
  ];
  const add = (step: Step['step'], said: string) => steps.push({ step, says: said });
  if (identity !== undefined) add('role', roleText(identity, says));
  for (const { owner, schedule, zone, isOpen } of schedules) {
    const keys = Object.entries(schedule).map(([key, value]) => `${key} ${value}`);
    add(
      'schedule',
      fill(says.schedule, {
        owner: says.owners[owner],
        keys: keys.join(', '),
        zone,
        state: isOpen ? says.states.open : says.states.closed,
      }),
    );
  }
  if (fault !== undefined) add('uri', fill(says.notUnderstood, { front: front ?? '', header: fault.header }));
  else if (uri === undefined) add('uri', says.notSaid);
  else
    add(
      'uri',
      path === undefined
        ? fill(says.unsafe, { path: uri.split('?', 1)[0] ?? '' })
        : `${method ?? says.noMethod} ${path}`,
    );
  if (rule !== undefined) {
    const methods = rule.methods === undefined ? '' : `${rule.methods.join(', ')} `;
    const { level, changes = false, requiresSession = false } = rule;
    add(
      'row',
      [
        fill(says.row, { pattern: `${methods}${rule.path}`, level }),
        changes ? says.rowChanges : '',
        requiresSession ? says.rowSession : '',
      ].join(''),
    );
    if (outcome === 'forbidden' && rule.stricter !== undefined)
      add('row', fill(says.stricter, { why: rule.stricter }));
  }
  if (may !== undefined && rule !== undefined) add('may', mayText(may, rule, missing, says));
  if (resource?.kind === 'cameras') add('cameras', namesOf(resource, says));
  else if (resource?.kind === 'recorded')
    add('cameras', fill(says.notAsked, { ids: resource.ids.join(', ') }));
  if (decision.outcome === 'allow' && decision.grant !== 'all' && identity !== undefined) {
    const granted = identity.token?.cameras === undefined ? says.roleGranted : says.tokenGranted;
    add('cameras', fill(granted, { cameras: [...decision.grant].join(', ') || says.noCameras }));
  }
  if (decision.outcome === 'allow' && decision.narrowed !== undefined) {
    if (rule?.filter !== undefined) add('query', fill(says.narrowed, { cameras: namesOf(resource, says) }));
    if (decision.since !== undefined && rule?.recorded === 'after')
      add('query', fill(says.narrowedSince, { time: new Date(decision.since).toISOString() }));
  }
  if (decision.outcome !== 'allow' && decision.opening !== undefined) {
    const { opens } = decision.opening;
    add(
      'schedule',
      opens === undefined
        ? says.neverOpens
        : fill(says.opens, { time: `${dayAndTime(opens, opens, zone, language)} (${zone})` }),
    );
  }
  add('verdict', fill(says.verdict, { outcome, reason, meaning }));
  return steps;
}

function roleText({ role, groups }: Identity, says: StepTexts): string {
  return groups === '' ? role : fill(says.role, { role, groups: JSON.stringify(groups) });
}

function mayText(may: May, rule: AccessRule, missing: Capability | undefined, says: StepTexts): string {
  const wordsOf = (capabilities: Iterable<Capability>, between = ', ') =>
    [...capabilities].join(between) || says.nothing;
  const needed = wordsOf(neededFor(rule), rule.may === 'live-or-history' ? ' / ' : undefined);
  const text = fill(says.may, { granted: wordsOf(may), needed });
  return missing === undefined ? text : `${text}${fill(says.missing, { missing })}`;
}

function namesOf(resource: Decision['resource'], { noCameras }: StepTexts): string {
  return (resource?.kind === 'cameras' && resource.cameras.join(', ')) || noCameras;
}

function whoIs({ user, source, token }: Identity, says: StepTexts): string {
  return token === undefined
    ? fill(says.by, { user, source })
    : fill(says.byApiToken, { user, id: token.id });
}
