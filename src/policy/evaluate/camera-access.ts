import { capabilities, type Capability } from '../capability.ts';
import type { Decision } from '../decision.ts';
import { isGranted } from '../grant.ts';
import type { Authentication } from '../identity.ts';
import type { Reason } from '../reasons.ts';
import { offerOfSound } from '../recorder/offers.ts';
import { mayMove } from '../recorder/ptz.ts';
import { passesOnItself, type Front, type RequestContext } from '../request-context.ts';
import { prepareSchedules, type Schedule, type ScheduleStates, turnOf } from '../schedule.ts';
import { forbidden } from './decide.ts';
import { evaluate } from './evaluate.ts';
import { areRequestsRead } from './revalidation.ts';
import type { Rules } from './rules.ts';

/** Whether someone may do one thing with a camera. */
export interface Permission {
  /** `closed`: not now, but while the schedule is open. */
  readonly state: 'may' | 'closed' | 'no';
  /** For `no`, what refuses it even while the schedule is open. */
  readonly reason: Reason;
}

export type CameraAccess = Readonly<Record<Capability, Permission>>;

/** Who asks, when, and by which front. */
export interface Asking {
  readonly authentication: Authentication;
  /** Schedule of the role. Absent when it is always open. */
  readonly schedule: Schedule | undefined;
  readonly rules: Rules;
  readonly front: Front | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Name of the time zone of schedules. */
  readonly zone: string;
}

/** A question at one moment: the rules have the schedules of that moment. */
type Moment = Pick<Asking, 'authentication' | 'rules' | 'front' | 'at'>;

/** @returns the request that a page sends first to use a capability */
export function requestFor(
  capability: Capability,
  camera: string,
  { front, at }: Pick<Moment, 'front' | 'at'>,
): RequestContext {
  // Half a character cannot be encoded.
  const name = encodeURIComponent(camera.toWellFormed());
  // Never before the start of a schedule that is open.
  const from = Math.ceil(at / 1_000);
  const [method, uri] = (
    {
      // Not `/api/:camera`, which is unresolved for a camera that no role names while the recorder is away.
      live: ['GET', `/live/jsmpeg/${name}`],
      history: ['GET', `/vod/${name}/start/${from}/end/${from + 1}/index.m3u8`],
      export: ['POST', `/api/export/${name}/start/${from}/end/${from + 1}`],
      ptz: ['GET', '/ws'],
      share: ['POST', '/postern/api/shares'],
      talk: ['POST', `/api/go2rtc/webrtc?src=${name}`],
    } as const
  )[capability];
  const isHidden = method === 'GET' || !passesOnItself(front);
  return {
    entryPoint: 'authenticated',
    front,
    method,
    uri,
    headers: capability === 'ptz' ? ['Upgrade', 'websocket'] : [],
    // A front that only asks shows no body.
    body: isHidden ? undefined : capability === 'talk' ? offerOfSound : 'to-come',
    host: 'localhost',
    secure: true,
  };
}

/** @returns what would be decided on a capability and a camera */
export function decideFor(capability: Capability, camera: string, asking: Asking): Decision {
  return decideAt(capability, camera, momentOf(asking));
}

/** Rights for each camera. Cameras with the same answers are one entry. */
export function accessToCameras(
  cameras: readonly string[],
  asking: Asking,
): ReadonlyArray<CameraAccess & { readonly cameras: readonly string[] }> {
  const [now, whileOpen] = [momentOf(asking), openMomentOf(asking)];
  const found = new Map<string, CameraAccess & { readonly cameras: string[] }>();
  for (const camera of cameras) {
    const given = capabilities.map(
      (capability) =>
        [capability, permissionBy((moment) => decideAt(capability, camera, moment), now, whileOpen)] as const,
    );
    const key = given.map(([, { state, reason }]) => `${state} ${reason}`).join(',');
    const same = found.get(key);
    if (same !== undefined) same.cameras.push(camera);
    else found.set(key, { cameras: [camera], ...(Object.fromEntries(given) as CameraAccess) });
  }
  return [...found.values()];
}

/** Lists that name no camera: only the recorder limits them to those of a role. */
export function accessToLists(asking: Asking): Permission {
  const request = { ...requestFor('history', '', asking), uri: '/api/events/summary' };
  return permissionBy(
    ({ authentication, rules }) => evaluate(request, authentication, rules),
    momentOf(asking),
    openMomentOf(asking),
  );
}

function decideAt(capability: Capability, camera: string, moment: Moment): Decision {
  const decision = evaluate(requestFor(capability, camera, moment), moment.authentication, moment.rules);
  if (capability === 'share') return decideToShare(decision, camera, moment);
  if (capability !== 'ptz' || decision.outcome !== 'allow' || !areRequestsRead(decision)) return decision;
  // The messages on the WebSocket are decided one by one.
  if (mayMove(camera, decision)) return decision;
  const { identity, grant, path, rule } = decision;
  const basis = { path, rule, resource: { kind: 'cameras', cameras: [camera] } } as const;
  return isGranted(grant, camera)
    ? { ...basis, ...forbidden('role_may_not', identity), missing: 'ptz' }
    : { ...basis, ...forbidden('camera_not_granted', identity) };
}

/** A share shows recordings or an export of the camera, which its creator may see. @param word whether shares may be made at all */
function decideToShare(word: Decision, camera: string, moment: Moment): Decision {
  const recorded = decideAt('history', camera, moment);
  const seen = recorded.outcome === 'allow' ? recorded : decideAt('export', camera, moment);
  const decision = seen.outcome === 'allow' ? seen : recorded;
  const lacksWord = decision.outcome === 'allow' || decision.reason === 'role_may_not';
  if (word.outcome !== 'allow' && !lacksWord) return decision;
  if (word.outcome === 'allow' && decision.outcome !== 'allow') return decision;
  return { ...word, resource: { kind: 'cameras', cameras: [camera] } };
}

function permissionBy(
  decide: (moment: Moment) => Decision,
  now: Moment,
  whileOpen: Moment | undefined,
): Permission {
  const { outcome, reason } = decide(now);
  if (outcome === 'allow') return { state: 'may', reason };
  if (reason !== 'role_outside_schedule' || whileOpen === undefined) return { state: 'no', reason };
  const open = decide(whileOpen);
  return open.outcome === 'allow' ? { state: 'closed', reason } : { state: 'no', reason: open.reason };
}

function momentOf(asking: Asking): Moment {
  const { authentication, front, at } = asking;
  return { authentication, front, at, rules: rulesAt(asking) };
}

/** @returns the rules with the schedules of the moment that is asked about */
export function rulesAt({ rules, at, zone }: Pick<Asking, 'rules' | 'at' | 'zone'>): Rules {
  return { ...rules, stateOf: statesAt(at, zone) };
}

/** The next opening; for a schedule that is over, the same moment as if it were open. Absent without a schedule. */
function openMomentOf(asking: Asking): Moment | undefined {
  const { authentication, schedule, rules, front, zone } = asking;
  if (schedule === undefined) return undefined;
  const at = turnOf(schedule, asking.at, zone) ?? asking.at;
  const stateOf = statesAt(at, zone);
  return {
    authentication,
    front,
    at,
    rules: { ...rules, stateOf: (asked) => ({ ...stateOf(asked), isOpen: true }) },
  };
}

/** Computed once for all cameras. */
function statesAt(at: number, zone: string): ScheduleStates {
  return prepareSchedules({ now: () => at }, () => zone);
}
