import type { Clock } from '../../../clock.ts';
import type { Configuration } from '../../../config/configuration.ts';
import { CannotExamine, type DoctorCheck } from '../check.ts';
import {
  type ProbeAnswer,
  type HeaderLine,
  type Place,
  type RawRequest,
  authority,
  exchange,
} from './exchange.ts';

/** Options of the operator. */
export interface DoctorOptions {
  readonly front: Place;
  /** Path of `--url` without its last slash; empty at the root. */
  readonly prefix: string;
  readonly http: Place | undefined;
  readonly gates: readonly Place[];
  readonly events: Place | undefined;
  readonly internal: Place | undefined;
  /** Whether the operator names it. */
  readonly isInternalGiven: boolean;
  /** Ports of the recorder. */
  readonly recorder: readonly Place[] | undefined;
  readonly credentials: Credentials | undefined;
  /** Header lines by which a proxy in front knows a user whom it has signed on. */
  readonly proxySession: readonly HeaderLine[];
  readonly cameras: readonly string[];
  /** Path of a config.yml. */
  readonly config: string | undefined;
  /** Send requests in spite of an invalid certificate, or without TLS. */
  readonly insecure: boolean;
  readonly loginProbe: boolean;
}

export type Credentials = { readonly user: string; readonly password: string } | { readonly token: string };

/** The things that probes need besides the network. */
export interface ProbeContext {
  readonly clock: Clock;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** A name that no user has. */
  readonly unknownUser: string;
  /** Headers that an upstream proxy may send, by the trusted-headers file; lower-case. */
  readonly trustedHeaders: readonly string[];
  /** `undefined` without `--config`, or if the file has problems. */
  readonly configuration: Configuration | undefined;
  /** Problems of the file of `--config`. */
  readonly problems: ReadonlyArray<{
    readonly path: string;
    readonly found: string;
    readonly allowed: string;
  }>;
}

/** The session of the probes. */
export interface Session {
  /** Cookie or header with the token. */
  readonly headers: readonly HeaderLine[];
  readonly token: string;
  /** Answer to the login; undefined with `--token`. */
  readonly login: ProbeAnswer | undefined;
  /** Answer to GET /api/profile with the session. */
  readonly profile: ProbeAnswer;
  readonly role: string;
  readonly cameras: readonly string[];
}

/** Facts about a front that is examined. */
export interface Examination {
  readonly options: DoctorOptions;
  readonly context: ProbeContext;
  /** Sends a request to the front; the target is below the prefix of `--url`. */
  readonly send: (request: RawRequest) => Promise<ProbeAnswer>;
  /** Sends a request to another address, with a short timeout. */
  readonly knock: (place: Place, request: RawRequest) => Promise<ProbeAnswer>;
  /** The answer to GET / without credentials. */
  readonly first: ProbeAnswer;
  /** The answer to GET /api/profile without credentials. */
  readonly profile: ProbeAnswer;
  readonly session: Session | { readonly missing: string };
}

export interface SignedIn extends Examination {
  readonly session: Session;
}

/**
 * Conditions besides the front, without which a check is skipped: that the front refuses a visitor without a session (`guard`), a login
 * that succeeded, or a session that the front accepts.
 */
export type FrontCheck =
  | (DoctorCheck<Examination> & { readonly needs?: 'guard' })
  | (DoctorCheck<SignedIn> & { readonly needs: 'login' | 'session' });

/** The part that needs no front. */
export type FilesOfGate = Pick<Examination, 'context'> & { readonly options: Pick<DoctorOptions, 'config'> };

const timeoutMs = 15_000;
const knockTimeoutMs = 2_000;

/** The front does not answer. */
export class NothingListens extends CannotExamine {}

/** @throws NothingListens */
export async function reachFront(
  options: DoctorOptions,
  context: ProbeContext,
): Promise<Omit<Examination, 'session'>> {
  const { front, prefix } = options;
  const send = (request: RawRequest) =>
    exchange(front, { ...request, target: `${prefix}${request.target}` }, timeoutMs);
  const first = await send({ target: '/' });
  if (first.status === 0) {
    throw new NothingListens(`${authority(front)} cannot be reached: ${first.failure ?? 'no answer'}`);
  }
  return {
    options,
    context,
    send,
    knock: (place, request) => exchange(place, request, knockTimeoutMs),
    first,
    profile: await send({ target: '/api/profile' }),
  };
}
