import { systemClock, type Clock } from '../../clock.ts';
import { networksOf, type InNetworks } from '../../policy/client-address.ts';
import type { ProxyIdentity } from '../authentication/proxy-headers.ts';
import type { Features } from '../../policy/features.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Rules } from '../../policy/evaluate/rules.ts';
import type { RecorderRole } from '../../recorder/role-answers.ts';
import { keepLatest } from '../../keep-latest.ts';
import { prepareRules, type ResolveResource } from '../../policy/rule-tree.ts';
import { prepareRoleResolution } from '../../policy/role-map.ts';
import type { CameraGroups, DefinedRoles } from '../../policy/role-access.ts';
import { nextOpening, prepareSchedules } from '../../policy/schedule.ts';
import type { StopsOf } from '../../policy/stop.ts';
import type { AccessRule } from '../../policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../policy/recorder/access-rules.ts';
import type { RecordedTimes } from '../../policy/evaluate/recorded-since.ts';
import type { Landing } from '../../policy/return-address.ts';
import type { RecordedCameras } from '../../policy/resource.ts';
import type { RecorderConfiguration } from '../../recorder/configuration-answer.ts';
import type { ListFilter } from '../../recorder/list-filter.ts';
import { houseOf, type House } from './house.ts';
import {
  cameraGaps,
  camerasOfRecorder,
  groupsOfRecorder,
  inRecorderOrder,
  knownCameras,
  type CameraGaps,
} from './known-cameras.ts';
import { liveStreams, type LiveCamera } from './live-streams.ts';

/** The meaning of one configuration for requests; a changed configuration creates others. */
export interface Settings {
  readonly rules: Rules;
  /** Roles and camera groups as they are written. */
  readonly defined: DefinedRoles;
  readonly features: Features;
  readonly proxySecret: string | undefined;
  /** `session`: own accounts (`auth.enabled`); `proxy`: the upstream proxy's headers are trusted. */
  readonly mode: 'session' | 'proxy';
  readonly proxyIdentity: ProxyIdentity;
  /** Issuer of the provider for federated users, if there is one. */
  readonly issuer: string | undefined;
  /** Display name of that provider. */
  readonly providerLabel: string | undefined;
  /** Roles whose local users need a second factor. */
  readonly secondFactorFor: ReadonlySet<string>;
  readonly logoutUrl: string | undefined;
  /** IANA name of the time zone of schedules. */
  readonly zone: string;
  /** Contact for help: a text, `mailto:` or https. */
  readonly contact: string | undefined;
  readonly house: House;
  /** Where people land after signing in without a deep link. */
  readonly landing: Landing;
  /** Origins whose pages may frame the wall. */
  readonly frameAncestors: readonly string[];
  /** Domains, besides this site's, to which a login may redirect. */
  readonly returnDomains: readonly string[];
  readonly isTrustedProxy: InNetworks;
  /** Whether it has been verified that the recorder limits a custom role to its cameras, on all fronts in use. */
  readonly roleAtRecorder: (role: string) => RecorderRole;
  /** The gate's own front, which passes requests on and sees their answers, if there is one. */
  readonly ownFront: 'embedded' | 'relay' | undefined;
  /** Names of all cameras, in the order in which pages show them. */
  readonly allCameras: () => readonly string[];
  /** Names of cameras on the recorder's pages, where it has them. */
  readonly friendlyNames: () => ReadonlyMap<string, string>;
  /** The recorder's own groups of cameras, which give no access. */
  readonly recorderGroups: () => CameraGroups;
  /** Live streams of the cameras that may be seen. */
  readonly liveStreams: (mayBeSeen: (camera: string) => boolean) => readonly LiveCamera[];
  /** Differences between the configuration and the recorder at this moment. */
  readonly cameraGaps: () => CameraGaps;
}

/** Questions to the recorder's database. */
interface Recorder extends RecordedCameras, RecordedTimes {
  /** Names of the cameras that have events. */
  cameras(): readonly string[];
}

/** Everything that decides besides the configuration, at each moment. */
interface Surroundings extends ListFilter {
  /** The recorder's information about its cameras; the same object as long as nothing changes. */
  readonly learnt?: () => RecorderConfiguration | undefined;
  readonly clock?: Clock;
  /** Whether the recorder treats everyone as admin, or may. */
  readonly everyoneIsAdmin?: () => boolean;
  /** Omit where nothing can be stopped. */
  readonly stopsOf?: StopsOf;
}

/** @param recorder the recorder's database */
export function settingsOf(
  configuration: Configuration,
  ownRules: readonly AccessRule[],
  recorder: Recorder,
  surroundings: Surroundings,
): Settings {
  const { listsAreFiltered, roleAtRecorder, stopsOf, clock = systemClock } = surroundings;
  const { learnt = () => undefined, everyoneIsAdmin = () => false } = surroundings;
  const { auth, proxy, cameras, accessRules, logoutUrl, contact, publicUrl, basePath, timezone } =
    configuration;
  const prepare = prepareOnce([...ownRules, ...lockedRules, ...accessRules, ...recorderRules]);
  const preparedBy = (prepared: ReturnType<typeof prepareRules>) =>
    preparedAgain(learnt, (known) => prepared(knownCameras(configuration, known)));
  const allCameras = () =>
    cameras === undefined
      ? allOr(camerasOfRecorder(learnt()), recorder.cameras)
      : inRecorderOrder(cameras, learnt());
  return {
    rules: {
      roles: auth.roles,
      resolveResource: preparedBy(prepare),
      resolveAsRecorder:
        configuration.audit.viewing === false ? undefined : preparedBy(prepareRecorderOnce(recordersOwn)),
      recorded: recorder,
      recordedTimes: recorder,
      listsAreFiltered,
      everyoneIsAdmin,
      stateOf: prepareSchedules(clock, () => timezone),
      openingOf: (schedules) => nextOpening(schedules, clock.now(), timezone),
      stopsOf,
      internalHosts: configuration.internalHosts,
      publicOrigin: publicUrl,
      basePath,
    },
    defined: auth.defined,
    features: configuration.features,
    proxySecret: proxy.authSecret,
    mode: auth.enabled ? 'session' : 'proxy',
    proxyIdentity: {
      trustedHeaders: proxy.trustedHeaders,
      userHeader: proxy.userHeader,
      roleHeader: proxy.roleHeader,
      ...prepareRoleResolution({ ...proxy, roles: auth.roles }),
    },
    issuer: auth.oidc?.issuer,
    providerLabel: auth.oidc?.label,
    secondFactorFor: auth.secondFactor.requiredFor,
    logoutUrl,
    zone: timezone,
    contact,
    house: houseOf(configuration.ui),
    landing: configuration.ui.landing,
    frameAncestors: configuration.frameAncestors,
    returnDomains: auth.returnDomains,
    isTrustedProxy: networksOf(auth.trustedProxies),
    roleAtRecorder,
    ownFront: ownFrontOf(configuration),
    allCameras,
    friendlyNames: () => learnt()?.friendlyNames ?? noNames,
    recorderGroups: () => groupsOfRecorder(learnt()),
    liveStreams: (mayBeSeen) =>
      liveStreams(allCameras().filter(mayBeSeen), configuration, learnt(), mayBeSeen),
    cameraGaps: () => cameraGaps(configuration, learnt()),
  };
}

const noNames: ReadonlyMap<string, string> = new Map();

function ownFrontOf({ listen }: Configuration): Settings['ownFront'] {
  if (listen.authenticated !== undefined) return 'embedded';
  return listen.relayAuthenticated === undefined ? undefined : 'relay';
}

/** If the recorder has never answered, its cameras are those with events in its database. */
function allOr(learnt: readonly string[], recorded: () => readonly string[]): readonly string[] {
  return learnt.length > 0 ? learnt : recorded();
}

/** Most changes of a configuration leave the rules as they are: decisions don't wait while rules are prepared and garbage is collected. */
const prepareOnce = keepLatest(prepareRules);
const prepareRecorderOnce = keepLatest(prepareRules);
const recordersOwn: readonly AccessRule[] = [...lockedRules, ...recorderRules];

/** Prepares all rules again as soon as a decision finds new information from the recorder. */
function preparedAgain(
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
