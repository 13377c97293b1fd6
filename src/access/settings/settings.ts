import { systemClock, type Clock } from '../../clock.ts';
import { networksOf, type InNetworks } from '../../policy/client-address.ts';
import type { ProxyIdentity } from '../authentication/proxy-headers.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Rules } from '../../policy/evaluate/rules.ts';
import type { RecorderRole } from '../../recorder/recorder-role.ts';
import { prepareRules, type ResolveResource } from '../../policy/rule-tree.ts';
import { prepareRoleResolution } from '../../policy/role-map.ts';
import { prepareSchedules, type Schedules } from '../../policy/schedule.ts';
import type { AccessRule } from '../../policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../policy/recorder/access-rules.ts';
import type { RecordedTimes } from '../../policy/evaluate/recorded-since.ts';
import type { RecordedCameras } from '../../policy/resource.ts';
import type { RecorderConfiguration } from '../../recorder/configuration-answer.ts';
import type { ListFilter } from '../../recorder/list-filter.ts';
import { cameraGaps, camerasOfRecorder, knownCameras, type CameraGaps } from './known-cameras.ts';
import { liveStreams, type LiveCamera } from './live-streams.ts';

/** What one configuration means for a request; a changed configuration makes others. */
export interface Settings {
  readonly rules: Rules;
  readonly schedules: Schedules;
  readonly proxySecret: string | undefined;
  /** `session`: own accounts (`auth.enabled`); `proxy`: the upstream proxy's headers are believed. */
  readonly mode: 'session' | 'proxy';
  readonly proxyIdentity: ProxyIdentity;
  /** Of the provider at which people sign in; undefined: there is none. */
  readonly issuer: string | undefined;
  /** What people call that provider. */
  readonly providerLabel: string | undefined;
  /** Roles whose local users need a second factor. */
  readonly secondFactorFor: ReadonlySet<string>;
  readonly logoutUrl: string | undefined;
  /** Whom to ask: a text, `mailto:` or https. */
  readonly contact: string | undefined;
  /** Whether `/` is a recorder's, and no page of the gate's. */
  readonly hasStartPage: boolean;
  /** To whose pages, besides this site's, a login may lead back. */
  readonly returnDomains: readonly string[];
  readonly isTrustedProxy: InNetworks;
  /** Whether it is verified that the recorder keeps a custom role to its cameras, by all fronts that are in use. */
  readonly roleAtRecorder: (role: string) => RecorderRole;
  /** By which front the gate passes requests on itself, and sees their answers; undefined: by none. */
  readonly ownFront: 'embedded' | 'relay' | undefined;
  /** Names of the cameras there are. */
  readonly allCameras: () => readonly string[];
  /** Live streams of those of all cameras that somebody may see. */
  readonly liveStreams: (mayBeSeen: (camera: string) => boolean) => readonly LiveCamera[];
  /** Where the configuration and what the recorder says at this moment do not fit together. */
  readonly cameraGaps: () => CameraGaps;
}

/** What the recorder's database is asked. */
interface Recorder extends RecordedCameras, RecordedTimes {
  /** Names of the cameras that have events. */
  cameras(): readonly string[];
}

/**
 * Prepares a configuration for decisions.
 * @param ownRules access rules of the gate's own endpoints
 * @param learnt what the recorder says of its cameras at this moment; the same object for as long as it says the same
 * @param everyoneIsAdmin whether the recorder takes everyone for an admin, or may
 */
export function settingsOf(
  configuration: Configuration,
  ownRules: readonly AccessRule[],
  recorder: Recorder,
  { listsAreFiltered, roleAtRecorder }: ListFilter,
  learnt: () => RecorderConfiguration | undefined = () => undefined,
  clock: Clock = systemClock,
  everyoneIsAdmin: () => boolean = () => false,
): Settings {
  const { auth, proxy, cameras, accessRules, logoutUrl, contact, basePath } = configuration;
  const table = [...ownRules, ...lockedRules, ...accessRules, ...recorderRules];
  const allCameras = () => cameras ?? allOr(camerasOfRecorder(learnt()), recorder.cameras);
  return {
    rules: {
      customRoles: auth.roles,
      resolveResource: preparedAnew(learnt, (known) =>
        prepareRules(table, knownCameras(configuration, known)),
      ),
      recorded: recorder,
      recordedTimes: recorder,
      listsAreFiltered,
      everyoneIsAdmin,
      scheduleOf: prepareSchedules(auth.schedules, clock, () => Temporal.Now.timeZoneId()),
      internalHosts: configuration.internalHosts,
      basePath,
    },
    schedules: auth.schedules,
    proxySecret: proxy.authSecret,
    mode: auth.enabled ? 'session' : 'proxy',
    proxyIdentity: {
      trustedHeaders: proxy.trustedHeaders,
      userHeader: proxy.userHeader,
      roleHeader: proxy.roleHeader,
      ...prepareRoleResolution({ ...proxy, customRoles: auth.roles }),
    },
    issuer: auth.oidc?.issuer,
    providerLabel: auth.oidc?.label,
    secondFactorFor: auth.secondFactor.requiredFor,
    logoutUrl,
    contact,
    hasStartPage: configuration.upstream !== undefined,
    returnDomains: auth.returnDomains,
    isTrustedProxy: networksOf(auth.trustedProxies),
    roleAtRecorder,
    ownFront: ownFrontOf(configuration),
    allCameras,
    liveStreams: (mayBeSeen) =>
      liveStreams(allCameras().filter(mayBeSeen), configuration, learnt(), mayBeSeen),
    cameraGaps: () => cameraGaps(configuration, learnt()),
  };
}

function ownFrontOf({ listen }: Configuration): Settings['ownFront'] {
  if (listen.authenticated !== undefined) return 'embedded';
  return listen.relayAuthenticated === undefined ? undefined : 'relay';
}

/** A recorder that was never heard has its cameras in its database, those that had events. */
function allOr(told: readonly string[], recorded: () => readonly string[]): readonly string[] {
  return told.length > 0 ? told : recorded();
}

/** Prepares the rules when a decision finds that the recorder has said something else, all of them before it goes on. */
function preparedAnew(
  learnt: () => RecorderConfiguration | undefined,
  prepare: (learnt: RecorderConfiguration | undefined) => ResolveResource,
): ResolveResource {
  let of = learnt();
  let resolve = prepare(of);
  return (uri, method) => {
    const now = learnt();
    if (now !== of) {
      resolve = prepare(now);
      of = now;
    }
    return resolve(uri, method);
  };
}
