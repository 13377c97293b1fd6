import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './problem.ts';
import { resolveConfiguration } from './resolve.ts';
import { parseTrustedHeaders } from './trusted-headers-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const mountedTrustedHeaders = '/usr/local/nginx/conf/proxy_trusted_headers.conf';

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly directory: string;
  readonly trustedHeadersFile: string;
  /** False when there is no config.yml and everything has its default. */
  readonly fileFound: boolean;
}

/**
 * Reads config.yml and the trusted-headers file, as the environment says.
 * @param root directory of the program, with the files it brings along
 * @throws ConfigurationError with all problems
 */
export function loadConfiguration(environment: Environment, root: string): LoadedConfiguration {
  const directory = environment['SERVICE_CONFIG_DIR'] || 'config';
  const trustedHeadersFile =
    environment['SERVICE_TRUSTED_HEADERS_FILE'] ||
    (existsSync(mountedTrustedHeaders) ? mountedTrustedHeaders : join(root, 'proxy_trusted_headers.conf'));
  const trustedHeaders = parseTrustedHeaders(
    readConfigurationFile(trustedHeadersFile) ?? missing(trustedHeadersFile),
    trustedHeadersFile,
  );
  const file = join(directory, 'config.yml');
  const text = readConfigurationFile(file);
  const configuration = resolveConfiguration(parseYaml(text ?? '', file), {
    environment,
    trustedHeaders,
    trustedHeadersFile,
    sampleDatabase: join(root, 'data', 'sample.db'),
  });
  return { configuration, directory, trustedHeadersFile, fileFound: text !== undefined };
}

/** @returns undefined when there is no such file */
function readConfigurationFile(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const found =
      error instanceof TypeError
        ? 'bytes that are not UTF-8'
        : `a file that cannot be read (${(error as NodeJS.ErrnoException).code})`;
    throw new ConfigurationError([{ path, found, allowed: 'a readable text file' }]);
  }
}

function missing(path: string): never {
  throw new ConfigurationError([{ path, found: 'no file', allowed: 'a trusted-headers file' }]);
}

function parseYaml(text: string, file: string): unknown {
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) {
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
    throw new ConfigurationError(
      document.errors.map(({ pos, message }) => ({
        path: `${file} line ${lineOf(pos[0])}`,
        found: message,
        allowed: 'YAML',
      })),
    );
  }
  return document.toJS({ maxAliasCount: 100 }) ?? {};
}
