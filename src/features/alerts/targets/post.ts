import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicHost, isPublicAddress } from '../../../policy/public-address.ts';

/** A target could not be reached, or refused an alert. The message is for operators, and names no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
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
      return callback(new DeliveryError(`${hostname} is at a private address`), '', 0);
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const timeouts = { connectTimeout: answerTimeout, headersTimeout: answerTimeout, bodyTimeout: answerTimeout };
// An idle connection would end a few seconds later anyway, and alerts are rare.
const idle = { keepAliveTimeout: 1_000, pipelining: 0 };
let agents: { readonly anywhere: Agent; readonly internet: Agent } | undefined;

/**
 * Sends an alert to an HTTP target. A redirect is not followed: it could lead to an address that the operator did not write down.
 * @throws DeliveryError unless the target answers with 2xx
 */
export async function post(posted: Posted, mayBePrivate: boolean): Promise<void> {
  const status = await send(posted, mayBePrivate);
  if (status >= 300 && status < 400)
    throw new DeliveryError(`it redirects (${status}), which is not followed: write its last address`);
  if (status < 200 || status > 299) throw new DeliveryError(`it answered ${status}`);
}

/** @returns the status of the answer. @throws DeliveryError without an answer */
export async function send({ url, headers, body }: Posted, mayBePrivate: boolean): Promise<number> {
  agents ??= {
    anywhere: new Agent({ ...timeouts, ...idle }),
    internet: new Agent({ ...timeouts, ...idle, connect: { timeout: answerTimeout, lookup: lookUpPublic } }),
  };
  const { hostname } = new URL(url);
  // An address is not looked up.
  if (!mayBePrivate && !isPublicHost(hostname)) throw new DeliveryError(`${hostname} is a private address`);
  const answer = await request(url, {
    method: 'POST',
    headers: { 'user-agent': 'Postern', ...headers },
    body,
    dispatcher: mayBePrivate ? agents.anywhere : agents.internet,
    signal: AbortSignal.timeout(answerTimeout),
  }).catch((error: unknown) => {
    throw new DeliveryError(reasonOf(error), { cause: error });
  });
  await answer.body.dump({ limit: 65_536 }).catch(() => undefined);
  return answer.statusCode;
}

/** Reason why a connection failed, without its address or anything that was sent. */
export function reasonOf(error: unknown): string {
  if (error instanceof DeliveryError) return error.message;
  const { name = '', code = '', cause } = error as { name?: string; code?: string; cause?: unknown };
  if (cause instanceof DeliveryError) return cause.message;
  return name === 'TimeoutError' || /TIMEOUT/.test(code)
    ? 'it did not answer in time'
    : `it cannot be reached${code === '' ? '' : ` (${code})`}`;
}
