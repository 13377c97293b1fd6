import { join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { readHousePicture, type HousePicture } from '../config/house-picture.ts';
import { secretFile } from '../config/environment.ts';
import { storeKeyName, storeKeyOf } from '../config/resolve-store.ts';
import {
  findJwtSecret,
  jwtSecretFiles,
  sharedJwtSecret,
  jwtSecretWarning,
} from '../accounts/sessions/jwt-secret.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { TrustedClock } from '../store/trusted-clock.ts';
import { findCertificate, type Certificate } from '../http/tls/certificate.ts';
import { readRecorderCertificate } from '../recorder/upstream-pool.ts';

/** Contents of the files beside config.yml that requests need. */
export interface RuntimeFiles {
  readonly jwtSecret: string;
  /** Seals secrets in the store. */
  readonly storeKey: string;
  /** PEM. */
  readonly recorderCertificate: string | undefined;
  readonly housePicture: HousePicture | undefined;
}

/** Contents of the files beside config.yml, read when it is applied. */
export interface GateFiles extends RuntimeFiles {
  /** Absent when no listener uses TLS. */
  readonly certificate: Certificate | undefined;
}

export interface GateFilesOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly clock: Pick<TrustedClock, 'now' | 'isBehind' | 'beganAhead'>;
  readonly logger: Logger;
}

/** @throws ConfigurationError when a file is not valid, as do the others here */
export async function readGateFiles(
  configuration: Configuration,
  options: GateFilesOptions,
): Promise<GateFiles> {
  const { directory, clock, logger } = options;
  const { tls, listen } = configuration;
  const needsCertificate = tls.enabled && listen.authenticated !== undefined;
  const certificate = needsCertificate
    ? await findCertificate(
        tls.files,
        directory,
        { now: clock.now(), isSure: !clock.isBehind() && !clock.beganAhead },
        (warning) => logger.warn(warning),
      )
    : undefined;
  return { certificate, ...readRuntimeFiles(configuration, options) };
}

/** The files that a changed config.yml needs. */
export function readRuntimeFiles(
  { store, recorder, ui }: Configuration,
  { environment, directory }: Pick<GateFilesOptions, 'environment' | 'directory'>,
): RuntimeFiles {
  const jwtSecret = jwtSecretFor(store)(environment, directory).secret;
  return {
    jwtSecret,
    storeKey: storeKeyOf(environment) ?? jwtSecret,
    recorderCertificate: recorder.certificate && readRecorderCertificate(recorder.certificate),
    housePicture: ui.logo === undefined ? undefined : readHousePicture(directory, ui.logo),
  };
}

/** With a shared store: each machine would generate another secret. */
function jwtSecretFor({ url }: Configuration['store']): typeof findJwtSecret {
  return url === undefined ? findJwtSecret : sharedJwtSecret;
}

/** At the start: logs where the JWT secret comes from, and generates one if it is missing. */
export async function firstGateFiles(
  configuration: Configuration,
  options: GateFilesOptions,
): Promise<{ readonly files: GateFiles; readonly isNewSecret: boolean }> {
  const { environment, directory, logger } = options;
  const found = jwtSecretFor(configuration.store)(environment, directory);
  const { source, isNew } = found;
  if (isNew) logger.info({ source }, 'made a JWT secret');
  const short = jwtSecretWarning(found);
  if (short !== undefined) logger[short.level]({ source }, short.text);
  return { files: await readGateFiles(configuration, options), isNewSecret: isNew };
}

/** The files of a configuration besides config.yml, whether they exist or not. */
export function watchedFiles(
  { tls, recorder, ui }: Configuration,
  environment: GateFilesOptions['environment'],
  directory: string,
): readonly string[] {
  return [
    ...Object.values(tls.files ?? {}),
    ...(recorder.certificate === undefined ? [] : [recorder.certificate]),
    ...(ui.logo === undefined ? [] : [join(directory, ui.logo)]),
    ...jwtSecretFiles(environment, directory),
    secretFile(environment, storeKeyName),
    secretFile(environment, 'SERVICE_OIDC_SECRET'),
  ];
}
