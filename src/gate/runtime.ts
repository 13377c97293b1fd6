import type { RequestListener } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Authorization } from '../access/authorize.ts';
import type { CurrentRoles } from '../access/current-roles.ts';
import { type Settings, settingsOf } from '../access/settings/settings.ts';
import { addressKey } from '../accounts/limits/failure-limit.ts';
import type { RemoveMadeRole } from '../accounts/roles/remove-made-role.ts';
import { type RoleDefinitions, withRoles } from '../accounts/roles/role-definitions.ts';
import type { Sealing } from '../accounts/sealing.ts';
import { type Api, createApi } from '../api/api.ts';
import { isBelowOwnBase } from '../api/own-paths.ts';
import type { CurrentRuntime } from '../api/permit.ts';
import type { UiDependencies } from '../api/ui/ui-routes.ts';
import type { CheckConfiguration } from '../config/configuration-file.ts';
import type { Configuration, Limits } from '../config/configuration.ts';
import { fitLimits } from '../config/open-files.ts';
import { namesOpenPort } from '../config/resolve-recorder.ts';
import { sampleCameras, servesSample } from '../events/sample.ts';
import { createFrontListener } from '../http/fronts/front-listener.ts';
import { type FrontProof, frontProof } from '../http/fronts/front-trust.ts';
import { strippedHeaders } from '../http/reverse-proxy/upstream-headers.ts';
import { endOf } from '../http/tls/certificate.ts';
import type { EntryPoint } from '../policy/request-context.ts';
import { camerasByRole } from '../policy/role-access.ts';
import { type Recorder, recorderAt, upstreamAt } from '../recorder/connect-recorder.ts';
import { listFilter } from '../recorder/list-filter.ts';
import type { WarnOnce } from '../telemetry/logger.ts';
import { composeAuthorization, type Identify } from './compose-authorization.ts';
import { composeEndpoints } from './compose-endpoints.ts';
import { composeReverseProxies, type ReverseProxies } from './compose-reverse-proxies.ts';
import { composeRoles, withStops } from './compose-roles.ts';
import { composeSignIn, type SignIn } from './compose-sign-in.ts';
import type { GateFiles } from './gate-files.ts';
import type { Services } from './services.ts';

/** A runtime needs these besides the services. */
export interface RuntimeContext {
  /** `unix:/path` or `host:port` of the events app. */
  readonly events: string;
  /** Checks a text as config.yml. @returns a function that applies it. @throws ConfigurationError */
  readonly check: CheckConfiguration;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  /** The current runtime, which may be another one. */
  readonly current: () => Runtime;
}

/** Everything that is created by one configuration and one version of the custom roles. */
export interface Runtime
  extends CurrentRuntime, ReverseProxies, Pick<Authorization, 'evaluate' | 'identify'> {
  /** Called once, when it takes effect: logs warnings, and asks the recorder by this configuration from now on. */
  start(): void;
  readonly currentRoles: CurrentRoles;
  readonly removeMadeRole: RemoveMadeRole;
  readonly removeCopiedRoles: () => Promise<void>;
  /** Absent when there is none. */
  readonly recorder: Recorder | undefined;
  readonly sealing: Sealing;
  /** Milliseconds since the epoch; `undefined` without a certificate. */
  readonly certificateEnds: () => number | undefined;
  readonly frontProof: FrontProof;
  readonly limits: Limits;
  /** Connections that all clients together may have. */
  readonly clientConnections: number;
  /** Client by the address of a connection; `undefined` for a proxy with many clients behind it. */
  connectionOwner(address: string): string | undefined;
  /** Answers on the forward-auth listener of an entry point. */
  authorizationRequests(entryPoint: EntryPoint): RequestListener;
}

/**
 * Changes nothing outside before it is started.
 * @param declared the configuration of config.yml; the roles of the store are added
 */
export function createRuntime(
  declared: Configuration,
  files: GateFiles,
  services: Services,
  context: RuntimeContext,
): Runtime {
  const { foundation } = services;
  const { audit, clock, requestLog, roleReading, tallies, warnOnce } = foundation;
  const { current } = context;

  // The meaning of the configuration.
  const configuration = withRoles(declared, roleReading.known());
  const roles = composeRoles(declared, services, context);
  const recorder = recorderAt(configuration, files.recorderCertificate);
  const settings = composeSettings(configuration, services);
  const { limits, clientConnections } = fitLimits(configuration.limits, services.openFiles);

  // Sign-in, and the features that are on.
  const signIn = composeSignIn(configuration, files, settings, services);
  const { sessions, cookie, cookieHeader, lastSeen, sealing, secondFactor, oidc } = signIn;
  const finishing = { settings, current, sessions, cookieHeader, audit, tallies, alerts: foundation.alerts };
  const pages = composePages(configuration, files, { settings, signIn, ui: services.ui });
  const features = services.features.map(({ compose }) =>
    compose({
      configuration,
      settings,
      pages,
      finishing,
      jwtSecret: files.jwtSecret,
      sealing,
      passkeys: secondFactor.passkeys,
      authenticateSession: signIn.authenticateSession,
      personalRoles: roles.personal,
      removeMadeRole: roles.removeMade,
      currentSettings: async () => {
        await roles.requireCurrent();
        return current().settings;
      },
    }),
  );

  // Authentication and authorization.
  const identify = Object.assign({}, ...features.map((feature) => feature.identify)) as Identify;
  const authorization = composeAuthorization(services, {
    settings,
    upkeep: { sessions, cookie, lastSeen, mayRefresh: oidc.mayRefresh },
    identify,
    currentRoles: withStops(roles.current, services.accounts.stops, current),
    recordsViewing: configuration.audit.viewing !== false,
  });

  // Endpoints and proxies.
  const certificateEnds = files.certificate && endOf(files.certificate);
  // With the first request: a new configuration, and a gate that only answers fronts, do not wait for a hundred routes.
  const api = atFirstRequest(() =>
    createApi(
      {
        settings,
        logger: requestLog,
        warnOnce,
        audit,
        clock,
        monitoring: services.monitoring.answer,
        ownPaths: services.ownPaths,
        current,
        authorization,
        currentRoles: roles.current,
      },
      composeEndpoints(services, {
        configuration,
        settings,
        recorder,
        roles,
        signIn,
        finishing,
        pages,
        features,
        identify,
        authorization,
        certificateEnds,
        context,
      }),
      pages,
    ),
  );
  const { upstreams } = services.forwarding;
  const upstream = upstreams.at(recorder?.address ?? upstreamAt(context.events), limits.upstreamConnections);
  const proxies = composeReverseProxies(services, {
    configuration,
    settings,
    authorization,
    api,
    upstream,
    recorder,
    media: features.find(({ media }) => media !== undefined)?.media,
    current,
  });

  return {
    start: () => {
      warnOfHiddenRoles(roles.definitions, warnOnce);
      warnOfFewFiles(configuration.limits, limits, services);
      upstreams.use(upstream);
      for (const { start } of features) start?.();
      const { checkInterval, manageRoles } = configuration.recorder;
      services.recorder.askRecorder({
        recorder,
        roles: camerasByRole(configuration.auth.roles),
        checkInterval,
        manageRoles,
      });
    },
    settings,
    currentRoles: roles.current,
    renewRolesIn: roleReading.renewIn,
    evaluate: authorization.evaluate,
    evaluateIn: authorization.evaluateIn,
    identify: authorization.identify,
    answer: (request, facts) => api.fetch(request, facts),
    removeMadeRole: roles.removeMade,
    removeCopiedRoles: roles.removeCopied,
    recorder,
    sealing,
    certificateEnds: () => certificateEnds,
    frontProof: frontProof(configuration.fronts.trusted, configuration.fronts.secret),
    limits,
    clientConnections,
    connectionOwner: (address) => (settings.isTrustedProxy(address) ? undefined : addressKey(address)),
    front: proxies.front,
    own: proxies.own,
    sharedMedia: proxies.sharedMedia,
    relay: proxies.relay,
    authorizationRequests: (entryPoint) => {
      const facts = { entryPoint, tls: false, listener: 'forward-auth' } as const;
      return createFrontListener(proxies.own(facts), {
        entryPoint,
        settings,
        authorize: authorization.authorize,
        identify: authorization.identify,
        decisions: services.records.decisions,
        strippedHeaders: strippedHeaders(configuration.proxy.trustedHeaders),
        isOwnPath: isBelowOwnBase,
        warnOnce,
      });
    },
  };
}

/** The meaning of the configuration for requests. */
function composeSettings(
  configuration: Configuration,
  { foundation, accounts, recorder, ownPaths }: Services,
): Settings {
  const { recorderConfiguration, roleVerification } = recorder;
  const { listsAreFiltered, roleAtRecorder } = listFilter(configuration, roleVerification);
  return settingsOf(withSampleCameras(configuration), ownPaths.rules, foundation.database, {
    listsAreFiltered,
    roleAtRecorder,
    learnt: recorderConfiguration.configuration,
    clock: foundation.clock,
    everyoneIsAdmin: () => mayTakeEveryoneForAdmin(configuration.upstream, recorderConfiguration.knowledge()),
    stopsOf: accounts.stops.of,
  });
}

/** The pages of the UI. */
function composePages(
  configuration: Configuration,
  { housePicture }: GateFiles,
  { settings, signIn, ui }: { readonly settings: Settings; readonly signIn: SignIn } & Pick<Services, 'ui'>,
): UiDependencies {
  const { shares, features, upstream } = configuration;
  return {
    ui,
    settings,
    housePicture,
    hasRecorder: upstream !== undefined,
    shareRules: { enabled: shares.enabled && features.has('shares'), longest: shares.longest },
    servesSample: servesSample(configuration),
    signOn: signIn.oidc.signOn,
  };
}

function atFirstRequest(create: () => Api): Pick<Api, 'fetch'> {
  let api: Api | undefined;
  return { fetch: (...request) => (api ??= create()).fetch(...request) };
}

/** No recorder names the cameras of the sample. */
function withSampleCameras(configuration: Configuration): Configuration {
  if (configuration.cameras !== undefined || !servesSample(configuration)) return configuration;
  return { ...configuration, cameras: [...sampleCameras].toSorted() };
}

function warnOfHiddenRoles({ hidden, ignored }: RoleDefinitions, warnOnce: WarnOnce): void {
  const names = [...ignored];
  if (names.length > 0)
    warnOnce(
      `ignored roles ${names.join(' ')}`,
      { roles: names },
      'ignored roles of config.yml whose names begin with guest_: Postern makes such names for one person; give the roles other names',
    );
  const roles = [...hidden];
  if (roles.length > 0)
    warnOnce(
      `hidden roles ${roles.join(' ')}`,
      { roles },
      'auth.roles of config.yml declares roles that were made in the UI too: the declared ones count',
    );
}

function warnOfFewFiles(wanted: Limits, fitting: Limits, { openFiles, foundation }: Services): void {
  if (isDeepStrictEqual(fitting, wanted)) return;
  const { connectionsPerClient, upstreamConnections } = fitting;
  foundation.logger.warn(
    { openFiles, connectionsPerClient, upstreamConnections },
    'the process may have few files open (ulimit -n): limits.connections_per_client and limits.upstream_connections are lower',
  );
}

/** Lists are open until the recorder at `upstream` has answered. */
function mayTakeEveryoneForAdmin(
  upstream: string | undefined,
  known: { readonly isEveryoneAdmin: boolean | undefined } | undefined,
): boolean {
  return upstream !== undefined && (namesOpenPort(upstream) || known?.isEveryoneAdmin !== false);
}
