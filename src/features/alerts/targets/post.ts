import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { isPublicHost, isPublicAddress } from '../../../policy/public-address.ts';

/** Why an alert was not delivered, for programs. */
export const deliveryFaults = [
  'no_answer',
  'unreachable',
  'name_unknown',
  'private_address',
  'certificate',
  'login_refused',
  'redirects',
  'refused',
  'no_recipients',
] as const;

export type DeliveryFault = (typeof deliveryFaults)[number];

/** A target could not be reached, or refused an alert. The message is for operators, and names no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly fault: DeliveryFault;

  constructor(message: string, fault: DeliveryFault, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Milliseconds in which a target has to answer. */
export const answerTimeout = 15_000;

/**
 * Looks names up as usual, and refuses the private addresses among the answers: a public name must lead to the internet, or its
 * owner could point it at a machine of this network.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) return callback(error, '', 0);
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new DeliveryError(`${hostname} is at a private address`, 'private_address'), '', 0);
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

// An idle connection would end a few seconds later anyway, and alerts are rare.
const idle = { keepAliveTimeout: 1_000, pipelining: 0 };
let agents: { readonly anywhere: Agent; readonly internet: Agent } | undefined;

/**
 * Sends an alert to an HTTP target. A redirect is not followed: it could lead to an address that the operator did not write down.
 * @throws DeliveryError unless the target answers with 2xx
 */
export async function post(posted: Posted, mayBePrivate: boolean): Promise<void> {
  const status = await send(posted, mayBePrivate);
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400)
    throw new DeliveryError(
      `it redirects (${status}), which is not followed: write its last address`,
      'redirects',
    );
  const isLoginRefused = status === 401 || status === 403;
  throw new DeliveryError(`it answered ${status}`, isLoginRefused ? 'login_refused' : 'refused');
}

/** @returns the status of the answer. @throws DeliveryError without an answer */
export async function send({ url, headers, body }: Posted, mayBePrivate: boolean): Promise<number> {
  const { Agent, request } = await import('undici');
  agents ??= {
    anywhere: new Agent(idle),
    internet: new Agent({ ...idle, connect: { lookup: lookUpPublic } }),
  };
  const { hostname } = new URL(url);
  // An address is not looked up.
  if (!mayBePrivate && !isPublicHost(hostname))
    throw new DeliveryError(`${hostname} is a private address`, 'private_address');
  const answer = await request(url, {
    method: 'POST',
    headers: { 'user-agent': 'Postern', ...headers },
    body,
    dispatcher: mayBePrivate ? agents.anywhere : agents.internet,
    signal: AbortSignal.timeout(answerTimeout),
  }).catch((error: unknown) => {
    throw asDeliveryError(error);
  });
  await answer.body.dump({ limit: 65_536 }).catch(() => undefined);
  return answer.statusCode;
}

/** @returns why a connection failed, without its address or anything that was sent */
export function asDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { name = '', code = '', message = '', cause } = error as Partial<Error> & { readonly code?: string };
  if (cause instanceof DeliveryError) return cause;
  if (name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(code))
    return new DeliveryError('it did not answer in time', 'no_answer', { cause: error });
  const text = `it cannot be reached${code === '' ? '' : ` (${code})`}`;
  return new DeliveryError(text, connectionFault(code, message), { cause: error });
}

function connectionFault(code: string, message: string): DeliveryFault {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_unknown';
  return /CERT|ALTNAME/.test(code) || /certificate|altname/i.test(message) ? 'certificate' : 'unreachable';
}

/** Reason why a connection failed, without its address or anything that was sent. */
export function reasonOf(error: unknown): string {
  return asDeliveryError(error).message;
}
