import { systemClock } from '../clock.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Configuration } from '../config/configuration.ts';
import { configurationDirectory, configurationReader, trustedHeadersFileOf } from '../config/load.ts';
import { ConfigurationError } from '../config/problem.ts';
import { isLoopback, parseListenAddress } from '../config/listen.ts';
import { parseTrustedHeaders } from '../config/trusted-headers-file.ts';
import { CannotExamine } from '../api/doctor/check.ts';
import { examineFiles, examineFront, examineProvider, jsonReport, tableOf } from '../api/doctor/examine.ts';
import type { Credentials, DoctorOptions, ProbeContext } from '../api/doctor/front/examination.ts';
import type { HeaderLine, Place } from '../api/doctor/front/exchange.ts';
import { recorderPorts } from '../api/doctor/front/recorder-ports.ts';
import { createAuditRecords } from '../audit/audit-query.ts';
import { activityPath } from '../store/sqlite/open-store.ts';
import type { CommandContext } from './frame/command.ts';
import { onActivity } from './frame/on-store.ts';
import { readPassword } from './frame/prompts.ts';
import { complain, print } from './frame/output.ts';
import { readText } from '../config/read-file.ts';

/** The newest sign-ins, with a password too. */
const mostSignIns = 500;

interface Arguments {
  readonly url?: URL;
  readonly http?: Place;
  readonly gate: readonly Place[];
  readonly events?: Place;
  readonly internal?: Place;
  readonly recorder: readonly Place[];
  readonly user?: string;
  readonly passwordStdin?: true;
  readonly token?: string;
  readonly password?: unknown;
  readonly header: readonly HeaderLine[];
  readonly cookie: readonly string[];
  readonly camera: readonly string[];
  readonly config?: string;
  readonly oidc?: true;
  readonly loginProbe?: true;
  readonly insecure?: true;
  readonly json?: true;
}

/** Secrets that the command reads, its output, and its exit status. */
export interface Terminal {
  readonly readSecret: () => Promise<string>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** 0 without a fault, 1 with one, 2 when nothing could be examined. */
  readonly end: (status: 0 | 1 | 2) => void;
}

const ownTerminal: Terminal = {
  readSecret: () => readPassword(process.stdin, process.stderr),
  print,
  complain,
  end: (status) => {
    process.exitCode = status;
  },
};

export function doctorCommand(context: CommandContext, terminal = ownTerminal): Command {
  return new Command('doctor')
    .description(
      'checks a live front from outside, harmlessly; exit status 1 with a fault, 2 when it cannot be reached',
    )
    .option('--url <url>', 'what users open; by default public_url of --config', parseUrl)
    .option(
      '--http <host:port>',
      'where plain HTTP is answered; by default port 80, when --url has no port',
      parsePlace,
    )
    .option(
      '--gate <host:port>',
      'a listener of networking.forward_auth or networking.relay; can be repeated',
      collectPlace,
      [],
    )
    .option('--events <host:port>', 'the events app', parsePlace)
    .option(
      '--internal <host:port>',
      'the internal entry point; by default port 5000 of the host',
      parsePlace,
    )
    .option(
      '--recorder <host:port>',
      "a port of Frigate; can be repeated; by default Frigate's ports of the host",
      collectPlace,
      [],
    )
    .option('--user <name>', 'signs in as this user, best one with a role limited to cameras')
    .option('--password-stdin', 'reads the password of --user from a prompt or from standard input')
    .option('--token <token>', 'a session token instead; - reads it from standard input, unseen by ps')
    .option(
      '--header <name: value>',
      'a header by which a sign-on proxy in front knows you; can be repeated',
      collectHeader,
      [],
    )
    .option(
      '--cookie <name=value>',
      'a cookie of the session at a sign-on proxy in front; can be repeated',
      collectCookie,
      [],
    )
    .option('--camera <name>', 'a camera that the user may not see; can be repeated', collect, [])
    .option('--config <file>', "looks at a config.yml too, Postern's or a recorder's")
    .option(
      '--oidc',
      "looks at the provider of auth.oidc instead of a front: --config's, by default Postern's own; with --json alone",
    )
    .option('--login-probe', 'fails to sign in on purpose, until the limit of this address is used up')
    .option('--insecure', 'takes any certificate, and sends the password without TLS too')
    .option('--json', 'prints JSON')
    .addOption(new Option('--password [password]').hideHelp())
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (given: Arguments) => {
      try {
        const rows = await (given.oidc === undefined
          ? examineFrontAsTold(given, context, terminal)
          : examineProviderAsTold(given, context));
        terminal.print(given.json === undefined ? tableOf(rows) : jsonReport(rows));
        terminal.end(rows.some(({ result }) => result === 'FAULT') ? 1 : 0);
      } catch (error) {
        if (!(error instanceof CannotExamine)) throw error;
        terminal.complain(error.message);
        terminal.end(2);
      }
    });
}

async function examineFrontAsTold(given: Arguments, context: CommandContext, terminal: Terminal) {
  const probeContext = probeContextOf(given, context);
  const credentials = await credentialsOf(given, terminal);
  // A file with mistakes names no site.
  if (given.url === undefined && probeContext.problems.length > 0)
    return examineFiles({ options: { config: given.config }, context: probeContext });
  return examineFront(optionsOf(given, urlOf(given, probeContext.configuration), credentials), probeContext);
}

/** @throws CannotExamine when the configuration cannot be used */
async function examineProviderAsTold({ url, config }: Arguments, { environment, root }: CommandContext) {
  if (url !== undefined)
    throw new CannotExamine('--oidc asks the provider, and --url a front: give one of them');
  const file = config ?? join(configurationDirectory(environment), 'config.yml');
  const { configuration, problems } = readConfiguration(file, environment, root);
  if (configuration === undefined) {
    const lines = problems.map(({ path, found, allowed }) => `${path}: ${found}; allowed: ${allowed}`);
    throw new CannotExamine(`${file} has problems:\n${lines.join('\n')}`);
  }
  return examineProvider(configuration, systemClock, await signInsAt(configuration, environment));
}

/** @returns undefined if nothing was recorded */
async function signInsAt({ store }: Configuration, environment: CommandContext['environment']) {
  const directory = configurationDirectory(environment);
  if (store.url === undefined && !existsSync(activityPath(directory))) return undefined;
  return onActivity({ directory, storeUrl: store.url }, (activity) =>
    createAuditRecords(activity).find({ events: ['login', 'login_failed'], limit: mostSignIns }),
  );
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It is no http or https URL.');
  }
  return url;
}

function parsePlace(text: string): Place {
  const address = parseListenAddress(text);
  if (address === undefined || 'path' in address || address.host === undefined || address.port === 0) {
    throw new InvalidArgumentError('It has the form host:port.');
  }
  return { host: address.host, port: address.port, tls: false };
}

function collectPlace(text: string, places: readonly Place[]): readonly Place[] {
  return [...places, parsePlace(text)];
}

function collect(text: string, texts: readonly string[]): readonly string[] {
  return [...texts, text];
}

/** Its value is secret: no message repeats it. */
function collectHeader(text: string, lines: readonly HeaderLine[]): readonly HeaderLine[] {
  const [, name = '', value = ''] =
    /^([\w-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(text) ?? [];
  if (name === '') throw new CannotExamine('--header has the form "Name: value".');
  return [...lines, [name, value]];
}

function collectCookie(text: string, cookies: readonly string[]): readonly string[] {
  if (!/^[^\s=;,"]+=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text))
    throw new CannotExamine('--cookie has the form name=value.');
  return [...cookies, text];
}

/** @throws CannotExamine when no option names the site */
function urlOf({ url }: Arguments, configuration: Configuration | undefined): URL {
  if (url !== undefined) return url;
  if (configuration?.publicUrl === undefined)
    throw new CannotExamine('give --url, or --config with a file that has public_url');
  return new URL(configuration.publicUrl + configuration.basePath);
}

function optionsOf(given: Arguments, url: URL, credentials: Credentials | undefined): DoctorOptions {
  if (url.username !== '' || url.password !== '') throw new CannotExamine('--url holds a name or a password');
  const host = isIPv6(url.hostname.slice(1, -1)) ? url.hostname.slice(1, -1) : url.hostname;
  const tls = url.protocol === 'https:';
  const isUsualPort = url.port === '';
  const isHere = isLoopback({ host, port: 0 });
  return {
    front: { host, port: isUsualPort ? (tls ? 443 : 80) : Number(url.port), tls },
    prefix: url.pathname.replace(/\/+$/, ''),
    http: given.http ?? (isUsualPort && tls ? { host, port: 80, tls: false } : undefined),
    gates: given.gate,
    events: given.events,
    internal: given.internal ?? (isHere ? undefined : { host, port: 5000, tls: false }),
    isInternalGiven: given.internal !== undefined,
    recorder: given.recorder.length > 0 ? given.recorder : isHere ? undefined : recorderPortsOf(host),
    credentials,
    proxySession: [
      ...given.header,
      ...(given.cookie.length > 0 ? [['Cookie', given.cookie.join('; ')] as const] : []),
    ],
    cameras: given.camera,
    config: given.config,
    insecure: given.insecure ?? false,
    loginProbe: given.loginProbe ?? false,
  };
}

function recorderPortsOf(host: string): readonly Place[] {
  return recorderPorts.map((port) => ({ host, port, tls: false }));
}

/** @throws CannotExamine when the options do not fit together; the message repeats no secret */
async function credentialsOf(
  { user, passwordStdin, password, token }: Arguments,
  { readSecret }: Terminal,
): Promise<Credentials | undefined> {
  if (password !== undefined) throw new CannotExamine('a password is no argument: use --password-stdin');
  if ((user === undefined) !== (passwordStdin === undefined))
    throw new CannotExamine('--user and --password-stdin belong together');
  if (user !== undefined && token !== undefined) throw new CannotExamine('--user or --token, not both');
  const read = () =>
    readSecret().catch((error: unknown) => {
      throw new CannotExamine(error instanceof Error ? error.message : 'nothing on standard input');
    });
  if (user !== undefined) return { user, password: await read() };
  const given = token === '-' ? await read() : token;
  if (given === undefined) return undefined;
  if (!/^[\w.-]+$/.test(given)) throw new CannotExamine('--token is no token');
  return { token: given };
}

function probeContextOf({ config }: Arguments, { environment, root }: CommandContext): ProbeContext {
  const own = trustedHeadersFileOf(environment, root);
  return {
    clock: systemClock,
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    unknownUser: `postern-doctor-${randomUUID()}`,
    trustedHeaders: [...parseTrustedHeaders(readText(own), own)],
    ...(config === undefined ? noConfiguration : readConfiguration(config, environment, root)),
  };
}

type ConfigurationRead = Pick<ProbeContext, 'configuration' | 'problems'>;

const noConfiguration: ConfigurationRead = { configuration: undefined, problems: [] };

/** @throws CannotExamine when there is no such file */
function readConfiguration(
  file: string,
  environment: CommandContext['environment'],
  root: string,
): ConfigurationRead {
  if (!existsSync(file)) throw new CannotExamine(`there is no ${file}`);
  try {
    const configuration = configurationReader(environment, root, file)(readText(file));
    return { configuration, problems: [] };
  } catch (error) {
    if (error instanceof ConfigurationError) return { configuration: undefined, problems: error.problems };
    throw new CannotExamine(`${file} cannot be read`, { cause: error });
  }
}
