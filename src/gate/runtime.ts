import { camerasByRole } from '../policy/role-access.ts';
import { isDeepStrictEqual } from 'node:util';
import type { RequestListener } from 'node:http';
import { addressKey } from '../accounts/limits/failure-limit.ts';
import type { RemoveMadeRole } from '../accounts/roles/remove-made-role.ts';
import { withRoles, type RoleDefinitions } from '../accounts/roles/role-definitions.ts';
import { createApi, type Api } from '../api/api.ts';
import { isBelowOwnBase } from '../api/own-paths.ts';
import { mount } from '../api/endpoint.ts';
import { lastingEndpoints } from '../features/index.ts';
import { authenticateBy } from '../access/authentication/authenticate.ts';
import type { CurrentRuntime } from '../api/permit.ts';
import type { Authorization } from '../access/authorize.ts';
import type { CheckConfiguration } from '../config/configuration-file.ts';
import type { Configuration, Limits } from '../config/configuration.ts';
import { fitLimits } from '../config/open-files.ts';
import { namesOpenPort } from '../config/resolve-recorder.ts';
import { servesSample, sampleCameras } from '../events/sample.ts';
import { createFrontListener } from '../http/fronts/front-listener.ts';
import { frontProof, type FrontProof } from '../http/fronts/front-trust.ts';
import { isOwnCookie } from '../policy/own-cookies.ts';
import type { EntryPoint } from '../policy/request-context.ts';
import { changedAnswers } from '../recorder/whole-answer.ts';
import { listFilter } from '../recorder/list-filter.ts';
import type { Sealing } from '../accounts/sealing.ts';
import { type Recorder, recorderAt, upstreamAt } from '../recorder/connect-recorder.ts';
import { passedHeaders, strippedHeaders } from '../http/reverse-proxy/upstream-headers.ts';
import { settingsOf } from '../access/settings/settings.ts';
import type { WarnOnce } from '../telemetry/logger.ts';
import { endOf } from '../http/tls/certificate.ts';
import { composeAccounts } from './compose-accounts.ts';
import { accountStrategies, composeAuthorization, type Identify } from './compose-authorization.ts';
import { type RuntimeRoles, composeEndpoints, rolesOfRuntime, withStops } from './compose-endpoints.ts';
import { composeReverseProxies, type ReverseProxies } from './compose-reverse-proxies.ts';
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
  /** Absent when custom roles come only from the configuration. */
  readonly currentRoles: RuntimeRoles['current'];
  readonly removeMadeRole: RemoveMadeRole;
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
 * @param declared the configuration of config.yml; the roles of a shared store are added
 */
export function createRuntime(
  declared: Configuration,
  files: GateFiles,
  services: Services,
  context: RuntimeContext,
): Runtime {
  const { events, current } = context;
  const { roleReading, recorderConfiguration, clock, warnOnce } = services;

  // Configuration.
  const configuration = withRoles(declared, roleReading?.known());
  const roles = rolesOfRuntime(declared.auth.defined, roleReading, current);
  const recorder = recorderAt(configuration, files.recorderCertificate);
  const settings = settingsOf(withSampleCameras(configuration), services.ownPaths.rules, services.database, {
    ...listFilter(configuration, services.roleVerification),
    learnt: recorderConfiguration.configuration,
    clock,
    everyoneIsAdmin: () => mayTakeEveryoneForAdmin(configuration.upstream, recorderConfiguration.knowledge()),
    stopsOf: services.stops.of,
  });
  const { limits, clientConnections } = fitLimits(configuration.limits, services.openFiles);

  // Accounts, and the features that are on.
  const accounts = composeAccounts(configuration, files, settings, services);
  const endpoints = composeEndpoints(
    configuration,
    { recorder, roles, check: context.check, readConfiguration: context.readConfiguration, current },
    services,
  );
  const ui = {
    ui: services.ui,
    settings,
    housePicture: files.housePicture,
    hasRecorder: endpoints.hasRecorder,
    shareRules: shareRulesOf(configuration),
    servesSample: endpoints.servesSample,
    passkeys: accounts.passkeys,
    signOn: accounts.signOn,
  };
  const core = {
    ...ui,
    ...accounts,
    configuration,
    customRoles: endpoints.customRoles,
    removeMadeRole: endpoints.removeMadeRole,
    current,
    currentSettings: async () => {
      await endpoints.requireCurrentRoles();
      return current().settings;
    },
    audit: services.audit,
    tallies: services.tallies,
    alerts: services.alerts,
  };
  const features = services.features.map(({ compose }) => compose(core));
  const identify = Object.assign({}, ...features.map((feature) => feature.identify)) as Identify;

  // Authentication and authorization.
  const pipeline = {
    ...services,
    logger: services.requestLog,
    ...accounts,
    identify,
    noteToken: services.features.flatMap(({ noteToken }) => noteToken ?? []),
    authenticateAccount: authenticateBy(
      accountStrategies({ ...accounts, bearer: identify.bearer }, settings),
    ),
    settings,
    currentRoles: roles.current,
  };
  const authorization = composeAuthorization({
    ...pipeline,
    viewing: configuration.audit.viewing === false ? undefined : services.viewing,
    currentRoles: withStops(roles.current, services.stops, current),
  });
  const transformers = [changedAnswers];
  const { authorize } = authorization;

  // Endpoints and proxies.
  const certificateEnds = files.certificate && endOf(files.certificate);
  // With the first request: a new configuration, and a gate that only answers fronts, do not wait for a hundred routes.
  const api = atFirstRequest(() => {
    const lasting = {
      ...pipeline,
      ...endpoints,
      ...ui,
      current,
      authorize,
      evaluate: authorization.evaluate,
      recordDecision: authorization.record,
      certificateEnds: () => certificateEnds,
      endCredential: services.features.flatMap(({ endCredential }) => endCredential ?? []),
      openRequests: features.find(({ openRequests }) => openRequests !== undefined)?.openRequests,
      ofPeople: features.flatMap(({ ofPeople }) => ofPeople ?? []),
      recordsViewing: configuration.audit.viewing !== false,
    };
    return createApi(
      { ...pipeline, current, authorization },
      {
        open: [...mount(lastingEndpoints.open, lasting), ...features.flatMap(({ open }) => open)],
        guarded: [...mount(lastingEndpoints.guarded, lasting), ...features.flatMap(({ guarded }) => guarded)],
      },
      ui,
    );
  });
  const upstream = services.upstreams.at(recorder?.address ?? upstreamAt(events), limits.upstreamConnections);
  const stripped = strippedHeaders(configuration.proxy.trustedHeaders);
  const proxies = composeReverseProxies({
    logger: services.requestLog,
    audit: services.audit,
    tallies: services.tallies,
    hasher: services.hasher,
    warnOnce: services.warnOnce,
    ownPaths: services.ownPaths,
    streams: services.streams,
    cameraMoves: services.cameraMoves,
    hops: services.hops,
    settings,
    authorize,
    recordDecision: authorization.record,
    evaluate: authorization.evaluate,
    api,
    current,
    upstream,
    upstreamSecret: recorder?.authSecret,
    transformers,
    strippedHeaders: stripped,
    headers: passedHeaders(isOwnCookie(configuration.auth.cookieName)),
    hasRecorder: endpoints.hasRecorder,
    media: features.find(({ media }) => media !== undefined)?.media,
  });

  return {
    start: () => {
      warnOfHiddenRoles(roles.definitions, warnOnce);
      warnOfFewFiles(configuration.limits, limits, services);
      services.upstreams.use(upstream);
      for (const { start } of features) start?.();
      const { checkInterval, manageRoles } = configuration.recorder;
      services.askRecorder({
        recorder,
        roles: camerasByRole(configuration.auth.roles),
        checkInterval,
        manageRoles,
      });
    },
    settings,
    currentRoles: roles.current,
    renewRolesIn: roleReading?.renewIn,
    evaluate: authorization.evaluate,
    evaluateIn: authorization.evaluateIn,
    identify: authorization.identify,
    answer: (request, facts) => api.fetch(request, facts),
    removeMadeRole: endpoints.removeMadeRole,
    recorder,
    sealing: accounts.sealing,
    certificateEnds: () => certificateEnds,
    frontProof: frontProof(configuration.fronts.trusted, configuration.fronts.secret),
    limits,
    clientConnections,
    connectionOwner: (address) => (settings.isTrustedProxy(address) ? undefined : addressKey(address)),
    ...proxies,
    authorizationRequests: (entryPoint) => {
      const facts = { entryPoint, tls: false, listener: 'forward-auth' } as const;
      return createFrontListener(proxies.own(facts), {
        entryPoint,
        settings,
        authorize,
        identify: authorization.identify,
        decisions: services.decisions,
        strippedHeaders: stripped,
        isOwnPath: isBelowOwnBase,
        warnOnce,
      });
    },
  };
}

function atFirstRequest(create: () => Api): Pick<Api, 'fetch'> {
  let api: Api | undefined;
  return { fetch: (...request) => (api ??= create()).fetch(...request) };
}

function shareRulesOf({ shares, features }: Configuration) {
  return { ...shares, enabled: shares.enabled && features.has('shares') };
}

/** No recorder names the cameras of the sample. */
function withSampleCameras(configuration: Configuration): Configuration {
  if (configuration.cameras !== undefined || !servesSample(configuration)) return configuration;
  return { ...configuration, cameras: [...sampleCameras].toSorted() };
}

function warnOfHiddenRoles({ hidden }: RoleDefinitions, warnOnce: WarnOnce): void {
  const roles = [...hidden];
  if (roles.length > 0)
    warnOnce(
      `hidden roles ${roles.join(' ')}`,
      { roles },
      'auth.roles of config.yml declares roles that were made in the UI too: the declared ones count',
    );
}

function warnOfFewFiles(wanted: Limits, fitting: Limits, { openFiles, logger }: Services): void {
  if (isDeepStrictEqual(fitting, wanted)) return;
  const { connectionsPerClient, upstreamConnections } = fitting;
  logger.warn(
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
