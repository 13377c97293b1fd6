import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readUiFiles, type UiFiles } from '../api/ui/ui-files.ts';
import { createAuditRecords } from '../audit/audit-query.ts';
import { createViewing, findLastWatched, findWatched, type WatchedFilter } from '../audit/viewing.ts';
import { createLastLogins } from '../audit/last-logins.ts';
import { createCameraMoves } from '../access/camera-moves.ts';
import { createDecisionLog } from '../access/decision-log.ts';
import { noteOpenStreams } from '../access/viewed.ts';
import { openFilesLimit } from '../config/open-files.ts';
import { endedEntry, streamsOf } from '../access/streams/listed-stream.ts';
import { createOpenStreams } from '../access/streams/open-streams.ts';
import { createStills } from '../access/streams/stills.ts';
import { programDirectory, version } from '../version.ts';
import { ownPathsOf } from '../api/own-paths.ts';
import { createHops } from '../http/reverse-proxy/hops.ts';
import type { Activity } from '../store/store.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createAccountServices, createSessionServices } from './account-services.ts';
import { openFoundation, type Foundation, type ServicesOptions } from './foundation.ts';
import { keptUpstreams, noticeBusy } from './kept-upstream.ts';
import { monitor } from './monitoring.ts';
import { createRecorderServices, type RecorderServices } from './recorder-services.ts';
import type { LoadedFeatures } from '../features/index.ts';

/** Everything that is created once, and stays when the configuration changes. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/**
 * @param loaded the features that are on
 * @throws ConfigurationError or the system's error; `closing` then closes what was opened
 */
export async function openServices(options: ServicesOptions, loaded: LoadedFeatures) {
  const foundation = await openFoundation(options);
  const { clock, logger, tallies, reloads, closing } = foundation;
  const recorder = createRecorderServices(foundation);
  const accounts = createAccountServices(foundation, options.passwordHasher);
  const sessions = createSessionServices(foundation);
  const features = loaded.create({ foundation, recorder, accounts, sessions });
  const watching = createWatching(foundation, recorder);
  return {
    foundation,
    recorder,
    accounts,
    sessions,
    /** Features that are on. */
    features,
    /** Endpoints of the core and of the features that are on. */
    endpoints: loaded,
    ownPaths: ownPathsOf(loaded),
    watching,
    records: recordsIn(foundation.activity),
    monitoring: monitor(foundation, recorder, { streams: watching.streams, log: options.log }),
    /** For requests that are passed on to the recorder. */
    forwarding: {
      hops: createHops(randomUUID(), () =>
        logger.error(
          { event: 'loop_detected' },
          'upstream leads back to this gate: a request came back that it had passed on. Set upstream to the recorder itself',
        ),
      ),
      upstreams: keptUpstreams(closing, {
        onBusy: noticeBusy(tallies, logger),
        onFailure: recorder.onRecorderFailure,
      }),
    },
    /** Absent when the UI was not built. */
    ui: uiFiles(logger),
    /** Files and connections that the process may have open at once. Absent when it is not known. */
    openFiles: openFilesLimit(),
    about: {
      version,
      started: clock.now(),
      reloads: reloads.read,
      recorder: recorder.recorderConfiguration.knowledge,
    },
  };
}

/** Open streams, and who watches. */
function createWatching(foundation: Foundation, recorder: RecorderServices) {
  const { activity, audit, tallies, clock, logger, current, roundRobin, closing } = foundation;
  const viewing = createViewing(activity, {
    clock,
    mode: () => current.configuration().audit.viewing,
    onError: (error) => logger.error({ err: error }, 'could not record who watches; trying again'),
    onDrop: () => (tallies.viewingDropped += 1),
  });
  closing.defer(viewing.close);
  const streams = createOpenStreams({
    clock,
    roundRobin,
    signs: [
      foundation.storeVersion,
      () => clock.isBehind?.(),
      foundation.rolesVersion,
      current.deciding,
      recorder.recorderConfiguration.configuration,
      recorder.roleVerification.verified,
    ],
    knownAt: foundation.knownAt,
    onFault: (error) => logger.error({ err: error }, 'could not recheck open streams; closed them'),
    onCut: (stream, reason) => {
      tallies.streamsCut[reason] = (tallies.streamsCut[reason] ?? 0) + 1;
      // A stream that an admin cuts has a record that names the admin.
      if (reason !== 'stopped') void audit.record(endedEntry(stream, reason));
    },
  });
  closing.defer(streams.close);
  // An open stream is watched as long as it is open.
  const noting = setInterval(() => {
    if (current.configuration().audit.viewing !== false) noteOpenStreams(streams.list(), viewing);
  }, 2_000).unref();
  closing.defer(() => clearInterval(noting));
  const stills = createStills(clock);
  return {
    /** Everything that is passed on, until it ends. */
    streams,
    /** Who watches single pictures. */
    stills,
    streamsOfGate: streamsOf(streams, stills),
    /** Records who watched what. */
    viewing,
    cameraMoves: createCameraMoves(audit),
  };
}

/** Reads decisions, the audit and the record of who watched. */
function recordsIn(activity: Activity) {
  return {
    decisions: createDecisionLog(),
    auditRecords: createAuditRecords(activity),
    lastLogins: createLastLogins(activity),
    findWatched: (filter: WatchedFilter) => findWatched(activity, filter),
    findLastWatched: (names: readonly string[]) => findLastWatched(activity, names),
  };
}

const uiDirectory = join(programDirectory, 'dist', 'web');

/** Files of the build do not change while the process runs. */
let builtUi: UiFiles | undefined;

function uiFiles(logger: Logger): UiFiles | undefined {
  builtUi ??= readUiFiles(uiDirectory);
  if (builtUi === undefined)
    logger.warn({ directory: uiDirectory }, 'there is no UI: run script/server, or node script/build.ts');
  return builtUi;
}
