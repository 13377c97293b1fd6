import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../../policy/public-address.ts';

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
