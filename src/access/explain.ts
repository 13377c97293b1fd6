import type { RequestContext } from '../policy/request-context.ts';
import { dayAndTime } from '../language/opening-text.ts';
import type { Identity } from '../policy/identity.ts';
import { steps as de } from '../language/de/steps.ts';
import { steps as en, type StepTexts } from '../language/en/steps.ts';
import type { Language } from '../language/language.ts';
import { reasonText } from '../language/reason-text.ts';
import type { Decision } from '../policy/decision.ts';
import { neededFor } from '../policy/access-rule.ts';
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

const catalogues = { en, de } as const;

/** The first step if the rest comes from an audit record. @param time of the record, ISO 8601 */
export function explainRecord(time: string, language: Language = 'en'): Step {
  return { step: 'record', says: catalogues[language].recorded(time) };
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

/** What the identity has at the moment of the explanation. */
export interface ExplainedAccess {
  /** Those of the role and of its API token. */
  readonly schedules?: readonly ExplainedSchedule[];
  /** Undefined if there is no identity. */
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
  const says = catalogues[language];
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
  if (identity !== undefined) add('role', says.role(identity.role, identity.groups));
  for (const { owner, schedule, zone, isOpen } of schedules) {
    const keys = Object.entries(schedule).map(([key, value]) => `${key} ${value}`);
    add('schedule', says.schedule(owner, keys.join(', '), zone, isOpen));
  }
  if (fault !== undefined) add('uri', says.notUnderstood(front ?? '', fault.header));
  else if (uri === undefined) add('uri', says.notSaid);
  else add('uri', path === undefined ? says.unsafe(uri.split('?', 1)[0] ?? '') : says.request(method, path));
  if (rule !== undefined) {
    const methods = rule.methods === undefined ? '' : `${rule.methods.join(', ')} `;
    const { level, changes = false, requiresSession = false } = rule;
    add('row', says.row(`${methods}${rule.path}`, level, changes, requiresSession));
    if (outcome === 'forbidden' && rule.stricter !== undefined) add('row', says.stricter(rule.stricter));
  }
  if (may !== undefined && rule !== undefined)
    add('may', says.may(wordsOf(may), wordsOf(neededFor(rule)), missing));
  if (resource?.kind === 'cameras') add('cameras', namesOf(resource, says));
  else if (resource?.kind === 'recorded') add('cameras', says.notAsked(resource.ids.join(', ')));
  if (decision.outcome === 'allow' && decision.grant !== 'all' && identity !== undefined) {
    const granted = identity.token?.cameras === undefined ? says.roleGranted : says.tokenGranted;
    add('cameras', granted([...decision.grant].join(', ') || says.noCameras));
  }
  if (decision.outcome === 'allow' && decision.narrowed !== undefined) {
    if (rule?.filter !== undefined) add('query', says.narrowed(namesOf(resource, says)));
    if (decision.since !== undefined && rule?.recorded === 'after')
      add('query', says.narrowedSince(new Date(decision.since).toISOString()));
  }
  if (decision.outcome !== 'allow' && decision.opening !== undefined) {
    const { opens } = decision.opening;
    add(
      'schedule',
      opens === undefined
        ? says.neverOpens
        : says.opens(`${dayAndTime(opens, opens, zone, language)} (${zone})`),
    );
  }
  add('verdict', says.verdict(outcome, reason, meaning));
  return steps;
}

function wordsOf(capabilities: Iterable<Capability>): string {
  return [...capabilities].join(', ');
}

function namesOf(resource: Decision['resource'], { noCameras }: StepTexts): string {
  return (resource?.kind === 'cameras' && resource.cameras.join(', ')) || noCameras;
}

function whoIs({ user, source, token }: Identity, { by, byApiToken }: StepTexts): string {
  return token === undefined ? by(user, source) : byApiToken(user, token.id);
}
